import type { PlanOrder } from '../../../ports/analysis-plan.js';
import type { ColumnFacts } from '../column-facts.js';
import type { Draft, MeasureDraft, RowsDraft } from '../../../analyst/reading/draft.js';
import { aggregate, groupedBy, hasOwnValues, ordersOf, ROW_COUNT, usualMeasure } from './assemble-parts.js';
import { columnAt } from './column-mentions.js';
import type { OrderKey, Sentence } from './sentence.js';
import { columnDimension } from './targets.js';

const LIST_LIMIT = 100;

/** Single rows, columns of them, or the different values of a column. */
export function rowsDraft(sentence: Sentence): Draft | null {
  const { columns, items } = sentence;
  if (items.some(({ kind }) => kind === 'bucket')) return null;
  if (columns.length === 0) return wholeRows(sentence);
  if (sentence.opener === 'count' || (sentence.opener === 'whether' && !sentence.listed)) return null;
  return listedValues(sentence) ?? figuresAlone(sentence) ?? projection(sentence);
}

function wholeRows(sentence: Sentence): Draft | null {
  if (!sentence.rows) return areOnlyValues(sentence) ? chosenRows(sentence) : whoseRows(sentence);
  if (sentence.opener === 'when') return null;
  if (sentence.opener === 'whether') return aggregate(sentence, { measures: [ROW_COUNT], dimensions: [] });
  const order = selectsRows(sentence) ? orderOfRows(sentence) : null;
  return order === null ? null : { ...plainRows(sentence, [], order), limit: sentence.limit ?? LIST_LIMIT };
}

/** `toys or books from Quay`: nothing but values says which rows. */
function areOnlyValues({ opener, filters, groups, strangers }: Sentence): boolean {
  const isAsked = opener === null || opener === 'list';
  return (
    isAsked &&
    filters.length > 1 &&
    filters.every(({ kind }) => kind === 'in') &&
    groups.length + strangers.length === 0
  );
}

function chosenRows(sentence: Sentence): Draft | null {
  const order = orderOfRows(sentence);
  return order === null ? null : { ...plainRows(sentence, [], order), limit: sentence.limit ?? LIST_LIMIT };
}

/** `who earns more than 50000`: the rows by name, where each has one of its own. */
function whoseRows(sentence: Sentence): Draft | null {
  const { facts, opener, filters } = sentence;
  // Who owns the Pier Hotel is not told by its own name.
  const isAsked = opener === 'who' && filters.length > 0 && !isOfOneRow(sentence);
  const order = isAsked && facts.identity !== null ? orderOfRows(sentence) : null;
  return facts.identity === null || order === null ? null : plainRows(sentence, [facts.identity.name], order);
}

function selectsRows({ filters, order, opener }: Sentence): boolean {
  return filters.length > 0 || order.length > 0 || opener === 'list';
}

function plainRows(sentence: Sentence, columns: readonly string[], order: readonly PlanOrder[]): RowsDraft {
  const { derived, filters, limit } = sentence;
  return { kind: 'rows', derived, columns, filters, order, limit };
}

/** Columns by which rows are sorted; `null` when it is something that rows do not have. */
export function orderOfRows(sentence: Sentence): readonly PlanOrder[] | null {
  const orders: PlanOrder[] = [];
  for (const key of sentence.order) {
    const column = columnOfOrder(sentence, key);
    if (column === null) return null;
    orders.push({ by: column, direction: key.direction });
  }
  return orders;
}

function columnOfOrder(sentence: Sentence, { by }: OrderKey): string | null {
  if (by.kind === 'column') return by.column;
  return by.kind === 'open' ? openColumn(sentence) : null;
}

/** `in alphabetical order` is of the first text, `highest first` of the only figure. */
function openColumn(sentence: Sentence): string | null {
  const facts = sentence.columns.flatMap((name) => sentence.columnNamed(name) ?? []);
  const figures = facts.filter(({ role, identifies }) => role === 'figure' && !identifies);
  const texts = facts.filter(({ role }) => role === 'category');
  return (texts[0] ?? figures[0])?.name ?? sentence.facts.identity?.name ?? null;
}

/** `list all departments`, `which labels are there`: the different values, unless each row has its own. */
function listedValues(sentence: Sentence): Draft | null {
  const facts = sentence.columns.map((name) => sentence.columnNamed(name));
  const areGroups = facts.every((column) => hasValuesToList(sentence, column));
  if (!areGroups || mayBeTotals(sentence) || isOfRows(sentence)) return null;
  const [only, another] = facts;
  if (another === undefined && only !== undefined) return valuesOf(sentence, only);
  return sentence.distinct ? distinctRows(sentence) : null;
}

/** What stands in each row is asked for, and not the different values. */
function isOfRows(sentence: Sentence): boolean {
  const { rows, distinct, columns } = sentence;
  return rows && !distinct && !(columns.length === 1 && asksWhichGroups(sentence));
}

/** `which cities have museums that opened before 1900`: each city once. */
function asksWhichGroups({ line, columns, filters }: Sentence): boolean {
  const which = line.is(0, 'in') ? 1 : 0;
  if (line.is(which, 'which')) return filters.length > 0;
  return line.is(0, 'what') && columnAt(line, 1)?.columns[0]?.name === columns[0];
}

function hasValuesToList({ distinct }: Sentence, column: ColumnFacts | undefined): boolean {
  if (column === undefined || column.identifies || column.role === 'time') return false;
  return column.role !== 'figure' || distinct;
}

function valuesOf(sentence: Sentence, column: ColumnFacts): Draft | null {
  if (hasOwnValues(sentence, column) && !sentence.distinct) return null;
  const dimension = columnDimension(column);
  if (dimension === null) return distinctRows(sentence);
  const measures: MeasureDraft[] = [];
  const order = ordersOf(sentence, measures, [dimension]);
  return order === null ? distinctRows(sentence) : aggregate(sentence, { measures, ...groupedBy([dimension], order) });
}

/** `customers who spent more than 5000` may mean single rows or the sum of each. */
function mayBeTotals({ filters, facts, rows }: Sentence): boolean {
  const compared = filters.flatMap((filter) =>
    filter.kind === 'compare' || filter.kind === 'between' ? [filter.column] : [],
  );
  return !rows && facts.columns.some(({ name, additive }) => additive && compared.includes(name));
}

function distinctRows(sentence: Sentence): Draft | null {
  const order = orderOfRows(sentence);
  if (order === null || order.some(({ by }) => !sentence.columns.includes(by))) return null;
  return { ...plainRows(sentence, sentence.columns, order), distinct: true };
}

/** `the population of Asia` is one figure; of a single row it is what stands there. */
function figuresAlone(sentence: Sentence): Draft | null {
  const facts = sentence.columns.map((name) => sentence.columnNamed(name));
  if (sentence.rows || sentence.order.length > 0 || !facts.every((column) => column?.role === 'figure')) return null;
  if (isOfOneRow(sentence)) return null;
  const measures = facts.flatMap((column) =>
    column === undefined || column.identifies ? [] : [usualMeasure(sentence, column)],
  );
  return measures.length === facts.length ? aggregate(sentence, { measures, dimensions: [] }) : null;
}

/** A condition names the row by its own name. */
function isOfOneRow(sentence: Sentence): boolean {
  return sentence.filters.some(
    (filter) => filter.kind === 'in' && !filter.negated && hasOwnValues(sentence, sentence.columnNamed(filter.column)),
  );
}

/** Columns of single rows. */
function projection(sentence: Sentence): Draft | null {
  if (!isOfSingleRows(sentence) || isEnumeration(sentence)) return null;
  const order = orderOfRows(sentence);
  if (order === null) return null;
  const rows = plainRows(sentence, shownColumns(sentence), order);
  return sentence.distinct ? { ...rows, distinct: true } : rows;
}

function isOfSingleRows(sentence: Sentence): boolean {
  const { columns } = sentence;
  const [first = ''] = columns;
  if (mayBeTotals(sentence) && !isOwn(sentence, first)) return false;
  return (
    columns.length > 1 || sentence.rows || isMoment(sentence, first) || isOfOneRow(sentence) || isOwn(sentence, first)
  );
}

/** `dates without a reading at Mill Weir`. */
function isMoment(sentence: Sentence, name: string): boolean {
  return sentence.columnNamed(name)?.role === 'time' && sentence.filters.length > 0;
}

/** Columns that are only named, one after the other, ask nothing. */
function isEnumeration(sentence: Sentence): boolean {
  const { opener, rows, columns, filters, order } = sentence;
  // `title and rating of dramas`, `name and age sorted by age`: rows are asked for, by what they are called.
  const isNamed = columns.some((name) => isOwn(sentence, name)) || isOfOneRow(sentence);
  const isOfRows = filters.length + order.length > 0 && isNamed;
  return opener === null && !rows && columns.length > 1 && !isOfRows;
}

/** `the price of each`: with whose price it is. */
function shownColumns({ each, columns, filters, facts }: Sentence): readonly string[] {
  const owner = facts.identity?.name;
  const isOfEach = each && columns.length === 1 && filters.length === 0;
  return !isOfEach || owner === undefined || columns.includes(owner) ? columns : [owner, ...columns];
}

function isOwn(sentence: Sentence, name: string): boolean {
  return hasOwnValues(sentence, sentence.columnNamed(name));
}
