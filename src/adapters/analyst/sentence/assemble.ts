import type { ColumnFacts } from '../column-facts.js';
import type { Draft, MeasureDraft } from '../../../analyst/reading/draft.js';
import { figuresDraft } from './assemble-figures.js';
import { aggregate, groupedBy, ordersOf, ROW_COUNT, usualMeasure } from './assemble-parts.js';
import { rankedDraft } from './assemble-rank.js';
import { rowsDraft } from './assemble-rows.js';
import { partDraft, periodsDraft } from './assemble-shares.js';
import { areApart } from './contradictions.js';
import { isNamesake } from './nouns.js';
import type { Sentence } from './sentence.js';
import { columnDimension } from './targets.js';

/** What the parts of a sentence come to; `null` when they make no question. */
export function draftOf(sentence: Sentence): Draft | null {
  if (sentence.or || areApart(sentence.filters) || wantsBoth(sentence)) return null;
  if (!averages(sentence) || !hasSteps(sentence)) return null;
  if (sentence.totalled) ranksByTotal(sentence);
  const special = specialDraft(sentence);
  return special === undefined ? plainDraft(sentence) : special;
}

/** No row is in both halls; who is in either is another question. */
function wantsBoth({ both, line, filters, groups, opener, measures }: Sentence): boolean {
  const isOfTwo = filters.some((one) => one.kind === 'in' && !one.negated && one.values.length > 1);
  const isSaid =
    both || line.tokens.some((_, at) => line.is(at, 'both') && line.is(at + 1, 'in', 'at', 'on', 'by', 'from', 'with'));
  return isSaid && isOfTwo && groups.length === 0 && measures.length === 0 && opener !== 'count';
}

/** The kinds of question of which some words are a sign of their own; `undefined` when it is none of them. */
function specialDraft(sentence: Sentence): Draft | null | undefined {
  if (sentence.periods !== null) return periodsDraft(sentence, sentence.periods);
  if (sentence.part !== null) return partDraft(sentence, sentence.part);
  return sentence.rank === null ? undefined : rankedDraft(sentence, sentence.rank);
}

function plainDraft(sentence: Sentence): Draft | null {
  if (sentence.measures.length > 0 || sentence.having.length > 0) return figuresDraft(sentence);
  return sentence.groups.length > 0 ? groupedDraft(sentence) : rowsDraft(sentence);
}

/** `on average how many loans does a member have` is the average of the counts of each. */
function averages(sentence: Sentence): boolean {
  if (!sentence.averaged || sentence.summary !== null || ranksByAverage(sentence)) return true;
  if (sentence.measures[0]?.aggregate === 'avg') return true;
  if (!countsOnly(sentence) || sentence.groups.length === 0) return false;
  sentence.summary = { aggregate: 'avg', measure: 0 };
  return true;
}

/** `which club has the youngest members on average`. */
function ranksByAverage(sentence: Sentence): boolean {
  const { rank, measures } = sentence;
  if (rank?.by.kind !== 'column' || rank.by.measure !== null || measures.length > 0) return false;
  const { column } = rank.by;
  sentence.rank = { ...rank, by: { kind: 'column', column, measure: { aggregate: 'avg', column } } };
  return true;
}

/** `which keeper has the most visitors in total`: of the rows of each together. */
function ranksByTotal(sentence: Sentence): void {
  const { rank, measures } = sentence;
  if (rank?.by.kind !== 'column' || rank.by.measure !== null || measures.length > 0) return;
  const { column } = rank.by;
  sentence.rank = { ...rank, by: { kind: 'column', column, measure: { aggregate: 'sum', column } } };
}

function countsOnly({ measures: [measure, another] }: Sentence): boolean {
  return measure?.aggregate === 'count' && another === undefined;
}

/** What runs along the time needs steps; without any that were named, such as suit the length of it. */
function hasSteps(sentence: Sentence): boolean {
  if (!runs(sentence) || isAlongTime(sentence)) return true;
  const { time } = sentence.facts;
  const dimension = time === null ? null : columnDimension(time);
  if (dimension === null) return false;
  sentence.addGroup(dimension);
  return true;
}

function runs({ computed }: Sentence): boolean {
  return computed.some(({ kind }) => /cumulative|change|growth|moving/.test(kind) && kind !== 'percent_change');
}

function isAlongTime({ groups, items }: Sentence): boolean {
  return groups.some(({ kind }) => kind !== 'column') || items.some(({ kind }) => kind === 'bucket');
}

/** Groups without a figure of their own: the usual figure of the columns that were named, or a count. */
function groupedDraft(sentence: Sentence): Draft | null {
  if (sentence.items.some(({ kind }) => kind === 'bucket')) return null;
  const measures = measuresOfGroups(sentence);
  const order = measures === null ? null : ordersOf(sentence, measures, sentence.groups);
  if (order === null || measures === null || measures.length === 0) return null;
  return aggregate(sentence, { measures, ...groupedBy(sentence.groups, order) });
}

/** `null` when a column has no figure. */
function measuresOfGroups(sentence: Sentence): MeasureDraft[] | null {
  const measures: MeasureDraft[] = [];
  for (const name of sentence.columns) {
    const measure = measureOfColumn(sentence, name);
    if (measure === null) return null;
    measures.push(measure);
  }
  return measures.length === 0 && countsRows(sentence) ? [ROW_COUNT] : measures;
}

/** What is derived has no column of the table behind it that could say whether it adds up. */
function measureOfColumn(sentence: Sentence, name: string): MeasureDraft | null {
  const column = sentence.columnNamed(name);
  if (column === undefined) return { aggregate: 'avg', column: name };
  if (isCountedByGroup(sentence, column)) return ROW_COUNT;
  return column.role === 'figure' ? usualMeasure(sentence, column) : null;
}

/** `patients by diagnosis`: nearly every row has a name of its own, and so they are counted. */
function isCountedByGroup({ columns, opener, facts }: Sentence, column: ColumnFacts): boolean {
  return columns.length === 1 && opener === null && isNamesake(column, facts.profile.rowCount);
}

/** `faults by operator`, `birds per month`: what is grouped is counted. */
function countsRows({ rows, filters, opener }: Sentence): boolean {
  return (rows || filters.length > 0) && opener !== 'list';
}
