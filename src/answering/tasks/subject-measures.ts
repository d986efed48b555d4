import type { Aggregate, TimeBucket } from '../../ports/analysis-plan.js';
import { isNumeric, type ColumnProfile, type TableProfile } from '../../ports/table.js';
import type { ColumnRole, TableSemantics } from '../../ports/table-semantics.js';
import { wordsOf } from './subject-choice.js';

const MAX_MEASURES = 4;
const MAX_GROUPS = 60;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const ADDITIVE =
  /^(amount|revenue|sale|turnover|income|profit|cost|spend|spending|quantity|qty|unit|count|request|error|failure|visit|visitor|hit|click|view|order|passenger|precipitation|rain|rainfall|snow|snowfall|energy|kwh|volume|byte|budget|death|case|birth|donation|payment)$/;
const NOT_ADDITIVE =
  /^(avg|average|mean|median|max|min|rate|ratio|pct|percent|percentage|price|score|rating|index|id|temp|temperature|age|year|per|salary)$/;
const MAIN = /^(revenue|sale|turnover|profit|total|amount)$/;
const NAMING = /^(id|code|zip|postcode|year|lat|latitude|lon|lng|longitude|phone|number|nr)$/;

/** A column of figures, and how it is summed up. */
export interface SubjectMeasure {
  readonly column: string;
  /** A sum of it means something. */
  readonly isAdditive: boolean;
  readonly profile: ColumnProfile;
}

/** The figures worth looking at, the main one first: what earns money, then as the datasource's owner listed them. At most 4. */
export function measuresOf(profile: TableProfile, semantics: TableSemantics | null = null): readonly SubjectMeasure[] {
  const numeric = profile.columns.filter(
    (column) => isNumeric(column.type) && column.min !== null && !names(column, profile),
  );
  const listed = profile.values.flatMap((name) => numeric.filter((column) => column.name === name));
  const columns = listed.length > 0 ? listed : numeric;
  const said = (semantics?.columns ?? []).filter(({ role }) => role !== '');
  const roles = new Map(said.map(({ name, role }) => [name, role]));
  const measures = columns.map((column) => ({
    column: column.name,
    isAdditive: (roles.get(column.name) ?? usualRole(column, profile)) === 'sum',
    profile: column,
  }));
  return measures.toSorted((a, b) => rank(a) - rank(b)).slice(0, MAX_MEASURES);
}

function rank({ column, isAdditive: adds }: SubjectMeasure): number {
  return adds && wordsOf(column).some((word) => MAIN.test(word)) ? 0 : 1;
}

/** What is done with a column's numbers unless its company says otherwise. */
export function usualRole(column: ColumnProfile, profile: TableProfile): ColumnRole {
  if (!isNumeric(column.type) || names(column, profile)) return '';
  return isAdditive(wordsOf(column.name)) ? 'sum' : 'average';
}

function isAdditive(words: readonly string[]): boolean {
  return words.some((word) => ADDITIVE.test(word)) && !words.some((word) => NOT_ADDITIVE.test(word));
}

/** Numbers that name something instead of measuring it. */
function names(
  { name, type, distinct, max }: ColumnProfile,
  { rowCount, metaField, timeField }: TableProfile,
): boolean {
  if (name === metaField || name === timeField) return true;
  const last = wordsOf(name).at(-1) ?? '';
  if (!NAMING.test(last)) return false;
  return type !== 'integer' || last !== 'number' || distinct > rowCount / 2 || max === null;
}

export function mainAggregate({ isAdditive: adds }: SubjectMeasure): Aggregate {
  return adds ? 'sum' : 'avg';
}

/** The columns that rows can be grouped by into a picture, the metadata field first. */
export function groupsOf({ columns, metaField, rowCount }: TableProfile): readonly ColumnProfile[] {
  const groups = columns.filter(
    ({ type, distinct, nulls }) =>
      (type === 'text' || type === 'boolean') && distinct > 1 && distinct <= MAX_GROUPS && nulls < rowCount,
  );
  return [...groups.filter(({ name }) => name === metaField), ...groups.filter(({ name }) => name !== metaField)];
}

/** How long the rows' time is, when they have times that differ. */
export function spanOf({ timeRange, columns, timeField }: TableProfile): number | null {
  const isTime = columns.some(({ name, type }) => name === timeField && type === 'time');
  if (timeRange === null || !isTime) return null;
  const span = Date.parse(timeRange.to) - Date.parse(timeRange.from);
  return span > 0 ? span : null;
}

/** Pieces of time of which a picture of this span has neither too few nor too many. */
export function bucketFor(span: number): TimeBucket {
  if (span <= 3 * DAY) return 'hour';
  if (span <= 62 * DAY) return 'day';
  if (span <= 200 * DAY) return 'week';
  if (span <= 6 * 366 * DAY) return 'month';
  return span <= 20 * 366 * DAY ? 'quarter' : 'year';
}

/** How far apart rows usually are, as the piece of time in which one is to be expected; null when they come too seldom to say. */
export function grainOf(profile: TableProfile): 'hour' | 'day' | null {
  const span = spanOf(profile);
  const distinct = profile.columns.find(({ name }) => name === profile.timeField)?.distinct ?? 0;
  if (span === null || distinct < 3) return null;
  const apart = span / (distinct - 1);
  if (apart <= 1.25 * HOUR) return 'hour';
  return apart <= 1.5 * DAY ? 'day' : null;
}
