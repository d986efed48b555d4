import type { AnswerFormat } from './understanding.js';

const WORDS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
const COUNT = String.raw`(?<count>\d{1,2}|${WORDS.join('|')}|a single|a|no)`;
const PLACES = String.raw`(?:decimal(?:s| places?| points?| digits?)?|digits? after the (?:decimal )?(?:point|comma)|places? after the (?:decimal )?point|d\.?p\.?)`;
const ROUND = String.raw`(?:,?\s*\(?\s*(?:(?:please\s+)?(?:and\s+)?round(?:ed|ing)?(?:\s+off)?(?:\s+(?:the|your|all|each|any|every|it|them|both|this|final|numerical|numeric|result|results|answer|answers|value|values|figure|figures|coefficient|number|numbers|p-value)){0,5})?\s*,?\s*(?:to|with|up to|at|using|of)?\s*(?:exactly\s+|at most\s+|the nearest\s+)?)`;
const DECIMALS = new RegExp(
  String.raw`${ROUND}\b${COUNT}[\s-]+${PLACES}\b(?:\s+of (?:precision|accuracy))?\s*\)?`,
  'giu',
);
const SIGNIFICANT = new RegExp(String.raw`${ROUND}\b${COUNT}\s+significant\s+(?:digits|figures)\s*\)?`, 'giu');
const WHOLE =
  /,?\s*\(?\s*(?:and\s+)?(?:(?:rounded|round|rounding)(?:\s+(?:it|your|the|answer|result|value|off|up|down))*\s+to\s+(?:the\s+)?(?:nearest\s+|closest\s+)?(?:a\s+|an\s+)?(?:whole(?:\s+number)?|integers?)|as\s+an?\s+(?:whole\s+number|integer)|without\s+decimals|(?:to\s+)?(?:the\s+)?nearest\s+(?:whole\s+number|integer))\s*\)?/giu;
const PERCENT = /,?\s*\(?\s*(?:expressed\s+|given\s+)?(?:as|in)\s+(?:a\s+)?(?:percent(?:age)?s?|%)\s*\)?/giu;
const FRACTION =
  /,?\s*\(?\s*(?:expressed\s+|given\s+)?as\s+a\s+(?:fraction|decimal(?: number)?|proportion)(?:\s+(?:between|from)\s+0\s+(?:and|to)\s+1)?\s*\)?/giu;
const YES_NO =
  /,?\s*\(?\s*(?:please\s+)?(?:answer|respond|reply|say)\s+(?:with\s+|by\s+)?(?:simply\s+|only\s+|just\s+)?["“'`]?(?:yes|true)["”'`]?\s*(?:or|\/)\s*["“'`]?(?:no|false)["”'`]?\s*\)?|\(\s*(?:yes|true)\s*(?:or|\/)\s*(?:no|false)\s*\)/giu;

/** A text without the words about how its answer is to be written, and what they say. */
export interface Formatted {
  readonly text: string;
  readonly format: Partial<AnswerFormat>;
}

/** Takes out `rounded to two decimals`, `as a percentage`, `answer yes or no`. */
export function readFormat(text: string): Formatted {
  if (!MENTIONS.test(text)) return { text, format: {} };
  const format: { -readonly [K in keyof AnswerFormat]?: AnswerFormat[K] } = {};
  const rest = text
    .replace(SIGNIFICANT, (whole, ...groups: unknown[]) =>
      taken(whole, countIn(groups), (count) => (format.significant = count)),
    )
    .replace(DECIMALS, (whole, ...groups: unknown[]) =>
      taken(whole, countIn(groups), (count) => (format.decimals = count)),
    )
    .replace(WHOLE, () => taken(' ', 0, () => (format.decimals ??= 0)))
    .replace(PERCENT, () => taken(' ', 0, () => (format.shares = 'percent')))
    .replace(FRACTION, () => taken(' ', 0, () => (format.shares = 'fraction')))
    .replace(YES_NO, () => taken(' ', 0, () => (format.yesOrNo = true)));
  return { text: rest, format };
}

const MENTIONS =
  /decimal|round|digit|significant fig|whole number|integer|percent|%|fraction|proportion|yes|true|\bd\.?p\b/iu;
const MOST = 15;

const COUNTS: ReadonlyMap<string, number> = new Map([
  ['a', 1],
  ['a single', 1],
  ['no', 0],
  ...WORDS.map((word, count) => [word, count] as const),
]);

function countIn(groups: readonly unknown[]): number | null {
  const written = writtenCount(groups.at(-1));
  const count = COUNTS.get(written) ?? Number.parseInt(written, 10);
  return Number.isInteger(count) && count <= MOST ? count : null;
}

function writtenCount(named: unknown): string {
  const isNamed = typeof named === 'object' && named !== null && 'count' in named;
  return isNamed ? String(named.count).toLowerCase() : '';
}

function taken(whole: string, count: number | null, take: (count: number) => unknown): string {
  if (count === null) return whole;
  take(count);
  return ' ';
}
