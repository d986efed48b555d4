import {
  type AggregatePlan,
  type AnalysisPlan,
  type Computed,
  type Dimension,
  TIME_BUCKETS,
  type TimeBucket,
} from '../ports/analysis-plan.js';
import { intervalNames } from '../plan/wording.js';
import type { ChartKind, ChartRequest } from '../ports/chart-renderer.js';
import type { Cell, QueryResult } from '../ports/table.js';

const FRACTIONS: readonly Computed['kind'][] = ['share', 'cumulative_share', 'growth'];

export interface Drawn {
  readonly request: ChartRequest;
  readonly result: QueryResult;
}

/** Points of lines that can be told apart on a page, and bars that can. */
const MOST_POINTS = 2000;
const MOST_BARS = 100;
const BARS: readonly ChartKind[] = ['bar', 'stacked_bar', 'grouped_bar'];
/** Of a result that is read again because a chart of its first rows would not show the rest. */
export const MOST_DRAWN = 20_000;

/** Runs a plan; without one, what was written. */
export type ReadForChart = (plan: AnalysisPlan | null) => Promise<QueryResult>;

/**
 * What can be seen of a query's result. What has more points than that over time is asked for again in coarser steps, which the chart says;
 * of anything else that was cut as much is read as can be drawn.
 */
export async function drawableOf(
  { plan, result }: { readonly plan: AnalysisPlan | null; readonly result: QueryResult },
  request: ChartRequest,
  read: ReadForChart,
): Promise<Drawn> {
  if (!hasTooMany({ request, result })) return drawnOf(plan, { request, result });
  const place = plan?.kind === 'aggregate' ? plan.dimensions.findIndex(({ label }) => label === request.x) : -1;
  for (const coarser of coarserPlans(plan, place, result)) {
    const drawn = { request: inSteps(request, coarser.step), result: await read(coarser.plan) };
    if (!hasTooMany(drawn)) return drawnOf(coarser.plan, drawn);
  }
  return drawnOf(plan, { request, result: result.truncated ? await read(plan) : result });
}

function hasTooMany({ request, result }: Drawn): boolean {
  if (result.truncated) return true;
  const at = result.columns.findIndex(({ name }) => name === request.x);
  if (result.columns[at]?.type !== 'time') return false;
  if (!BARS.includes(request.kind)) return result.rows.length > MOST_POINTS && request.kind !== 'scatter';
  return new Set(result.rows.map((row) => row[at])).size > MOST_BARS;
}

/** The same figures in longer and longer steps of time. Those that follow from others step by step would be other figures. */
function* coarserPlans(
  plan: AnalysisPlan | null,
  place: number,
  { columns }: QueryResult,
): Generator<{ readonly plan: AggregatePlan; readonly step: TimeBucket }> {
  if (plan?.kind !== 'aggregate' || (plan.computed ?? []).length > 0) return;
  const dimension = plan.dimensions[place];
  if (dimension === undefined || plan.limit !== null || plan.having.length > 0) return;
  const isTime = columns.some(({ name, type }) => name === dimension.label && type === 'time');
  const now = dimension.kind === 'bucket' ? TIME_BUCKETS.indexOf(dimension.bucket) : -1;
  for (const step of isTime ? TIME_BUCKETS.slice(now + 1) : []) {
    // The label stays: the plan's order goes by it.
    const { column, label } = dimension;
    const bucket: Dimension = { kind: 'bucket', column, bucket: step, label };
    yield { plan: { ...plan, dimensions: plan.dimensions.with(place, bucket) }, step };
  }
}

function inSteps(request: ChartRequest, step: TimeBucket): ChartRequest {
  return { ...request, xTitle: step, note: `by ${step}, because there are more values than can be seen` };
}

/** A planned result with what its plan says of its columns: which are weekdays, months and hours, and which are fractions. */
export function drawnOf(plan: AnalysisPlan | null, drawn: Drawn): Drawn {
  if (plan?.kind === 'aggregate')
    return {
      request: { ...drawn.request, ...meaningOf(plan, drawn) },
      result: withMeanings(plan, withEmptyIntervals(plan, drawn)),
    };
  const isMatrix = plan?.kind === 'statistic' && plan.method === 'correlation_matrix';
  return isMatrix ? wholeMatrix(plan.columns, drawn) : drawn;
}

/** Sums and counts of all groups are parts of one whole, and counts are known at every step of time. */
function meaningOf(
  { measures, dimensions, limit, having }: AggregatePlan,
  { request, result }: Drawn,
): Pick<ChartRequest, 'adds' | 'countsBy'> {
  const aggregate = measures.find(({ label }) => label === request.y)?.aggregate;
  const isWhole = limit === null && having.length === 0 && !result.truncated;
  if (!isWhole || (aggregate !== 'sum' && aggregate !== 'count')) return {};
  const time = dimensions.find(({ label }) => label === request.x);
  return { adds: true, ...(aggregate === 'count' && time?.kind === 'bucket' ? { countsBy: time.bucket } : {}) };
}

/** Counts of intervals, with 0 for those between that have no rows, so that each stands at its place. */
function withEmptyIntervals(
  { dimensions, derived = [], measures, order }: AggregatePlan,
  { request, result }: Drawn,
): QueryResult {
  const [dimension, another] = dimensions;
  const bins = derived.find(({ name }) => name === dimension?.column)?.expression;
  const isCount = measures.some(({ label, aggregate }) => label === request.y && aggregate === 'count');
  if (bins?.kind !== 'bins' || another !== undefined || order.length > 0 || !isCount) return result;
  const x = result.columns.findIndex(({ name }) => name === request.x);
  const y = result.columns.findIndex(({ name }) => name === request.y);
  const names = [...new Set(bins.labels ?? intervalNames(bins.edges, bins.closed))];
  const known = new Map(result.rows.map((row) => [row[x], row]));
  const places = names.flatMap((name, place) => (known.has(name) ? [place] : []));
  const shown = names.slice(places[0], (places.at(-1) ?? -1) + 1);
  if (shown.length <= places.length || shown.length > MOST_BARS) return result;
  const empty = (name: string): readonly Cell[] =>
    result.columns.map((_, place) => (place === x ? name : place === y ? 0 : null));
  const others = result.rows.filter((row) => !names.some((name) => name === row[x]));
  return { ...result, rows: [...shown.map((name) => known.get(name) ?? empty(name)), ...others] };
}

function withMeanings({ dimensions, computed = [] }: AggregatePlan, result: QueryResult): QueryResult {
  const parts = new Map(dimensions.flatMap((one) => (one.kind === 'part' ? [[one.label, one.part] as const] : [])));
  const fractions = new Set(computed.filter(({ kind }) => FRACTIONS.includes(kind)).map(({ label }) => label));
  const columns = result.columns.map((column) => ({
    ...column,
    part: parts.get(column.name),
    isFraction: fractions.has(column.name),
  }));
  return { ...result, columns };
}

const MATRIX = { x: 'column', series: 'other column' } as const;

/** Each pair in both places, in the order of the columns, and each column with itself; a heatmap of anything else stays as it is. */
function wholeMatrix(columns: readonly string[], { request, result }: Drawn): Drawn {
  const [first, second, figure] = ['first', 'second', 'correlation'].map((name) =>
    result.columns.findIndex((column) => column.name === name),
  );
  const isMatrix = request.kind === 'heatmap' && request.x === 'first' && request.series === 'second';
  if (!isMatrix || first === undefined || second === undefined || figure === undefined) return { request, result };
  const key = (one: Cell | undefined, other: Cell | undefined): string => JSON.stringify([one, other]);
  const known = new Map(
    result.rows.flatMap((row) => [
      [key(row[first], row[second]), row[figure] ?? null] as const,
      [key(row[second], row[first]), row[figure] ?? null] as const,
    ]),
  );
  const rows = columns.flatMap((one) =>
    columns.map((other) => [one, other, one === other ? 1 : (known.get(key(one, other)) ?? null)]),
  );
  const named = [
    { name: MATRIX.x, type: 'text' },
    { name: MATRIX.series, type: 'text' },
    { name: 'correlation', type: 'number' },
  ] as const;
  return { request: { ...request, ...MATRIX, y: 'correlation' }, result: { ...result, columns: named, rows } };
}
