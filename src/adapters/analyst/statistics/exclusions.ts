import type { Comparison, Filter } from '../../../ports/analysis-plan.js';
import { columnsOfFilter } from '../../../ports/plan-filters.js';
import { wholeCondition } from './group-definitions.js';
import type { Script } from './script.js';

/** What a text leaves out, and the text without it. */
export interface Exclusion {
  readonly filters: readonly Filter[];
  readonly rest: string;
}

const LEAVES_OUT = String.raw`(?:exclud(?:e|es|ing)|ignor(?:e|ing)|omit(?:ting)?|discard(?:ing)?|disregard(?:ing)?|drop(?:ping)?|remov(?:e|ing)|filter(?:ing)? out|eliminat(?:e|ing)|skip(?:ping)?|leav(?:e|ing) out)`;
const EXCLUDES = new RegExp(
  String.raw`(?<before>^|[\s,(])(?:by |when |after |while )?\b${LEAVES_OUT}\s+(?<what>(?:\([^()]*\)|\d\.\d|[^?.;,()])+)(?<after>[,)]?)`,
  'iu',
);
/** What rows lack or what is far from the rest is read where the statistic is. */
const READ_ELSEWHERE =
  /\b(?:missing|null|nan|nans|nulls|empty|blank|outliers?|anomal\w+|incomplete|extreme|any|them|these|those|it|gaps?|lacking|unknown|percent(?:ile)?|quartile|standard|z-?score|zscore|iqr|top|bottom|highest|lowest|largest|smallest|duplicates?)\b/iu;
const NOUN =
  /^(?:all |any |every |the |those |such )*\p{L}+s? (?=(?:with|where|whose|that|which|who|having|below|above|under|over|of|in|from|at|on|older|younger|longer|shorter|larger|smaller|less|more|greater|lower|higher|before|after|for)\b)/iu;
const LAST_NOUN = /\s+\p{L}+s$/iu;
const LINKED = /^(?:and|or|but|nor)\b|^[\d<>=]/iu;
const MOST_TRIMMED = 6;

/** `excluding loans with no fine (Fine = 0)`: the conditions that rows must not fit; `null` where a text leaves out nothing that was read. */
export function exclusionIn(text: string, script: Script): Exclusion | null {
  const found = EXCLUDES.exec(text);
  const what = found?.groups?.['what']?.trim() ?? '';
  if (found === null || READ_ELSEWHERE.test(what)) return null;
  const read = longestRead(what.split(/\s+/u), script);
  return read === null ? null : { filters: read.filters, rest: withoutPhrase(text, found, read.tail) };
}

interface LongestRead {
  readonly filters: readonly Filter[];
  /** What stands behind the condition. */
  readonly tail: string;
}

/** The conditions of as many words as make some; what is joined to them must be part of them. */
function longestRead(words: readonly string[], script: Script): LongestRead | null {
  const fewest = Math.max(words.length - MOST_TRIMMED, 0);
  for (let kept = words.length; kept > fewest; kept -= 1) {
    const tail = words.slice(kept).join(' ');
    if (LINKED.test(tail)) return null;
    const filters = excluded(words.slice(0, kept).join(' '), script);
    if (filters !== null) return { filters, tail };
  }
  return null;
}

function withoutPhrase(text: string, found: RegExpExecArray, tail: string): string {
  const { before = '', after = '' } = found.groups ?? {};
  const [head, rest] = [text.slice(0, found.index), text.slice(found.index + found[0].length)];
  const isBracket = before === '(' && after === ')';
  const [open, close] = isBracket || head === '' ? ['', ''] : [before === ',' ? '' : before, after];
  return `${head}${open} ${tail}${close} ${rest}`
    .replace(/\s{2,}/gu, ' ')
    .replace(/\s+(?=[?.;,])/gu, '')
    .trim();
}

const BRACKET = /\(([^()]+)\)/u;

/** The conditions of those that stay. What stands in brackets says the same more exactly. */
function excluded(what: string, script: Script): readonly Filter[] | null {
  const inside = BRACKET.exec(what)?.[1];
  const exact = inside === undefined ? null : wholeCondition(inside, script);
  if (exact !== null) return opposite(exact, script);
  const bare = what.replace(/[()]/gu, ' ');
  for (const said of new Set([bare, bare.replace(NOUN, ''), bare.replace(LAST_NOUN, '')])) {
    const filters = wholeCondition(said, script);
    if (filters !== null) return opposite(filters, script);
  }
  return null;
}

/** Conditions on one column, and plain values, each leave out rows by themselves; of others together it is not certain what is meant. */
function opposite(filters: readonly Filter[], script: Script): readonly Filter[] | null {
  const columns = new Set(filters.flatMap(columnsOfFilter));
  const areValues = filters.every(({ kind }) => kind === 'in');
  if (filters.length > 1 && columns.size > 1 && !areValues) return null;
  const isRange = filters.length === 2 && isStretch(filters);
  const opposites = filters.map((filter) => oppositeOf(filter, script));
  if (opposites.some((one) => one === null)) return null;
  const each = opposites.filter((one) => one !== null);
  return isRange ? [anyOf(each)] : each;
}

function anyOf(filters: readonly Filter[]): Filter {
  return { kind: 'any', of: filters.flatMap((one) => (one.kind === 'any' ? one.of : [[one]])) };
}

/** `above 3 and below 15` is one stretch. */
function isStretch([one, other]: readonly Filter[]): boolean {
  if (one?.kind !== 'compare' || other?.kind !== 'compare') return false;
  const [low, high] = one.operator.startsWith('>') ? [one, other] : [other, one];
  return low.operator.startsWith('>') && high.operator.startsWith('<') && low.value < high.value;
}

const OPPOSITES: Readonly<Record<Comparison, Comparison>> = {
  '<': '>=',
  '<=': '>',
  '>': '<=',
  '>=': '<',
  '=': '!=',
  '!=': '=',
};

/** Rows without a value fit no condition, so that they are none of those that are left out. */
function oppositeOf(filter: Filter, script: Script): Filter | null {
  const plain = plainOpposite(filter);
  if (plain === null || !('column' in filter) || filter.kind === 'null') return plain;
  const column = script.facts.columns.find(({ name }) => name === filter.column);
  if ((column?.profile.nulls ?? 0) === 0) return plain;
  return anyOf([plain, { kind: 'null', column: filter.column, negated: false }]);
}

function plainOpposite(filter: Filter): Filter | null {
  switch (filter.kind) {
    case 'in':
    case 'contains':
    case 'null':
      return { ...filter, negated: !filter.negated };
    case 'compare':
    case 'columns':
      return { ...filter, operator: OPPOSITES[filter.operator] };
    case 'between':
      return anyOf([
        { kind: 'compare', column: filter.column, operator: '<', value: filter.low },
        { kind: 'compare', column: filter.column, operator: '>', value: filter.high },
      ]);
    case 'time':
    case 'against':
    case 'outlier':
    case 'any':
      return null;
  }
}
