import type { Aggregate } from '../../ports/analysis-plan.js';
import type { ColumnFacts, Direction } from './column-facts.js';
import type {
  AggregateDraft,
  DimensionDraft,
  MeasureDraft,
  OrderDraft,
  RankDraft,
  SummaryDraft,
} from '../../analyst/reading/draft.js';
import type { Change } from './follow-up-change.js';
import { groupedBy, isSame } from './sentence/assemble-parts.js';
import { columnDimension } from './sentence/targets.js';
import type { TableFacts } from './table-facts.js';

/** Figures as they were asked for before, changed; `null` where the change could mean more than one thing. */
export function changedFigures(before: AggregateDraft, change: Change, facts: TableFacts): AggregateDraft | null {
  if (testsFigure(before, change)) return null;
  const told = toldColumns(before, change, facts);
  const figures = told === null ? null : changedMeasures(before, { ...change, ...told }, facts);
  const grouped =
    figures === null || told === null ? null : changedGroups(figures, [...change.groups, ...told.groups], change);
  return grouped === null ? null : changedOrder(grouped, change);
}

/** `only those over 1000`, after totals of groups, may mean the rows or the totals. */
function testsFigure({ measures, dimensions }: AggregateDraft, { filters }: Change): boolean {
  const figures = measures.flatMap(({ column }) => (column === null ? [] : [column]));
  return (
    dimensions.length > 0 &&
    filters.some(
      (filter) => (filter.kind === 'compare' || filter.kind === 'between') && figures.includes(filter.column),
    )
  );
}

interface Told {
  /** Columns of figures. */
  readonly columns: readonly string[];
  readonly groups: readonly DimensionDraft[];
}

/** Columns that were named alone are figures or groups; `null` when one is neither. */
function toldColumns(before: AggregateDraft, { columns }: Change, facts: TableFacts): Told | null {
  const named = columns.map((name) => facts.columns.find((column) => column.name === name));
  const figures = named.filter((column) => column?.role === 'figure' && !column.identifies);
  const others = named.filter((column) => !figures.includes(column));
  const groups = others.flatMap((column) => (column === undefined ? [] : (columnDimension(column) ?? [])));
  if (groups.length < others.length || (groups.length > 0 && isLimited(before))) return null;
  return { columns: figures.flatMap((column) => column?.name ?? []), groups };
}

function changedMeasures(before: AggregateDraft, change: Change, facts: TableFacts): AggregateDraft | null {
  if (change.aggregates.length > 0) return otherAggregates(before, change);
  const bare = change.columns.flatMap((column) => asBefore(before, column, facts));
  const now = [...change.measures, ...bare];
  return now.length === 0 ? before : withMeasures(before, now, change.adds);
}

/** `and the median?`: of the same columns, or of the same groups. */
function otherAggregates(before: AggregateDraft, { aggregates, adds }: Change): AggregateDraft | null {
  if (before.summary !== undefined) return adds ? null : otherSummary(before, before.summary, aggregates);
  const [first] = before.measures;
  const areAlike = before.measures.every((one) => one.second === undefined && isSame(one.filters, first?.filters));
  const columns = areAlike ? columnsOf(before.measures) : [];
  if (first === undefined || columns.length === 0) return null;
  const filters = first.filters === undefined ? {} : { filters: first.filters };
  const now = aggregates.flatMap((aggregate) => columns.map((column) => ({ aggregate, column, ...filters })));
  return withMeasures(before, now, adds);
}

function columnsOf(measures: readonly MeasureDraft[]): readonly string[] {
  return [...new Set(measures.flatMap(({ column }) => (column === null ? [] : [column])))];
}

const OF_GROUPS: readonly SummaryDraft['aggregate'][] = ['count', 'sum', 'avg', 'min', 'max', 'median', 'stddev'];

function otherSummary(
  before: AggregateDraft,
  summary: SummaryDraft,
  [wanted, another]: readonly Aggregate[],
): AggregateDraft | null {
  const aggregate = OF_GROUPS.find((one) => one === wanted);
  if (aggregate === undefined || another !== undefined || summary.measure === null) return null;
  return { ...before, summary: { ...summary, aggregate } };
}

/** A column takes over what was done to the only one before, where that suits it. */
function asBefore({ measures }: AggregateDraft, name: string, facts: TableFacts): readonly MeasureDraft[] {
  const column = facts.columns.find((one) => one.name === name);
  if (column === undefined) return [];
  const [first, another] = measures;
  const takesOver = first !== undefined && another === undefined && isFit(first, column);
  const usual = column.additive ? 'sum' : 'avg';
  return [{ aggregate: takesOver ? first.aggregate : usual, column: name }];
}

function isFit({ aggregate, column }: MeasureDraft, { additive }: ColumnFacts): boolean {
  return column !== null && OF_ANY_FIGURE.has(aggregate) && (aggregate !== 'sum' || additive);
}

const OF_ANY_FIGURE = new Set<Aggregate>(['sum', 'avg', 'min', 'max', 'median', 'stddev', 'variance', 'range']);

/** Other figures, or more of them. What was worked out from the old ones must have its place among the new. */
function withMeasures(before: AggregateDraft, now: readonly MeasureDraft[], adds: boolean): AggregateDraft | null {
  // A condition on a figure needs that figure.
  if (adds || before.having.length > 0) return moreMeasures(before, now);
  if (before.measures.length === 1 && now.length === 1) return { ...before, measures: now, rank: barely(before.rank) };
  return worksOutMore(before) ? null : { ...before, measures: now, rank: barely(before.rank), order: [] };
}

function moreMeasures(before: AggregateDraft, now: readonly MeasureDraft[]): AggregateDraft | null {
  const added = now.filter((one) => !before.measures.some((known) => isSame(one, known)));
  return worksOutMore(before) ? null : { ...before, measures: [...before.measures, ...added] };
}

function worksOutMore({ computed = [], summary }: AggregateDraft): boolean {
  return computed.length > 0 || summary !== undefined;
}

/** By the first figure, whichever it was before. */
function barely(rank: RankDraft | null): RankDraft | null {
  return rank === null ? null : { direction: rank.direction, limit: rank.limit };
}

/** Groups that take the place of those before, or split them further. */
function changedGroups(
  before: AggregateDraft,
  now: readonly DimensionDraft[],
  { adds }: Change,
): AggregateDraft | null {
  if (now.length === 0) return before;
  if ((before.each ?? []).length > 0 || before.summary !== undefined) return null;
  const kept = keptGroups(before, now, adds);
  const all = [...kept, ...now.filter((one) => !kept.some((known) => isSame(one, known)))];
  const figures = (before.order ?? []).filter((one) => 'figure' in one);
  return { ...before, ...groupedBy(all, []), order: figures, rank: isLimited(before) ? before.rank : null };
}

/** What runs along the time needs its steps. */
function keptGroups(before: AggregateDraft, now: readonly DimensionDraft[], adds: boolean): readonly DimensionDraft[] {
  if (adds) return before.dimensions;
  const needsSteps = runsAlongTime(before) && now.every(({ kind }) => kind === 'column');
  return needsSteps ? before.dimensions.filter(({ kind }) => kind !== 'column') : [];
}

/** Only so many groups are shown; an order without a limit only suited the groups there were. */
function isLimited({ rank }: AggregateDraft): boolean {
  return (rank?.limit ?? null) !== null;
}

function runsAlongTime({ computed = [] }: AggregateDraft): boolean {
  return computed.some(({ kind }) => /^(?:cumulative|cumulative_share|change|growth|moving_average)$/.test(kind));
}

/** `top 3 instead`, `the lowest`, `sort it by name`. */
function changedOrder(before: AggregateDraft, change: Change): AggregateDraft | null {
  const ranked = changedRank(before, change);
  if (ranked === null || change.order.length === 0) return ranked;
  // The first of another order would be other groups.
  if (isLimited(ranked)) return null;
  const order = ordersIn(ranked, change);
  return order === null ? null : { ...ranked, rank: null, order };
}

function changedRank(before: AggregateDraft, { limit, direction }: Change): AggregateDraft | null {
  if (limit === null && direction === null) return before;
  if (before.dimensions.length === 0) return limit === null ? otherExtreme(before, direction) : null;
  const [wanted, way] = [limit ?? limitOf(before), turnedTo(before, { limit, direction })];
  return wanted === null ? null : { ...before, rank: { ...before.rank, direction: way, limit: wanted } };
}

function limitOf({ rank }: AggregateDraft): number | null {
  return rank === null ? null : rank.limit;
}

/** `top 3 instead` of the lowest ones are still the lowest. */
function turnedTo({ rank }: AggregateDraft, { limit, direction }: Pick<Change, 'limit' | 'direction'>): Direction {
  const known = rank === null ? 'desc' : rank.direction;
  return direction === 'asc' || limit === null ? (direction ?? known) : known;
}

/** Of a single figure the lowest is another figure of the same column. */
function otherExtreme(before: AggregateDraft, direction: Change['direction']): AggregateDraft | null {
  const aggregates: readonly Aggregate[] = [direction === 'asc' ? 'min' : 'max'];
  const nothing = { filters: [], derived: [], groups: [], measures: [], columns: [], order: [], limit: null };
  return otherAggregates(before, { ...nothing, direction: null, aggregates, adds: false });
}

function ordersIn({ measures, dimensions }: AggregateDraft, { order }: Change): readonly OrderDraft[] | null {
  const found: OrderDraft[] = [];
  for (const { by, direction } of order) {
    const figure = measures.findIndex((one) => isSaid(one, by));
    const dimension = by.kind === 'column' ? dimensions.findIndex(({ column }) => column === by.column) : -1;
    if (dimension >= 0) found.push({ dimension, direction });
    else if (figure >= 0) found.push({ figure, direction });
    else return null;
  }
  return found;
}

function isSaid(measure: MeasureDraft, by: Change['order'][number]['by']): boolean {
  if (by.kind === 'open') return true;
  return by.kind === 'column' ? measure.column === by.column : isSame(measure, by.measure);
}
