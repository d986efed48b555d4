import { type PlanColumn, type PlanColumns, shown } from '../../plan/plan-columns.js';
import { type Aggregate, AGGREGATES } from '../../ports/analysis-plan.js';
import type { ColumnType } from '../../ports/table.js';
import { AppError } from '../../shared/app-error.js';
import { assertKnown } from './plan-checks.js';
import type { PlanWriter } from './query.js';

/** Above it the fourth power of a value, summed over all rows, is no number any more. */
const LARGEST_MOMENT = '1e70';

/** What an aggregate is of, as SQL. */
interface Operands {
  readonly x: string;
  /** The other column of a pair. */
  readonly y?: string | undefined;
  readonly parameter?: number | undefined;
  /** Only rows that fit it count. */
  readonly filter?: string | null;
  /** A number near the values; distances from it keep their digits when they are raised to a power. */
  readonly centre?: string | undefined;
}

type Formula = (x: string, calls: Calls) => string;

const FORMULAS: Readonly<Record<Exclude<Aggregate, 'rank_correlation' | 'mean_abs_deviation'>, Formula>> = {
  count: (x, calls) => calls.of(`count(${x})`),
  sum: (x, calls) => calls.of(`sum(${x})`),
  avg: (x, calls) => calls.of(`avg(${x})`),
  min: (x, calls) => calls.of(`min(${x})`),
  max: (x, calls) => calls.of(`max(${x})`),
  median: (x, calls) => calls.of(`median(${x})`),
  stddev: (x, calls) => calls.moment('stddev_samp', [x]),
  stddev_pop: (x, calls) => calls.moment('stddev_pop', [x]),
  variance: (x, calls) => calls.moment('var_samp', [x]),
  variance_pop: (x, calls) => calls.moment('var_pop', [x]),
  standard_error: (x, calls) => `${calls.moment('stddev_samp', [x])} / sqrt(${calls.of(`count(${x})`)})`,
  count_distinct: (x, calls) => calls.of(`count(DISTINCT ${x})`),
  missing: (x, calls) => `${calls.of('count(*)')} - ${calls.of(`count(${x})`)}`,
  percentile: (x, calls) => calls.of(`quantile_cont(${x}, ${calls.fraction()})`),
  range: (x, calls) => `${calls.of(`max(${calls.wide(x)})`)} - ${calls.of(`min(${calls.wide(x)})`)}`,
  iqr: (x, calls) => `${calls.of(`quantile_cont(${x}, 0.75)`)} - ${calls.of(`quantile_cont(${x}, 0.25)`)}`,
  mode: (x, calls) => calls.of(`mode(${x} ORDER BY ${x})`),
  product: (x, calls) => calls.of(`product(${x})`),
  skewness: (x, calls) => calls.varied(x, calls.moment('skewness', [calls.centred(x)])),
  skewness_pop: (x, calls) => {
    const n = calls.of(`count(${x})`);
    const corrected = calls.moment('skewness', [calls.centred(x)]);
    return calls.varied(x, `${corrected} * (${n} - 2) / sqrt(${n} * (${n} - 1))`);
  },
  kurtosis: (x, calls) => calls.varied(x, calls.moment('kurtosis', [calls.centred(x)])),
  kurtosis_pop: (x, calls) => calls.varied(x, calls.moment('kurtosis_pop', [calls.centred(x)])),
  correlation: (x, calls) => `nullif(${calls.moment('corr', [x, calls.other()])}, 'nan')`,
  covariance: (x, calls) => calls.moment('covar_samp', [x, calls.other()]),
  slope: (x, calls) => `nullif(${calls.moment('regr_slope', [x, calls.other()])}, 'nan')`,
  intercept: (x, calls) => `nullif(${calls.moment('regr_intercept', [x, calls.other()])}, 'nan')`,
  r_squared: (x, calls) => `nullif(${calls.moment('regr_r2', [x, calls.other()])}, 'nan')`,
};

export type FormulaAggregate = keyof typeof FORMULAS;

/** An aggregate as SQL. It gives null, and no error, where it is not defined. */
export function aggregateSql(aggregate: FormulaAggregate, operands: Operands, writer: PlanWriter): string {
  return FORMULAS[aggregate](operands.x, new Calls(operands, writer));
}

class Calls {
  constructor(
    private readonly operands: Operands,
    private readonly writer: PlanWriter,
  ) {}

  of(call: string): string {
    const { filter = null } = this.operands;
    return filter === null ? call : `${call} FILTER (WHERE ${filter})`;
  }

  /** A function that raises its arguments to a power, of which the engine says that they are out of range. */
  moment(name: string, args: readonly string[]): string {
    if (!this.writer.guarded) return this.of(`${name}(${args.join(', ')})`);
    const fits = args.map((arg) => `abs(${this.wide(arg)}) <= ${LARGEST_MOMENT}`).join(' AND ');
    const kept = args.map((arg) => `CASE WHEN ${fits} THEN ${this.wide(arg)} END`);
    return `CASE WHEN ${this.of(`bool_and(${fits})`)} THEN ${this.of(`${name}(${kept.join(', ')})`)} END`;
  }

  /** Null for a column of one value, of which a shape can't be told. */
  varied(x: string, expression: string): string {
    return `CASE WHEN ${this.of(`min(${x})`)} < ${this.of(`max(${x})`)} THEN ${expression} END`;
  }

  centred(x: string): string {
    const { centre } = this.operands;
    return centre === undefined ? x : `${x} - ${centre}`;
  }

  wide(x: string): string {
    return this.writer.guarded ? `(${x})::DOUBLE` : x;
  }

  other(): string {
    const { y } = this.operands;
    if (y === undefined) throw new AppError('invalid_input', 'a figure of two columns lacks the second');
    return y;
  }

  fraction(): string {
    const { parameter } = this.operands;
    if (typeof parameter !== 'number' || !(parameter >= 0 && parameter <= 1)) {
      throw new AppError('invalid_input', 'a percentile needs a parameter from 0 to 1');
    }
    return String(parameter);
  }
}

const COUNTS: readonly Aggregate[] = ['count', 'count_distinct', 'missing'];
const OF_ANY_TYPE: readonly Aggregate[] = [...COUNTS, 'mode', 'min', 'max'];
const KEEPS_TYPE: readonly Aggregate[] = ['min', 'max', 'mode', 'sum', 'range'];

/**
 * A column as an aggregate takes it: what is true or false counts as 1 or 0 where numbers are needed.
 *
 * @throws AppError `invalid_input` when a column of its type has no such figure.
 */
export function inputOf(
  aggregate: Aggregate,
  name: string,
  columns: PlanColumns,
  writer: PlanWriter,
): { readonly x: string; readonly column: PlanColumn; readonly type: ColumnType } {
  assertKnown(aggregate, AGGREGATES);
  const column = columns.named(name);
  if (column.type === 'boolean' && (aggregate === 'min' || aggregate === 'max')) {
    const problem = `${aggregate} needs a column with an order; "${shown(column.name)}" is of type boolean`;
    throw new AppError('invalid_input', problem);
  }
  const isOfAny = OF_ANY_TYPE.includes(aggregate);
  const own = { sql: writer.column(column), type: column.type };
  const { sql, type } = isOfAny ? own : numberOf(name, columns, writer, aggregate);
  if (COUNTS.includes(aggregate)) return { x: sql, column, type: 'integer' };
  return { x: sql, column, type: KEEPS_TYPE.includes(aggregate) ? type : 'number' };
}

/**
 * A column of numbers, or of what is true or false as 1 and 0.
 *
 * @throws AppError `invalid_input` when it is neither; `purpose` says in the message what it was for.
 */
export function numberOf(
  name: string,
  columns: PlanColumns,
  writer: PlanWriter,
  purpose: string,
): { readonly sql: string; readonly type: ColumnType } {
  const column = columns.named(name);
  if (column.type === 'boolean') return { sql: `${writer.column(column)}::INTEGER`, type: 'integer' };
  columns.typed(name, 'numeric', purpose);
  return { sql: writer.column(column), type: column.type };
}
