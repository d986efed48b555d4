import type { Comparison, Filter } from '../ports/analysis-plan.js';
import { type ColumnType, isNumeric } from '../ports/table.js';
import { AppError } from '../shared/app-error.js';
import { type PlanColumn, type PlanColumns, shown } from './plan-columns.js';
import { comparisonFrom } from './plan-words.js';

type FilterOf<Kind extends Filter['kind']> = Extract<Filter, { kind: Kind }>;

/** @throws AppError `invalid_input` when there is nothing to choose from, or a choice within a choice. */
export function assertAlternatives(filter: FilterOf<'any'>): void {
  if (filter.of.length === 0 || filter.of.some((all) => all.length === 0)) {
    throw new AppError('invalid_input', 'a list of alternative conditions is empty');
  }
  if (filter.of.some((all) => all.some(({ kind }: Filter) => kind === 'any'))) {
    throw new AppError('invalid_input', 'alternative conditions can not have alternatives of their own');
  }
}

/** @throws AppError `invalid_input` when there are none. */
export function assertValues(filter: FilterOf<'in'>): void {
  if (filter.values.length === 0) {
    throw new AppError('invalid_input', `the condition on "${shown(filter.column)}" has no values`);
  }
}

/** @throws AppError `invalid_input` when a column of numbers can't hold it. */
export function numberFrom(column: PlanColumn, value: string | number | boolean): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number === 'number' && !Number.isNaN(number)) return number;
  throw new AppError('invalid_input', `"${shown(column.name)}" is a column of numbers and can't be "${cut(value)}"`);
}

/** @throws AppError `invalid_input` when it is neither true nor false. */
export function booleanFrom(column: PlanColumn, value: string | number | boolean): boolean {
  const text = String(value).toLowerCase();
  if (text === 'true' || text === 'false') return text === 'true';
  throw new AppError('invalid_input', `"${shown(column.name)}" is true or false and can't be "${cut(value)}"`);
}

function cut(value: string | number | boolean): string {
  return shown(String(value));
}

/** Two columns that can be compared with each other. */
export interface ComparedColumns {
  readonly left: PlanColumn;
  readonly right: PlanColumn;
  readonly operator: Comparison;
  /** `number` for whole numbers, too. */
  readonly kind: ColumnType;
}

/** @throws AppError `invalid_input` when their types do not fit. */
export function comparedColumns(filter: FilterOf<'columns'>, columns: PlanColumns): ComparedColumns {
  const [left, right] = [columns.named(filter.left), columns.named(filter.right)];
  const operator = comparisonFrom(filter.operator);
  const kind = kindOf(left.type);
  if (kind !== kindOf(right.type)) {
    const types = `"${shown(left.name)}" is of type ${left.type}, "${shown(right.name)}" of type ${right.type}`;
    throw new AppError('invalid_input', `two columns of different types can't be compared: ${types}`);
  }
  if (kind !== 'number' && kind !== 'time' && !['=', '!='].includes(operator)) {
    throw new AppError('invalid_input', `"${shown(left.name)}" can be equal to another column or not, no more`);
  }
  return { left, right, operator, kind };
}

function kindOf(type: ColumnType): ColumnType {
  return isNumeric(type) ? 'number' : type;
}
