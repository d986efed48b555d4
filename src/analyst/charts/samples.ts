import type { AnalysisPlan, DerivedColumn, Expression, Filter, Measure } from '../../ports/analysis-plan.js';
import type { TableFacts } from '../reading/table.js';
import type { ChartWish } from './chart-wish.js';

/** Points that are drawn. */
const SAMPLE = 1000;
const INTERVALS = 16;

/** The rows behind a figure, or their spread, as a picture shows them. */
export interface Sample {
  readonly plan: AnalysisPlan;
  readonly kind: 'scatter' | 'histogram' | 'bar';
  /** The column that is drawn from left to right, as the question knows it. */
  readonly of: string;
  readonly x: string;
  readonly y: string | null;
}

/** Two columns that are set against each other. */
interface Points {
  readonly x: string;
  readonly y: string;
}

/** The rows to draw besides the figure: points for two columns that are set against each other, a spread for one. */
export function sampleFor(plan: AnalysisPlan, wish: ChartWish, facts: TableFacts): Sample | null {
  if (wish.kind !== null && wish.kind !== 'scatter' && wish.kind !== 'histogram') return null;
  const points = wish.kind === 'histogram' ? null : pointsOf(plan);
  if (points !== null) return pointsSample(plan, points, facts);
  const spread = wish.kind !== 'scatter' && isAboutSpread(plan, wish) ? spreadOf(plan, facts) : null;
  return spread === null ? null : spreadSample(plan, spread, facts);
}

function pointsOf(plan: AnalysisPlan): Points | null {
  if (plan.kind === 'rows') return null;
  if (plan.kind === 'aggregate') return plan.dimensions.length === 0 ? pointsOfMeasures(plan.measures) : null;
  const [first, second, third] = plan.columns;
  if (first === undefined || second === undefined || third !== undefined) return null;
  if (plan.method === 'regression') return { x: second, y: first };
  return plan.method === 'pearson' || plan.method === 'spearman' ? { x: first, y: second } : null;
}

/** All of them set the same two columns against each other; what depends on the other is drawn upwards. */
function pointsOfMeasures(measures: readonly Measure[]): Points | null {
  const [measure] = measures;
  const isOfOnePair = measures.every(({ column, second }) => column === measure?.column && second === measure.second);
  if (measure === undefined || !isOfOnePair) return null;
  const { aggregate, column, second } = measure;
  if (column === null || second === undefined) return null;
  const isFit = ['slope', 'intercept', 'r_squared'].includes(aggregate);
  return isFit ? { x: second, y: column } : { x: column, y: second };
}

function isAboutSpread(plan: AnalysisPlan, wish: ChartWish): boolean {
  if (wish.distribution || wish.kind === 'histogram') return true;
  return plan.kind === 'statistic' && ['describe', 'shapiro_wilk', 'normality', 'jarque_bera'].includes(plan.method);
}

/** The one column of numbers that a plan without groups is about. */
function spreadOf(plan: AnalysisPlan, { columns }: TableFacts): string | null {
  const [only, another] = [...new Set(subjectsOf(plan))];
  if (only === undefined || another !== undefined) return null;
  const derived = (plan.derived ?? []).find(({ name }) => name === only);
  if (derived !== undefined) return ['case', 'bins'].includes(derived.expression.kind) ? null : only;
  return columns.some(({ name, isNumber, identifies }) => name === only && isNumber && !identifies) ? only : null;
}

function subjectsOf(plan: AnalysisPlan): readonly string[] {
  if (plan.kind !== 'aggregate') return plan.kind === 'statistic' && plan.by !== null ? [] : plan.columns;
  if (plan.dimensions.length > 0 || plan.summary !== undefined) return [];
  return plan.measures.flatMap(({ column }) => column ?? []);
}

/** Of a large table its different points, taken evenly and always the same, not its first rows, which may all be of one day. */
function pointsSample({ filters, derived = [] }: AnalysisPlan, { x, y }: Points, facts: TableFacts): Sample {
  const columns = y === x ? [x] : [x, y];
  const isLarge = facts.profile.rowCount > SAMPLE;
  const key = freeName('sample', derived, facts);
  const all = isLarge ? [...derived, ...scattered(columns, key)] : derived;
  const plan: AnalysisPlan = {
    kind: 'rows',
    columns: isLarge ? [...columns, key] : columns,
    filters: [...filters, ...columns.map(present)],
    ...(all.length > 0 ? { derived: all } : {}),
    ...(isLarge ? { distinct: true } : {}),
    order: isLarge ? [{ by: key, direction: 'asc' }] : [],
    limit: SAMPLE,
  };
  return { kind: 'scatter', of: x, x, y, plan };
}

/** The values of a small table as they are; of a large one how many there are in each of some intervals. */
function spreadSample({ filters, derived = [] }: AnalysisPlan, column: string, facts: TableFacts): Sample | null {
  const shared = { filters: [...filters, present(column)], ...(derived.length > 0 ? { derived } : {}) };
  if (facts.profile.rowCount <= SAMPLE) {
    const plan: AnalysisPlan = { kind: 'rows', columns: [column], ...shared, order: [], limit: SAMPLE };
    return { kind: 'histogram', of: column, x: column, y: null, plan };
  }
  const edges = edgesOf(column, facts);
  if (edges.length < 2) return null;
  const range = freeName('range', derived, facts);
  const of = { kind: 'column', column } as const;
  const [first = 0, second] = edges;
  const isWhole = facts.columns.find(({ name }) => name === column)?.profile.type === 'integer';
  // Of whole numbers next to each other each is an interval of its own.
  const labels = isWhole && second === first + 1 ? [first - 1, ...edges].map(String) : null;
  const bins: DerivedColumn = { name: range, expression: { kind: 'bins', of, edges, labels, closed: 'left' } };
  const plan: AnalysisPlan = {
    kind: 'aggregate',
    measures: [{ aggregate: 'count', column: null, label: 'rows' }],
    dimensions: [{ kind: 'column', column: range, label: 'interval' }],
    filters: shared.filters,
    derived: [...derived, bins],
    ...{ having: [], order: [], limit: null },
  };
  return { kind: 'bar', of: column, x: 'interval', y: 'rows', plan };
}

function present(column: string): Filter {
  return { kind: 'null', column, negated: true };
}

/** Round numbers from near the lowest to near the highest value; none where they are not known or hardly differ. */
function edgesOf(column: string, { columns }: TableFacts): readonly number[] {
  const known = columns.find(({ name }) => name === column)?.profile;
  if (typeof known?.min !== 'number' || typeof known.max !== 'number') return [];
  const { min, max, type } = known;
  const width = (max - min) / INTERVALS;
  const power = 10 ** Math.floor(Math.log10(width));
  const round = ([1, 2, 5, 10].find((one) => one * power >= width) ?? 10) * power;
  const step = type === 'integer' ? Math.max(round, 1) : round;
  if (!(step > 0) || !Number.isFinite(step)) return [];
  const first = Math.floor(min / step) + 1;
  const last = type === 'integer' && step === 1 ? max + 1 : Math.ceil(max / step);
  const count = Math.max(0, last - first);
  const edges = Array.from({ length: count }, (_, place) => Number(((first + place) * step).toPrecision(12)));
  // Numbers that are very large have none between them.
  return new Set(edges).size === edges.length ? edges : [];
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
  const terms = columns.map((column, index): Expression => {
    const right = { kind: 'number', value: FACTORS[index] ?? 1 } as const;
    return { kind: 'arithmetic', operator: '*', left: { kind: 'column', column }, right };
  });
  const mixed = terms.reduce((left, right) => ({ kind: 'arithmetic', operator: '+', left, right }));
  const key = { kind: 'column', column: `${name} key` } as const;
  const whole = { kind: 'function', function: 'floor', of: key } as const;
  return [
    { name: `${name} key`, expression: mixed },
    { name, expression: { kind: 'arithmetic', operator: '-', left: key, right: whole } },
  ];
}
