import { type Aggregate, AGGREGATES, PAIR_AGGREGATES } from '../ports/analysis-plan.js';
import { type ColumnType, isNumeric } from '../ports/table.js';
import { AppError } from '../shared/app-error.js';
import { type PlanColumn, type PlanColumns, shown } from './plan-columns.js';
import { assertKnown } from './plan-words.js';

export function isPair(aggregate: Aggregate): boolean {
  return PAIR_AGGREGATES.some((one) => one === aggregate);
}

/** A column as a figure takes it. */
interface PlanInput {
  readonly column: PlanColumn;
  /** Of the figure, or of the numbers. */
  readonly type: ColumnType;
  /** What is true or false counts as 1 or 0. */
  readonly asNumber: boolean;
}

const OF_ANY_TYPE: ReadonlySet<Aggregate> = new Set<Aggregate>(['count', 'count_distinct', 'missing', 'mode']);
const OF_ORDERED: ReadonlySet<Aggregate> = new Set<Aggregate>(['min', 'max']);
const KEEPS_TYPE: ReadonlySet<Aggregate> = new Set<Aggregate>(['min', 'max', 'mode', 'sum', 'range']);
const COUNTS: ReadonlySet<Aggregate> = new Set<Aggregate>(['count', 'count_distinct', 'missing']);

/** @throws AppError `invalid_input` when a column of its type has no such figure. */
export function aggregateInput(aggregate: Aggregate, name: string, columns: PlanColumns): PlanInput {
  assertKnown(aggregate, AGGREGATES);
  const column = columns.named(name);
  if (OF_ANY_TYPE.has(aggregate)) return { column, type: typeOf(aggregate, column.type), asNumber: false };
  if (OF_ORDERED.has(aggregate)) {
    if (column.type !== 'boolean') return { column, type: column.type, asNumber: false };
    const problem = `${aggregate} needs a column with an order; "${shown(column.name)}" is of type boolean`;
    throw new AppError('invalid_input', problem);
  }
  const { type, asNumber } = numberInput(name, columns, aggregate);
  return { column, type: typeOf(aggregate, type), asNumber };
}

/**
 * A column of numbers, or of what is true or false.
 *
 * @throws AppError `invalid_input` when it is neither; `purpose` says in the message what it was for.
 */
export function numberInput(name: string, columns: PlanColumns, purpose: string): PlanInput {
  const column = columns.named(name);
  if (column.type === 'boolean') return { column, type: 'integer', asNumber: true };
  if (!isNumeric(column.type)) columns.typed(name, 'numeric', purpose);
  return { column, type: column.type, asNumber: false };
}

function typeOf(aggregate: Aggregate, column: ColumnType): ColumnType {
  if (COUNTS.has(aggregate)) return 'integer';
  return KEEPS_TYPE.has(aggregate) ? column : 'number';
}
