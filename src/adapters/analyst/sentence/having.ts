import type { Aggregate } from '../../../ports/analysis-plan.js';
import type { MeasureDraft } from '../../../analyst/reading/draft.js';
import { aggregatesAt } from './aggregates.js';
import { onlyColumnAt } from './column-mentions.js';
import { phraseSet } from './line.js';
import { modifierAt } from './modifiers.js';
import { multipleAt } from './multiples.js';
import { rowNounAt } from './nouns.js';
import { onlyFigureAt, theOnly } from './only.js';
import { postfixedHavingAt } from './postfixes.js';
import { comparedNumberAt, operatorAt, signAt, type ComparedNumber } from './operators.js';
import type { HavingPart, Sentence } from './sentence.js';
import { valuesAt } from './value-conditions.js';

const SMALL = new Set(['of', 'the', 'is', 'are', 'was', 'were', 'a', 'an', 'that', 'their']);
const COUNT_OF = phraseSet('number of|total number of|count of|a total of');

/** `accounts with no failed transactions`: groups without a row of that kind. */
export function noneAt(sentence: Sentence, at: number): Found | null {
  const { line } = sentence;
  if (!line.is(at - 1, 'no', 'without') || !isAboutGroups(sentence)) return null;
  const kind = valuesAt(sentence, line.skip(at, new Set(['any'])), NO_CONTEXT);
  const next = kind === null ? null : rowNounAt(sentence, kind.next);
  if (kind === null || next === null) return null;
  const measure: MeasureDraft = { aggregate: 'count', column: null, filters: [kind.filter] };
  return { part: { measure, operator: '=', value: 0 }, next };
}

const ONLY = new Set(['only', 'just']);
const NO_CONTEXT = { columns: [], named: false, preposition: '', negated: false };

interface Found {
  readonly part: HavingPart;
  readonly next: number;
}

/** A condition on groups: `more than 10 employees`, `average salary above 50000`, `total sales of at least 5`. */
export function havingAt(sentence: Sentence, start: number): Found | null {
  const at = pastRows(sentence, start);
  return postfixedAt(sentence, at) ?? countAt(sentence, at) ?? figureAt(sentence, at);
}

/** `songs in more than one language`, `by only one model`: the words before the limit. */
function pastRows(sentence: Sentence, start: number): number {
  const { line } = sentence;
  const noun = rowNounAt(sentence, start) ?? start;
  if (noun > start && line.is(noun, 'in', 'from', 'at', 'for') && operatorAt(line, noun + 1) !== null) return noun + 1;
  return line.is(start, 'by', 'for', 'to') ? start + 1 : start;
}

function postfixedAt(sentence: Sentence, at: number): Found | null {
  return isAboutGroups(sentence) ? postfixedHavingAt(sentence, at) : null;
}

/** A count of rows; only where groups are what is asked for. */
function countAt(sentence: Sentence, at: number): Found | null {
  const { line } = sentence;
  if (!isAboutGroups(sentence)) return null;
  const counted = line.phrase(at, COUNT_OF);
  if (counted !== null) return numberOf(sentence, counted);
  const limit = comparedNumberAt(line, line.skip(at, ONLY));
  if (limit?.number.unit !== null || limit.adjective !== null) return null;
  const place = line.skip(limit.next, new Set(['of', 'the', 'different']));
  const isColumn = !line.is(place, 'times') && isColumnAt(sentence, place);
  return isColumn ? columnCounted(sentence, limit, place) : rowsCounted(sentence, limit, place);
}

/** Whether a column is named, and not just a word for the rows. */
function isColumnAt(sentence: Sentence, at: number): boolean {
  const named = onlyColumnAt(sentence.line, at);
  return named !== null && named.strength >= 60 && named.next >= (rowNounAt(sentence, at) ?? 0);
}

function rowsCounted(sentence: Sentence, limit: ComparedNumber, at: number): Found | null {
  const times = sentence.line.is(at, 'times') ? at + 1 : null;
  const next = times ?? rowNounAt(sentence, at) ?? kindOfRowsAt(sentence, at);
  if (next === null) return null;
  sentence.rows = true;
  return { part: against({ aggregate: 'count', column: null }, limit), next };
}

/** `electric cars`: rows of one kind. */
function kindOfRowsAt(sentence: Sentence, at: number): number | null {
  const kind = modifierAt(sentence, at);
  return kind === null ? null : (rowNounAt(sentence, kind) ?? kind);
}

/** `more than 3 different models` counts values of another column; a figure is compared row by row. */
function columnCounted(sentence: Sentence, limit: ComparedNumber, at: number): Found | null {
  const named = onlyColumnAt(sentence.line, at);
  if (named === null || sentence.columns.includes(named.column.name)) return null;
  if (named.column.role !== 'category' && !named.column.identifies) return null;
  const measure: MeasureDraft = named.column.identifies
    ? { aggregate: 'count', column: null }
    : { aggregate: 'count_distinct', column: named.column.name };
  return { part: against(measure, limit), next: named.next };
}

function against(measure: MeasureDraft, { operator, number }: ComparedNumber): HavingPart {
  return { measure, operator: operator ?? '=', value: number.value };
}

function numberOf(sentence: Sentence, at: number): Found | null {
  const noun = rowNounAt(sentence, sentence.line.skip(at, new Set(['the', 'all'])));
  return noun === null ? null : withNumber(sentence, { aggregate: 'count', column: null }, noun);
}

function figureAt(sentence: Sentence, at: number): Found | null {
  const { line } = sentence;
  const found = aggregatesAt(line, at);
  if (found === null || !isAboutGroups(sentence)) return null;
  const aggregate = theOnly(found.aggregates);
  if (aggregate === null) return null;
  const place = line.skip(found.next, SMALL);
  const counted = aggregate === 'sum' ? line.phrase(place, COUNT_OF) : null;
  if (counted !== null) return numberOf(sentence, counted);
  return numberBetween(sentence, aggregate, place) ?? numberAfter(sentence, aggregate, place);
}

/** `average salary above 50000`. */
function numberAfter(sentence: Sentence, aggregate: Aggregate, at: number): Found | null {
  const named = onlyFigureAt(sentence.line, at);
  if (named === null) return null;
  refuseFigure(sentence, named.next);
  return withNumber(sentence, { aggregate, column: named.column.name }, named.next);
}

/** `average salary above the overall average`: not the average of the salaries that are above it. */
function refuseFigure({ line, problems }: Sentence, at: number): void {
  const compare = signAt(line, line.skip(at, SMALL));
  const place = compare === null ? null : (multipleAt(line, compare.next)?.next ?? compare.next);
  if (place === null || aggregatesAt(line, line.skip(place, OVERALL)) === null) return;
  problems.push('I can compare a figure of each group with a number, not with a figure over all of them.');
}

const OVERALL = new Set(['the', 'an', 'a', 'overall', 'total', 'whole', 'their']);

/** `an average of more than 8,000 downloads`. */
function numberBetween({ line }: Sentence, aggregate: Aggregate, at: number): Found | null {
  const limit = operatorAt(line, at) === null ? null : comparedNumberAt(line, at);
  const named = limit === null ? null : onlyFigureAt(line, line.skip(limit.next, SMALL));
  if (limit === null || named === null) return null;
  return { part: against({ aggregate, column: named.column.name }, limit), next: named.next };
}

function withNumber({ line }: Sentence, measure: MeasureDraft, at: number): Found | null {
  let place = at;
  while (operatorAt(line, place) === null && SMALL.has(line.key(place))) place += 1;
  const limit = comparedNumberAt(line, place);
  // A figure with a number beside it is compared with nothing.
  if (limit?.operator == null) return null;
  return { part: against(measure, limit), next: limit.next };
}

/** Groups are asked for where a column that names no single row was, or where figures are grouped. */
function isAboutGroups(sentence: Sentence): boolean {
  const [counted, another] = sentence.measures;
  const isOfSpans = sentence.items.length === 1 && sentence.items[0]?.kind === 'bucket';
  if (sentence.groups.length > 0 || isOfSpans || (counted?.aggregate === 'count_distinct' && another === undefined))
    return true;
  return sentence.columns.some((name) => {
    const column = sentence.columnNamed(name);
    return column !== undefined && (column.role === 'category' || column.profile.distinct <= MOST_GROUPS);
  });
}

const MOST_GROUPS = 80;
