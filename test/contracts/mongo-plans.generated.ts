import fc from 'fast-check';
import type { AggregatePlan, AnalysisPlan } from '../../src/ports/analysis-plan.js';
import { HOSTILE_COLUMNS, hostilePlan } from '../../src/rows/plan-compiler.hostile.fixture.js';
import type { ColumnType } from '../../src/ports/table.js';
import type { Value } from './mongo-plans.fixture.js';

const TEXTS = [
  'a',
  'A',
  'b',
  'Straße',
  'ÄPFEL',
  'äpfel',
  '',
  'a.b',
  '$x',
  'it\'s "so"',
  'İstanbul',
  'a b  c',
  '%',
  '_',
  'ß',
];
const NUMBERS = [0, 1, -1, 2.5, 2.5, -7.25, 1000, 0.1, 3, 7, 12.75];
const FIRST = Date.UTC(2023, 11, 28, 22, 30);
const STEP_MS = 37 * 3_600_000 + 123_000;

/** A number from 0 to 1 that is always the same for the same place. */
function drawn(row: number, column: number): number {
  const mixed = Math.sin(row * 127.1 + column * 311.7) * 43_758.5453;
  return mixed - Math.floor(mixed);
}

function valueOf(type: ColumnType, row: number, column: number): Value {
  const at = drawn(row, column);
  if (at < 0.12) return null;
  const place = drawn(row + 1000, column);
  const one = <T>(of: readonly T[]): T => of[Math.floor(place * of.length)] as T;
  switch (type) {
    case 'text':
      return one(TEXTS);
    case 'number':
      return at < 0.5 ? one(NUMBERS) : Math.round(place * 10_000) / 64;
    case 'integer':
      return BigInt(Math.floor(place * 12) - 4);
    case 'boolean':
      return place < 0.6;
    case 'time':
      return new Date(FIRST + Math.floor(place * 60) * STEP_MS);
  }
}

/** Rows with values of every kind: missing, equal, negative, zero, of several alphabets. */
export function rowsFor(
  columns: readonly (readonly [string, ColumnType])[],
  count: number,
): readonly (readonly Value[])[] {
  return Array.from({ length: count }, (_, row) => columns.map(([, type], column) => valueOf(type, row, column)));
}

/** Names that mean something to MongoDB or to JavaScript. */
export const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ['c1', '$where'],
  ['derived_0', 'a.b'],
  ['GROUPED', '__proto__'],
  ['data', 'constructor'],
  ['*', '$$ROOT'],
  ['result_0', '$literal'],
]);

export const OTHER_COLUMNS = HOSTILE_COLUMNS.map(([name, type]) => [OTHER_NAMES.get(name) ?? name, type] as const);

const SUMMARIES = ['count', 'sum', 'avg', 'min', 'max', 'median', 'stddev'] as const;
const OF_ANYTHING = ['count', 'count_distinct', 'missing', 'mode', 'min', 'max'] as const;

const change = fc.record({
  skip: fc.constantFrom(undefined, undefined, 0, 1, 3),
  summary: fc.constantFrom(...SUMMARIES),
  isCalm: fc.boolean(),
  simple: fc.boolean(),
  figure: fc.constantFrom(...OF_ANYTHING),
  column: fc.constantFrom(...HOSTILE_COLUMNS.map(([name]) => name), null),
  derived: fc.boolean(),
});
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

/** More of what hostile plans seldom have: figures of texts and times, groups by what is derived, rows that are passed over. */
export const variedPlan: fc.Arbitrary<AnalysisPlan> = fc.tuple(hostilePlan, change).map(([plan, one]) => {
  const derived = one.isCalm ? plan.derived?.slice(0, 1) : plan.derived;
  const filters = one.isCalm ? plan.filters.slice(0, 1) : plan.filters;
  if (plan.kind === 'statistic') return { ...plan, derived, filters };
  if (plan.kind === 'rows') return { ...plan, derived, filters, skip: one.skip };
  return aggregated({ ...plan, derived, filters, skip: one.skip }, one);
});

function aggregated(plan: AggregatePlan, one: Change): AggregatePlan {
  const summary = plan.summary && { ...plan.summary, aggregate: one.summary };
  return {
    ...plan,
    summary,
    measures: one.simple ? ofAnything(plan, one) : plan.measures,
    dimensions: byDerived(plan, one),
  };
}

function ofAnything({ measures }: AggregatePlan, { figure, column }: Change): AggregatePlan['measures'] {
  const [first, ...others] = measures;
  return column === null || !first ? measures : [{ ...first, aggregate: figure, column }, ...others];
}

function byDerived({ dimensions, derived = [] }: AggregatePlan, one: Change): AggregatePlan['dimensions'] {
  const [[dimension, ...rest], [column]] = [dimensions, derived];
  if (!one.derived || !dimension || !column) return dimensions;
  return [{ kind: 'column', column: column.name, label: dimension.label }, ...rest];
}

/** The same plan with other names of columns. */
export function renamed(plan: AnalysisPlan, names: ReadonlyMap<string, string>): AnalysisPlan {
  // An aggregate's order is by labels, which keep theirs.
  const parts = Object.entries(plan).map(([key, part]) => {
    const isLabels = plan.kind === 'aggregate' && (key === 'order' || key === 'each');
    return [key, isLabels ? part : renamedValue(part, names, key)] as const;
  });
  return Object.fromEntries(parts) as unknown as AnalysisPlan;
}

const NAMING = new Set(['column', 'columns', 'second', 'by', 'left', 'right', 'of', 'from', 'to', 'name', 'each']);

function renamedValue(value: unknown, names: ReadonlyMap<string, string>, key = ''): unknown {
  if (typeof value === 'string') return NAMING.has(key) ? (names.get(value) ?? value) : value;
  if (Array.isArray(value)) return value.map((one: unknown) => renamedValue(one, names, key));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, renamedValue(one, names, name)]));
}
