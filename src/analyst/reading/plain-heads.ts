import type { DerivedColumn, Filter } from '../../ports/analysis-plan.js';
import type { ComputedDraft, MeasureDraft, Sketch } from './draft.js';
import type { FigureList } from './figure-list.js';
import { type LimitPart, type OrderPart, rowOrders } from './orders.js';
import { type ShownList, shownLists } from './shown-columns.js';
import { aggregateDraft, type Heads, rowsDraft, withComputed } from './heads.js';
import type { Question } from './question.js';
import { feature } from './weights.js';

/** Rows as they are, in an order, or the first of them. */
export function rowHeads(question: Question, heads: Heads, limits: readonly LimitPart[]): void {
  const shown = shownLists(question);
  const orders = rowOrders(question);
  for (const list of shown) {
    heads.add('rows', {
      parts: [list],
      facts: { shown: list.columns },
      key: list.key,
      build: (filters, derived) => rowsDraft(list.columns, filters, derived),
    });
    for (const order of orders) {
      for (const limit of limits) addOrderedRows(heads, { list, order, limit });
    }
  }
}

function addOrderedRows(
  heads: Heads,
  { list, order, limit }: { readonly list: ShownList; readonly order: OrderPart; readonly limit: LimitPart },
): void {
  // Whoever asks for the highest wants to see how high it is.
  const columns =
    list.columns.length === 0 || list.columns.includes(order.column) ? list.columns : [...list.columns, order.column];
  heads.add(limit.limit === null ? 'rowsorder' : 'rowstop', {
    parts: [list, order, limit],
    facts: { shown: list.columns, order: 'column', limit: limit.limit },
    key: `${columns.join()}|${order.key}|${limit.limit}|${limit.skip ?? 0}`,
    build: (filters, derived) => {
      // A row without the value is neither the highest nor the lowest.
      const known: readonly Filter[] =
        limit.limit === null ? filters : [...filters, { kind: 'null', column: order.column, negated: true }];
      return rowsDraft(columns, known, derived, {
        order: [{ by: order.column, direction: order.direction }],
        limit: limit.limit,
        skip: limit.skip,
      });
    },
  });
}

/** Figures over all rows. */
export function figureHeads(question: Question, heads: Heads, figures: readonly FigureList[]): void {
  for (const list of figures) {
    heads.add('figure', {
      parts: [list],
      facts: { aggregates: list.aggregates },
      key: list.key,
      build: (filters, derived) =>
        aggregateDraft(list.measures, null, filters, [...list.derived, ...derived], withComputed(list)),
    });
  }
  for (const list of figures.slice(0, 8)) contrastHeads(question, heads, list);
}

/** One figure of two groups of rows set against each other. */
function contrastHeads(question: Question, heads: Heads, list: FigureList): void {
  const [measure] = list.measures;
  if (
    measure === undefined ||
    list.measures.length > 1 ||
    !(question.has('change') || question.has('growth') || question.has('over'))
  )
    return;
  for (const kind of ['difference', 'percent_change', 'ratio'] as const) {
    for (const turned of [false, true]) {
      heads.add('contrast', {
        parts: [
          question.shared(`contrast|${kind}|${turned}`, () => [
            feature(`contrast|${kind}`),
            feature(`contrast|turned|${turned}`),
            ...question.tag(`contrast:${kind}`),
          ]),
          list,
        ],
        facts: { aggregates: list.aggregates },
        key: `${list.key}|${kind}|${turned}`,
        build: (filters, derived) => contrastDraft(list, measure, { kind, turned, filters, derived }),
      });
    }
  }
}

interface Contrast {
  readonly kind: 'difference' | 'percent_change' | 'ratio';
  readonly turned: boolean;
  readonly filters: readonly Filter[];
  readonly derived: readonly DerivedColumn[];
}

function contrastDraft(
  list: FigureList,
  measure: MeasureDraft,
  { kind, turned, filters, derived }: Contrast,
): Sketch | null {
  const sides = sidesOf(filters);
  if (sides === null) return null;
  const [one, other] = turned ? [sides.other, sides.one] : [sides.one, sides.other];
  const measures = [one, other].map((side) => ({ ...measure, filters: [...(measure.filters ?? []), side] }));
  const computed: ComputedDraft = { kind, left: 0, right: 1 };
  return aggregateDraft(measures, null, sides.rest, [...list.derived, ...derived], { computed: [computed] });
}

interface Sides {
  readonly one: Filter;
  readonly other: Filter;
  readonly rest: readonly Filter[];
}

/** Two values of one column, or two periods of one time. */
function sidesOf(filters: readonly Filter[]): Sides | null {
  const times = filters.filter(({ kind }) => kind === 'time');
  const years = filters.filter((filter) => filter.kind === 'compare' && filter.operator === '=');
  return valueSides(filters) ?? periodSides(filters) ?? pairSides(filters, times) ?? pairSides(filters, years);
}

function valueSides(filters: readonly Filter[]): Sides | null {
  for (const filter of filters) {
    if (filter.kind !== 'in' || filter.values.length !== 2 || filter.negated) continue;
    const [one, other] = filter.values.map((value): Filter => ({ ...filter, values: [value] }));
    if (one !== undefined && other !== undefined)
      return { one, other, rest: filters.filter((another) => another !== filter) };
  }
  return null;
}

/** One period or another. */
function periodSides(filters: readonly Filter[]): Sides | null {
  const apart = filters.find(
    (filter) =>
      filter.kind === 'any' &&
      filter.of.length === 2 &&
      filter.of.every(([side, more]) => side?.kind === 'time' && more === undefined),
  );
  if (apart?.kind !== 'any') return null;
  const [one, other] = apart.of.map(([side]) => side);
  if (one === undefined || other === undefined) return null;
  return { one, other, rest: filters.filter((filter) => filter !== apart) };
}

function pairSides(filters: readonly Filter[], pair: readonly Filter[]): Sides | null {
  const [one, other] = pair;
  if (one === undefined || other === undefined || pair.length !== 2) return null;
  if (!('column' in one && 'column' in other && one.column === other.column)) return null;
  return { one, other, rest: filters.filter((filter) => !pair.includes(filter)) };
}
