import type { AnalysisPlan, DerivedColumn, Filter } from '../../ports/analysis-plan.js';
import type { ChartKind } from '../../ports/chart-renderer.js';
import type { TableFacts } from './table-facts.js';

/** Points that are drawn. */
export const SAMPLE = 1000;

/** The rows behind a figure, or their spread, as a picture shows them. */
export interface Sample {
  readonly plan: AnalysisPlan;
  readonly kind: Extract<ChartKind, 'scatter' | 'histogram' | 'bar'>;
  /** The column that is drawn from left to right, as the question knows it. */
  readonly of: string;
  readonly x: string;
  readonly y: string | null;
}

/** Two columns that are set against each other. */
export interface Points {
  readonly x: string;
  readonly y: string;
}

/** Of a large table its different points, taken evenly and always the same, not its first rows, which may all be of one day. */
export function pointsSample({ filters, derived = [] }: AnalysisPlan, { x, y }: Points, facts: TableFacts): Sample {
  const columns = y === x ? [x] : [x, y];
  const isLarge = facts.profile.rowCount > SAMPLE;
  const keys = isLarge ? scattered(columns, freeName('sample', derived, facts)) : [];
  const last = keys.at(-1);
  return {
    ...{ kind: 'scatter', of: x, x, y },
    plan: {
      kind: 'rows',
      columns: last === undefined ? columns : [...columns, last.name],
      filters: [...filters, ...columns.map(present)],
      ...(derived.length + keys.length > 0 ? { derived: [...derived, ...keys] } : {}),
      ...(last === undefined ? {} : { distinct: true }),
      order: last === undefined ? [] : [{ by: last.name, direction: 'asc' }],
      limit: SAMPLE,
    },
  };
}

/** The values of a small table as they are; of a large one how many there are in each of some intervals. */
export function spreadSample(
  { filters, derived = [] }: AnalysisPlan,
  column: string,
  facts: TableFacts,
): Sample | null {
  const shared = { filters: [...filters, present(column)], ...(derived.length > 0 ? { derived } : {}) };
  if (facts.profile.rowCount <= SAMPLE) {
    const plan: AnalysisPlan = { kind: 'rows', columns: [column], ...shared, order: [], limit: SAMPLE };
    return { kind: 'histogram', of: column, x: column, y: null, plan };
  }
  const edges = edgesOf(column, facts);
  if (edges === null) return null;
  const range = freeName('range', derived, facts);
  const of = { kind: 'column', column } as const;
  const bins: DerivedColumn = { name: range, expression: { kind: 'bins', of, edges, labels: null, closed: 'left' } };
  const plan: AnalysisPlan = {
    kind: 'aggregate',
    measures: [{ aggregate: 'count', column: null, label: 'rows' }],
    dimensions: [{ kind: 'column', column: range, label: 'interval' }],
    ...shared,
    derived: [...derived, bins],
    ...{ having: [], order: [], limit: null },
  };
  return { kind: 'bar', of: column, x: 'interval', y: 'rows', plan };
}

function present(column: string): Filter {
  return { kind: 'null', column, negated: true };
}

const INTERVALS = 16;
const MIN_EDGES = 2;

/** Round numbers from near the lowest to near the highest value; `null` where they are not known or hardly differ. */
function edgesOf(column: string, facts: TableFacts): readonly number[] | null {
  const known = facts.columns.find(({ name }) => name === column);
  if (known === undefined) return null;
  const { min, max, type } = known.profile;
  if (typeof min !== 'number' || typeof max !== 'number') return null;
  const width = roundStep((max - min) / INTERVALS);
  const edges = multiplesBetween(min, max, type === 'integer' ? Math.max(width, 1) : width);
  return edges.length < MIN_EDGES || !areDifferent(edges) ? null : edges;
}

/** Numbers that are very large have none between them. */
function areDifferent(edges: readonly number[]): boolean {
  return new Set(edges).size === edges.length;
}

function multiplesBetween(min: number, max: number, step: number): readonly number[] {
  if (!(step > 0) || !Number.isFinite(step)) return [];
  const first = Math.floor(min / step) + 1;
  const last = Math.ceil(max / step) - 1;
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, place) => tidy((first + place) * step));
}

function roundStep(width: number): number {
  const power = 10 ** Math.floor(Math.log10(width));
  const round = [1, 2, 5, 10].find((one) => one * power >= width) ?? 10;
  return round * power;
}

/** Without the dust of multiplying. */
function tidy(value: number): number {
  return Number(value.toPrecision(12));
}

function freeName(wanted: string, derived: readonly DerivedColumn[], { columns }: TableFacts): string {
  const taken = new Set([...columns, ...derived].map(({ name }) => name));
  let name = wanted;
  while (taken.has(name) || taken.has(`${name} key`)) name = `${name}_`;
  return name;
}

/** What is behind the point of a multiple that goes round nowhere: no order that the values have is left in it. */
const FACTORS = [9_973.618_033_988_75, 7_919.414_213_562_37] as const;

function scattered(columns: readonly string[], name: string): readonly DerivedColumn[] {
  const [first, second] = columns.map(
    (column, index) =>
      ({
        kind: 'arithmetic',
        operator: '*',
        left: { kind: 'column', column },
        right: { kind: 'number', value: FACTORS[index] ?? 1 },
      }) as const,
  );
  if (first === undefined) return [];
  const mixed =
    second === undefined ? first : ({ kind: 'arithmetic', operator: '+', left: first, right: second } as const);
  const key = { kind: 'column', column: `${name} key` } as const;
  const whole = { kind: 'function', function: 'floor', of: key } as const;
  return [
    { name: `${name} key`, expression: mixed },
    { name, expression: { kind: 'arithmetic', operator: '-', left: key, right: whole } },
  ];
}
