import type {
  AggregatePlan,
  AnalysisPlan,
  DerivedColumn,
  Dimension,
  Expression,
  Filter,
  Measure,
  RowsPlan,
  TimeBucket,
} from '../../src/ports/analysis-plan.js';
import type { RawCell } from './cells.js';
import type { Rows } from './grade-rows.js';
import { computedOf, figureOf, inOrder, ofPairs, Unknown } from './plan-figures.js';

/**
 * Works plans out over rows in memory, fifty times as fast as a database for tables of some hundred rows. What it does not know (`null`) is
 * asked of the service's own compiler.
 */
export class PlanEvaluator {
  private readonly columns: ReadonlyMap<string, readonly RawCell[]>;
  private readonly known = new Kept();
  private readonly all: readonly number[];

  constructor(names: readonly string[], rows: readonly (readonly RawCell[])[]) {
    this.columns = new Map(names.map((name, index) => [name, rows.map((row) => row[index] ?? null)]));
    this.all = rows.map((_, index) => index);
  }

  run(plan: AnalysisPlan): Rows | null {
    try {
      if (plan.kind === 'statistic') return null;
      const scope = new Scope(this.columns, plan.derived ?? [], this.known);
      const kept = this.known.rows.of([plan.derived, plan.filters], () => matching(plan.filters, scope, this.all));
      return plan.kind === 'rows' ? rowsOf(plan, scope, kept, [...this.columns.keys()]) : groupsOf(plan, scope, kept);
    } catch (error) {
      if (error instanceof Unknown) return null;
      throw error;
    }
  }
}

/** The groups that a dimension makes: what each is called, and the group of each row. */
interface Keys {
  readonly cells: readonly RawCell[];
  readonly codes: Int32Array;
}

/** So many results of a kind are kept. */
const MOST_KEPT = 200;

/** Results by what they were made of. */
class Results<T> {
  private readonly known = new Map<string, T>();

  of(made: unknown, work: () => T): T {
    const name = JSON.stringify(made);
    const known = this.known.get(name) ?? work();
    if (this.known.size >= MOST_KEPT) this.known.clear();
    this.known.set(name, known);
    return known;
  }
}

/** What was worked out of the columns of a table: the readings of a question have most of it in common. */
class Kept {
  readonly keys = new Results<Keys>();
  /** Which rows fit a filter. */
  readonly filters = new Results<Uint8Array>();
  readonly rows = new Results<readonly number[]>();
  readonly groups = new Results<readonly Group[]>();
  /** A figure of each group. */
  readonly figures = new Results<readonly RawCell[]>();
}

class Scope {
  private readonly derived = new Map<string, readonly RawCell[]>();

  constructor(
    private readonly columns: ReadonlyMap<string, readonly RawCell[]>,
    expressions: readonly DerivedColumn[],
    readonly known: Kept,
  ) {
    for (const { name, expression } of expressions) {
      if (this.derived.has(name)) throw new Unknown(name);
      this.derived.set(name, this.values(expression));
    }
  }

  keysOf(dimension: Dimension): Keys {
    if (this.derived.has(dimension.column)) return keysOf(dimension, this.of(dimension.column));
    return this.known.keys.of({ ...dimension, label: '' }, () => keysOf(dimension, this.of(dimension.column)));
  }

  fits(filter: Filter): Uint8Array {
    const work = (): Uint8Array => {
      const holds = test(filter, this);
      return Uint8Array.from({ length: this.size }, (_, row) => (holds(row) ? 1 : 0));
    };
    return this.derived.size > 0 ? work() : this.known.filters.of(filter, work);
  }

  private get size(): number {
    return this.columns.values().next().value?.length ?? 0;
  }

  of(name: string): readonly RawCell[] {
    const found = this.derived.get(name) ?? this.columns.get(name);
    if (found === undefined) throw new Unknown(name);
    return found;
  }

  private values(expression: Expression): readonly RawCell[] {
    switch (expression.kind) {
      case 'column':
        return this.of(expression.column);
      case 'part':
        return this.of(expression.column).map((cell) => (cell === null ? null : partOf(String(cell), expression.part)));
      case 'duration': {
        const unit = { seconds: 1000, minutes: 60_000, hours: 3_600_000, days: 86_400_000 }[expression.unit];
        const to = this.of(expression.to);
        return this.of(expression.from).map((cell, index) =>
          cell === null || to[index] == null ? null : (Date.parse(String(to[index])) - Date.parse(String(cell))) / unit,
        );
      }
      case 'arithmetic': {
        const [left, right] = [this.values(expression.left), this.values(expression.right)];
        return left.map((a, index) =>
          typeof a === 'number' && typeof right[index] === 'number'
            ? calculated(a, right[index], expression.operator)
            : null,
        );
      }
      case 'number':
        return new Array<number>(this.size).fill(expression.value);
      case 'bins':
      case 'case':
      case 'equal_bins':
      case 'filled':
      case 'function':
      case 'length':
      case 'scaled':
        throw new Unknown(expression.kind);
    }
  }
}

function calculated(a: number, b: number, operator: string): number | null {
  if (operator === '+') return a + b;
  if (operator === '-') return a - b;
  if (operator === '*') return a * b;
  return b === 0 ? null : a / b;
}

function partOf(moment: string, part: string): number {
  const date = new Date(moment);
  if (part === 'weekday') return ((date.getUTCDay() + 6) % 7) + 1;
  if (part === 'hour') return date.getUTCHours();
  if (part === 'month') return date.getUTCMonth() + 1;
  if (part === 'year') return date.getUTCFullYear();
  throw new Unknown(part);
}

const lower = (cell: RawCell): string => String(cell).toLowerCase();

function filtered(filters: readonly Filter[], scope: Scope, rows: readonly number[]): readonly number[] {
  return filters.reduce((left, filter) => {
    const fits = scope.fits(filter);
    return left.filter((row) => fits[row] === 1);
  }, rows);
}

/** The rows that fit all conditions. Some compare with a figure of the rows that fit the others. */
function matching(filters: readonly Filter[], scope: Scope, all: readonly number[]): readonly number[] {
  const rest = filtered(
    filters.filter(({ kind }) => kind !== 'against'),
    scope,
    all,
  );
  const limits = filters.flatMap((filter) =>
    filter.kind === 'against' ? [limitOf(filter, scope, { all, rest })] : [],
  );
  return limits.reduce((left, holds) => left.filter(holds), rest);
}

function limitOf(
  {
    column,
    of = column,
    aggregate,
    parameter,
    factor = 1,
    among,
    operator,
    reach,
  }: Extract<Filter, { readonly kind: 'against' }>,
  scope: Scope,
  rows: { readonly all: readonly number[]; readonly rest: readonly number[] },
): (row: number) => boolean {
  const named =
    among === undefined ? [] : [{ kind: 'in' as const, negated: false, column: among.column, values: [among.value] }];
  const cells = scope.of(of);
  const counted = filtered(named, scope, reach === 'all' ? rows.all : rows.rest).map((row) => cells[row] ?? null);
  const figure = figureOf(aggregate, counted, parameter);
  const limit = typeof figure === 'number' ? figure * factor : figure;
  const values = scope.of(column);
  return (row) =>
    values[row] != null && limit !== null && compares(comparable(values[row]), operator, comparable(limit));
}

function test(filter: Filter, scope: Scope): (row: number) => boolean {
  switch (filter.kind) {
    case 'in': {
      const values = scope.of(filter.column);
      const wanted = new Set(filter.values.map(lower));
      return (row) => values[row] != null && wanted.has(lower(values[row])) !== filter.negated;
    }
    case 'compare': {
      const values = scope.of(filter.column);
      return (row) => typeof values[row] === 'number' && compares(values[row], filter.operator, filter.value);
    }
    case 'between': {
      const values = scope.of(filter.column);
      return (row) => typeof values[row] === 'number' && values[row] >= filter.low && values[row] <= filter.high;
    }
    case 'time': {
      const values = scope.of(filter.column).map((cell) => (cell === null ? Number.NaN : Date.parse(String(cell))));
      const [from, to] = [
        filter.from === null ? -Infinity : Date.parse(filter.from),
        filter.to === null ? Infinity : Date.parse(filter.to),
      ];
      return (row) => (values[row] ?? Number.NaN) >= from && (values[row] ?? Number.NaN) < to;
    }
    case 'contains': {
      const values = scope.of(filter.column);
      const text = filter.text.toLowerCase();
      const holds = { anywhere: 'includes', start: 'startsWith', end: 'endsWith' } as const;
      return (row) =>
        values[row] != null && lower(values[row])[holds[filter.at ?? 'anywhere']](text) !== filter.negated;
    }
    case 'null': {
      const values = scope.of(filter.column);
      return (row) => (values[row] == null) !== filter.negated;
    }
    case 'columns': {
      const [a, b] = [scope.of(filter.left), scope.of(filter.right)];
      return (row) =>
        a[row] != null && b[row] != null && compares(comparable(a[row]), filter.operator, comparable(b[row]));
    }
    case 'any': {
      const tests = filter.of.map((all) => all.map((one) => test(one, scope)));
      return (row) => tests.some((all) => all.every((one) => one(row)));
    }
    case 'against':
    case 'outlier':
      throw new Unknown(filter.kind);
  }
}

function comparable(cell: RawCell): number | string {
  return typeof cell === 'number' ? cell : String(cell);
}

function compares(a: number | string, operator: string, b: number | string): boolean {
  switch (operator) {
    case '<':
      return a < b;
    case '<=':
      return a <= b;
    case '>':
      return a > b;
    case '>=':
      return a >= b;
    case '=':
      return a === b;
    default:
      return a !== b;
  }
}

function rowsOf(plan: RowsPlan, scope: Scope, kept: readonly number[], names: readonly string[]): Rows {
  if (plan.distinct === true) throw new Unknown('distinct');
  const columns = plan.columns.length === 0 ? names : plan.columns;
  const { derived, filters, order, each = [] } = plan;
  const within = each.map((name) => scope.of(name));
  const sorted = scope.known.rows.of([derived, filters, order, each], () =>
    inOrder(kept, [
      ...within.map((cells) => ({ cells, direction: 'asc' as const })),
      ...order.map(({ by, direction }) => ({ cells: scope.of(by), direction })),
    ]),
  );
  const values = columns.map((name) => scope.of(name));
  const rows = cut(plan, sorted, within).map((row) => values.map((column) => column[row] ?? null));
  return { columns: columns.length, rows };
}

/** An answer has no more rows. */
const MAX_ROWS = 1000;

/** The first places, or the first of each combination of the cells `within`. */
function cut(
  { skip = 0, limit }: AggregatePlan | RowsPlan,
  places: readonly number[],
  within: readonly (readonly RawCell[])[],
): readonly number[] {
  if (within.length === 0 || limit === null) return places.slice(skip, skip + Math.min(limit ?? MAX_ROWS, MAX_ROWS));
  const counts = new Map<string, number>();
  const kept = places.filter((place) => {
    const key = JSON.stringify(within.map((cells) => cells[place] ?? null));
    const count = counts.get(key) ?? 0;
    counts.set(key, count + 1);
    return count >= skip && count < skip + limit;
  });
  return kept.slice(0, MAX_ROWS);
}

interface Group {
  readonly cells: readonly RawCell[];
  readonly rows: readonly number[];
}

function groupsOf(plan: AggregatePlan, scope: Scope, kept: readonly number[]): Rows {
  const keys = plan.dimensions.map((dimension) => scope.keysOf(dimension));
  const { derived, filters, dimensions, measures: asked } = plan;
  const made = [derived, filters, dimensions];
  const groups = scope.known.groups.of(made, () => grouped(keys, kept));
  const measures = asked.map((measure) =>
    scope.known.figures.of([made, { ...measure, label: '' }], () =>
      groups.map(({ rows }) => measured(measure, scope, rows)),
    ),
  );
  const labels = keys.map((_, column) => groups.map(({ cells }) => cells[column] ?? null));
  const figures = [...measures, ...(plan.computed ?? []).map((one) => computedOf(one, measures, labels, dimensions))];
  const columns = [...labels, ...figures];
  const fitting = groups.flatMap((_, place) => (hasFigures(plan, figures, place) ? [place] : []));
  const within = (plan.each ?? []).map((label) => labels[dimensions.findIndex((one) => one.label === label)] ?? []);
  const places = cut(plan, sortedGroups(plan, columns, fitting, within), within);
  if (plan.summary !== undefined) return summaryOf(plan.summary, figures, places);
  return {
    columns: columns.length,
    rows: places.map((place) => columns.map((column) => column[place] ?? null)),
  };
}

/** The rows by their keys. Without keys all rows are one group, even where there are none. */
function grouped(keys: readonly Keys[], kept: readonly number[]): readonly Group[] {
  if (keys.length === 0) return [{ cells: [], rows: kept }];
  const groups = new Map<number, { cells: readonly RawCell[]; rows: number[] }>();
  for (const row of kept) {
    const code = keys.reduce((all, { cells, codes }) => all * cells.length + codes[row]!, 0);
    const known = groups.get(code);
    if (known === undefined)
      groups.set(code, { cells: keys.map(({ cells, codes }) => cells[codes[row]!]!), rows: [row] });
    else known.rows.push(row);
  }
  return [...groups.values()];
}

/** Whether a group fits all conditions on figures. */
function hasFigures({ having }: AggregatePlan, figures: readonly (readonly RawCell[])[], place: number): boolean {
  return having.every(({ measure, operator, value }) => {
    const figure = figures[measure]?.[place];
    return typeof figure === 'number' && compares(figure, operator, value);
  });
}

/** In the order of the plan, and by the keys where that leaves it open. */
function sortedGroups(
  plan: AggregatePlan,
  columns: readonly (readonly RawCell[])[],
  places: readonly number[],
  within: readonly (readonly RawCell[])[],
): readonly number[] {
  const labels = [...plan.dimensions, ...plan.measures, ...(plan.computed ?? [])].map(({ label }) => label);
  const order = [
    ...within.map((cells) => ({ cells, direction: 'asc' as const })),
    ...plan.order.map(({ by, direction }) => ({ cells: columns[labels.indexOf(by)] ?? [], direction })),
    ...plan.dimensions.map((_, column) => ({ cells: columns[column] ?? [], direction: 'asc' as const })),
  ];
  return inOrder(places, order);
}

function summaryOf(
  { aggregate, measure }: NonNullable<AggregatePlan['summary']>,
  figures: readonly (readonly RawCell[])[],
  places: readonly number[],
): Rows {
  if (measure === null) return { columns: 1, rows: [[places.length]] };
  const values = places.map((place) => figures[measure]?.[place] ?? null);
  return { columns: 1, rows: [[figureOf(aggregate, values, undefined)]] };
}

function keysOf(dimension: Dimension, values: readonly RawCell[]): Keys {
  const keyOf = (cell: RawCell): RawCell => {
    if (cell === null || dimension.kind === 'column') return cell;
    return dimension.kind === 'part' ? partOf(String(cell), dimension.part) : bucketOf(String(cell), dimension.bucket);
  };
  const found = new Map<RawCell, number>();
  const codes = Int32Array.from(values, (cell) => {
    const key = keyOf(cell);
    const code = found.get(key) ?? found.size;
    found.set(key, code);
    return code;
  });
  return { cells: [...found.keys()], codes };
}

function bucketOf(moment: string, bucket: TimeBucket): string {
  if (bucket === 'minute') throw new Unknown(bucket);
  const date = new Date(moment);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  const start = {
    hour: Date.UTC(year, month, day, date.getUTCHours()),
    day: Date.UTC(year, month, day),
    week: Date.UTC(year, month, day - ((date.getUTCDay() + 6) % 7)),
    month: Date.UTC(year, month, 1),
    quarter: Date.UTC(year, Math.floor(month / 3) * 3, 1),
    year: Date.UTC(year, 0, 1),
  }[bucket];
  return new Date(start).toISOString();
}

function measured(
  { aggregate, column, second, parameter, filters = [] }: Measure,
  scope: Scope,
  rows: readonly number[],
): RawCell {
  const kept = filtered(filters, scope, rows);
  if (column === null) return kept.length;
  const values = scope.of(column);
  if (second !== undefined) return ofPairs(aggregate, kept, values, scope.of(second));
  return figureOf(
    aggregate,
    kept.map((row) => values[row] ?? null),
    parameter,
  );
}
