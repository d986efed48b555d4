import type { AnalysisPlan, Computed } from '../ports/analysis-plan.js';
import type { ChartRequest } from '../ports/chart-renderer.js';
import type { Cell, QueryResult } from '../ports/table.js';

const FRACTIONS: readonly Computed['kind'][] = ['share', 'cumulative_share', 'growth'];

/** What is drawn, and of which rows. */
export interface Drawn {
  readonly request: ChartRequest;
  readonly result: QueryResult;
}

/** A planned result with what its plan says of its columns: which are weekdays, months and hours, and which are fractions. */
export function drawnOf(plan: AnalysisPlan | null, drawn: Drawn): Drawn {
  if (plan?.kind === 'aggregate') return { ...drawn, result: withMeanings(plan, drawn.result) };
  const isMatrix = plan?.kind === 'statistic' && plan.method === 'correlation_matrix';
  return isMatrix ? wholeMatrix(plan.columns, drawn) : drawn;
}

type Aggregation = Extract<AnalysisPlan, { kind: 'aggregate' }>;

function withMeanings({ dimensions, computed = [] }: Aggregation, result: QueryResult): QueryResult {
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
