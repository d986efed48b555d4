import type { AnswerFormat } from './understanding.js';

const WORDS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
const COUNT = String.raw`(?<count>\d{1,2}|${WORDS.join('|')}|a single|a|no)`;
const PLACES = String.raw`(?:decimal(?:s| places?| points?| digits?)?|dec(?:s\b|\.|\b)|digits? after the (?:decimal )?(?:point|comma)|places? after the (?:decimal )?point|d\.?p(?:s\b|\.|\b))`;
/** `… is enough`, `… each, please`. */
const ENOUGH = String.raw`(?:\s*,?\s*(?:is|are|will be|would be)?\s*(?:\b(?:enough|sufficient|suffices?|fine|ok|okay|will do|each|only|pls|plz|please|thanks|both|for (?:both|all|each|the answer)))\b)*`;
const ROUND = String.raw`(?:,?\s*\(?\s*(?:(?:please\s+)?(?:and\s+)?round(?:ed|ing)?(?:\s+off)?(?:\s+(?:the|your|all|each|any|every|it|them|both|this|final|numerical|numeric|result|results|answer|answers|value|values|figure|figures|coefficient|number|numbers|p-value)){0,5})?\s*,?\s*(?:to|with|up to|at|using|of)?\s*(?:exactly\s+|at most\s+|the nearest\s+)?)`;
const DECIMALS = new RegExp(
  String.raw`${ROUND}\b${COUNT}[\s-]*${PLACES}(?![\p{L}\d])(?:\s+of (?:precision|accuracy))?${ENOUGH}\s*\)?`,
  'giu',
);
/** `rounded to 2`, `rounded to three places`. */
const BARE = new RegExp(
  String.raw`[,(]?\s*(?:and\s+)?\bround(?:ed|ing)?(?:\s+(?:off|it|them|the|your|both|all|each|answers?|results?|values?|figures?)){0,4}\s+to\s+${COUNT}(?:\s+places?)?${ENOUGH}(?=\s*(?:[.;,?)]|$))\s*\)?`,
  'giu',
);
/** `the slope with two decimals and r squared with three`. */
const ALSO = new RegExp(
  String.raw`\s+(?:with|to)\s+${COUNT.replace('<count>', '<also>').replace('|a single|a|no', '')}(?=\s*(?:[.;)]|$))`,
  'giu',
);
/** `to the nearest cent`. */
const NEAREST =
  /,?\s*\(?\s*(?:and\s+)?(?:round(?:ed|ing)?\s+(?:it\s+|the \p{L}+\s+)?)?to\s+the\s+nearest\s+(?<unit>cent|penny|tenth|hundredth|thousandth)s?\s*\)?/giu;
const STEPS: ReadonlyMap<string, number> = new Map([
  ['tenth', 1],
  ['cent', 2],
  ['penny', 2],
  ['hundredth', 2],
  ['thousandth', 3],
]);
const SIGNIFICANT = new RegExp(String.raw`${ROUND}\b${COUNT}\s+significant\s+(?:digits|figures)\s*\)?`, 'giu');
const WHOLE =
  /,?\s*\(?\s*(?:and\s+)?(?:(?:rounded|round|rounding)(?:\s+(?:it|your|the|answer|result|value|off|up|down))*\s+to\s+(?:the\s+)?(?:nearest\s+|closest\s+)?(?:a\s+|an\s+)?(?:whole(?:\s+number)?|integers?)|as\s+an?\s+(?:whole\s+number|integer)|without\s+decimals|(?:to\s+)?(?:the\s+)?nearest\s+(?:whole\s+number|integer))\s*\)?/giu;
const PERCENT =
  /,?\s*\(?\s*(?:expressed\s+|given\s+)?(?:as|in)\s+(?:a\s+)?(?:percent(?:age)?s?|%)(?!\s+of\s+(?:that|the|its|their|each|all)\b)\s*\)?|\(\s*(?:percent|%)\s*,?\s*\)?(?=\s*(?:[?.;,]|$))/giu;
/** `give the percentage to one decimal`: the words stay, for they may ask for one. */
const AS_PERCENT =
  /^(?:please )?(?:give|report|state|provide|answer|return|express|show)(?: me)?(?: it as)? (?:the |a |your )?(?:answer as a )?percentages?\b/iu;
const FRACTION =
  /,?\s*\(?\s*(?:expressed\s+|given\s+)?as\s+a\s+(?:fraction|decimal(?: (?:number|value|fraction))?|proportion)(?:\s+(?:between|from)\s+0\s+(?:and|to)\s+1)?\s*\)?/giu;
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
    .replace(FRACTION, () => taken(' ', 0, () => (format.shares = 'fraction')))
    .replace(SIGNIFICANT, (whole, ...groups: unknown[]) =>
      taken(whole, countIn(groups), (count) => (format.significant = count)),
    )
    .replace(DECIMALS, (whole, ...groups: unknown[]) =>
      taken(whole, countIn(groups), (count) => (format.decimals = count)),
    )
    .replace(ALSO, (whole) => (format.decimals === undefined ? whole : ' '))
    .replace(BARE, (whole, ...groups: unknown[]) => taken(whole, fewIn(groups), (count) => (format.decimals = count)))
    .replace(NEAREST, (_whole, unit: string) =>
      taken(' ', STEPS.get(unit.toLowerCase()) ?? 0, (count) => (format.decimals = count)),
    )
    .replace(WHOLE, () => taken(' ', 0, () => (format.decimals ??= 0)))
    .replace(PERCENT, () => taken(' ', 0, () => (format.shares = 'percent')))
    .replace(AS_PERCENT, (said) => {
      format.shares ??= 'percent';
      return said;
    })
    .replace(YES_NO, () => taken(' ', 0, () => (format.yesOrNo = true)));
  return { text: rest, format };
}

const MENTIONS =
  /decimal|round|\bdecs?\b|nearest|digit|significant fig|whole number|integer|percent|%|fraction|proportion|yes|true|d\.?p\b/iu;
const MOST = 15;
const MOST_BARE = 6;

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

/** `round to 10` is no number of digits. */
function fewIn(groups: readonly unknown[]): number | null {
  const count = countIn(groups);
  return count !== null && count <= MOST_BARE ? count : null;
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
