import type { Comparison } from '../../../ports/analysis-plan.js';
import type { Adjective } from '../synonyms.js';
import { aggregatesAt } from './aggregates.js';
import { comparedWith, type Condition } from './comparisons.js';
import { computationAt } from './figures.js';
import type { Line } from './line.js';
import { multipleAt } from './multiples.js';
import { hintedColumn } from './hints.js';
import { afterUnit } from './number-conditions.js';
import { onlyFigureAt, theOnly } from './only.js';
import { operatorAt, signAt, turned, unless } from './operators.js';
import type { Sentence } from './sentence.js';
import { yearColumns } from './time-conditions.js';

const ARTICLES = new Set(['the', 'a', 'an']);
const SMALL = new Set(['in', 'on', 'for', 'of', 'the', 'a', 'an', 'at']);
const IS = new Set(['is', 'was', 'are', 'were', 'of']);

/** `the difference between the highest and the lowest is above 15`: a figure that is worked out for each row. */
export function computedFirst(sentence: Sentence, at: number, denied: boolean): Condition | null {
  const derived = sentence.derived.length;
  const found = computedCompared(sentence, at, denied);
  // What was derived on the way is of no use where no condition came of it.
  if (found === null) sentence.derived.length = derived;
  return found;
}

function computedCompared(sentence: Sentence, at: number, denied: boolean): Condition | null {
  const { line } = sentence;
  const computed = computationAt(sentence, at);
  const compare = computed === null ? null : operatorAt(line, line.skip(computed.next, IS));
  const number = compare === null ? null : line.number(compare.next);
  if (computed === null || number === null || compare === null || compare.operator === 'between') return null;
  const operator = unless(denied, compare.operator);
  return {
    filters: [{ kind: 'compare', column: computed.name, operator, value: number.value }],
    next: number.next,
  };
}

const MORE_OR_LESS: ReadonlyMap<string, Comparison> = new Map([
  ...['more', 'higher', 'greater', 'larger', 'better'].map((word) => [word, '>'] as const),
  ...['less', 'fewer', 'lower', 'smaller', 'worse'].map((word) => [word, '<'] as const),
]);

/** `more fat than average`, `higher in maths than in reading`. */
export function columnAmid(sentence: Sentence, at: number, denied: boolean): Condition | null {
  const { line } = sentence;
  const operator = MORE_OR_LESS.get(line.key(at));
  const named = operator === undefined ? null : onlyFigureAt(line, line.skip(at + 1, SMALL));
  if (operator === undefined || named === null || !line.is(named.next, 'than')) return null;
  const next = line.skip(named.next + 1, SMALL);
  return comparedWith(sentence, named.column, { operator, adjective: null, next, negated: denied });
}

/** `above age 20`, `over a price of 5`: the column stands between the comparison and the number. */
export function operatorFirst(sentence: Sentence, at: number, denied: boolean): Condition | null {
  const { line } = sentence;
  const sign = signAt(line, at);
  const named = sign === null ? null : onlyFigureAt(line, line.skip(sign.next, ARTICLES));
  if (sign === null || named === null) return null;
  const next = line.skip(named.next, new Set(['of']));
  return line.number(next) === null ? null : comparedWith(sentence, named.column, { ...sign, next, negated: denied });
}

/** `more than the average fee`: the figure that it is compared with says of what. */
export function againstFirst(sentence: Sentence, at: number, denied: boolean): Condition | null {
  const { line } = sentence;
  const sign = signAt(line, at);
  const figure =
    sign === null ? null : aggregatesAt(line, line.skip(figureStart(line, sign.next), new Set(['the', 'overall'])));
  if (sign === null || figure === null) return null;
  const named = onlyFigureAt(line, line.skip(figure.next, new Set(['of', 'the'])));
  return named === null ? null : comparedWith(sentence, named.column, { ...sign, negated: denied });
}

/** Behind `twice`, which is read with the figure. */
function figureStart(line: Line, at: number): number {
  return multipleAt(line, at)?.next ?? at;
}

/** `stadiums older than 1960`: before that year. */
function olderThan(sentence: Sentence, { positive }: Adjective, at: number): Condition | null {
  const column = theOnly(yearColumns(sentence));
  const piece = sentence.line.tokens[at];
  const isOfYear = piece?.kind === 'number' && /^(1[4-9]|20)\d\d$/.test(piece.text);
  if (column === null || !isOfYear || !/^(old|young|new)$/.test(positive)) return null;
  const operator = positive === 'old' ? '<' : '>';
  return { filters: [{ kind: 'compare', column: column.name, operator, value: Number(piece.text) }], next: at + 1 };
}

/** `older than 30`, `cheaper than the average`. */
export function adjective(sentence: Sentence, at: number, denied: boolean): Condition | null {
  const found = operatorAt(sentence.line, at);
  if (found?.adjective == null) return null;
  const old = olderThan(sentence, found.adjective, found.next);
  if (old !== null) return old;
  const hinted = hintedColumn(sentence.facts, found.adjective.hints);
  if (hinted === null || hinted === 'ambiguous' || hinted.column.role === 'time') return null;
  const operator = turned('>', hinted.direction);
  const compared = comparedWith(sentence, hinted.column, { ...found, operator, negated: denied });
  return compared === null ? null : { ...compared, next: afterUnit(sentence, compared.next) };
}
