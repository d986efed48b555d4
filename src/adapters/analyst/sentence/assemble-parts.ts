import type { ColumnFacts } from '../column-facts.js';
import type { AggregateDraft, DimensionDraft, MeasureDraft, OrderDraft } from '../../../analyst/reading/draft.js';
import type { HavingPart, OrderKey, Sentence } from './sentence.js';

/** From this share of the rows on, different values of a column name rows and not groups of them. */
const OWN_VALUES = 0.7;

/** The parts of an aggregate that are the same for all kinds. */
export function aggregate(
  sentence: Sentence,
  parts: Partial<AggregateDraft> & Pick<AggregateDraft, 'measures' | 'dimensions'>,
): AggregateDraft {
  const { filters, derived, computed } = sentence;
  return { kind: 'aggregate', derived, computed, filters, having: [], rank: limited(sentence), ...parts };
}

function limited({ limit }: Sentence): AggregateDraft['rank'] {
  return limit === null ? null : { direction: 'desc', limit };
}

/** The count of the rows. */
export const ROW_COUNT: MeasureDraft = { aggregate: 'count', column: null };

/** A sum where a sum means something, else the average; said as an assumption. */
export function usualMeasure(sentence: Sentence, { name, additive }: ColumnFacts): MeasureDraft {
  sentence.note(
    additive
      ? `I added up ${name}, because it is something to add up.`
      : `I took the average of ${name}, because it is not something to add up.`,
  );
  return { aggregate: additive ? 'sum' : 'avg', column: name };
}

/** Whether nearly every row has its own value of a column. */
export function hasOwnValues({ facts }: Sentence, column: ColumnFacts | undefined): boolean {
  if (column === undefined) return false;
  return column.identifies || column.profile.distinct >= facts.profile.rowCount * OWN_VALUES;
}

export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** The place of a figure among others, to which it is added if it is new. */
export function placeOf(measures: MeasureDraft[], wanted: MeasureDraft): number {
  const known = measures.findIndex((one) => isSame(one, wanted));
  return known >= 0 ? known : measures.push(wanted) - 1;
}

/** Conditions on figures by their places among the measures, to which those that are new are added. */
export function havingOf(parts: readonly HavingPart[], measures: MeasureDraft[]): AggregateDraft['having'] {
  return parts.map(({ measure, operator, value }) => ({ measure: placeOf(measures, measure), operator, value }));
}

/** Times come first, so that rows run along them. */
export function timeFirst(dimensions: readonly DimensionDraft[]): readonly DimensionDraft[] {
  return [...dimensions.filter(({ kind }) => kind !== 'column'), ...dimensions.filter(({ kind }) => kind === 'column')];
}

/** Groups with the times first, and orders by their places there. */
export function groupedBy(
  dimensions: readonly DimensionDraft[],
  orders: readonly OrderDraft[],
): Pick<AggregateDraft, 'dimensions' | 'order'> {
  const sorted = timeFirst(dimensions);
  const order = orders.map((one) => {
    const dimension = 'dimension' in one ? dimensions[one.dimension] : undefined;
    return dimension === undefined ? one : { dimension: sorted.indexOf(dimension), direction: one.direction };
  });
  return { dimensions: sorted, ...(order.length > 0 && sorted.length > 0 ? { order } : {}) };
}

/** Orders that were asked for, by the places of figures and groups; `null` when one is of neither. */
export function ordersOf(
  sentence: Sentence,
  measures: MeasureDraft[],
  dimensions: readonly DimensionDraft[],
): readonly OrderDraft[] | null {
  const orders: OrderDraft[] = [];
  for (const key of sentence.order) {
    const order = orderOf(key, measures, dimensions);
    if (order === null) return null;
    orders.push(order);
  }
  return orders;
}

function orderOf(
  { by, direction }: OrderKey,
  measures: MeasureDraft[],
  dimensions: readonly DimensionDraft[],
): OrderDraft | null {
  if (by.kind === 'measure') return { figure: placeOf(measures, by.measure), direction };
  if (by.kind === 'open') return measures.length > 0 ? { figure: 0, direction } : { dimension: 0, direction };
  const dimension = dimensions.findIndex(({ column }) => column === by.column);
  if (dimension >= 0) return { dimension, direction };
  const figure = measures.findIndex(({ column }) => column === by.column);
  return figure < 0 ? null : { figure, direction };
}
