import type { Expression } from '../../ports/analysis-plan.js';
import type { ColumnType } from '../../ports/table.js';
import { AppError } from '../../shared/app-error.js';
import type { Computation, ExpressionPlace } from './plan-compiler.computations.js';
import { allOf } from './plan-compiler.filters.js';

type Case = Extract<Expression, { kind: 'case' }>;
type Value = string | number | boolean;

/** The value of the first case that holds. */
export function chosenCase({ cases, otherwise }: Case, place: ExpressionPlace): Computation {
  const values = [...cases.map(({ value }) => value), ...(otherwise === null ? [] : [otherwise])];
  const type = typeOf(values);
  if (cases.length === 0) throw new AppError('invalid_input', 'a derived column has no cases');
  const terms = cases.map(({ filters, value }) => {
    const condition = allOf(filters, place);
    return `WHEN ${condition === '' ? 'true' : condition} THEN ${written(value, type, place)}`;
  });
  const rest = otherwise === null ? '' : ` ELSE ${written(otherwise, type, place)}`;
  const ranked = type === 'text' ? [...new Set(values.map(String))] : undefined;
  return { sql: `CASE ${terms.join(' ')}${rest} END`, type, single: true, ranked };
}

/** Values of several types are texts. */
function typeOf(values: readonly Value[]): ColumnType {
  if (values.every((value) => typeof value === 'boolean')) return 'boolean';
  if (values.some((value) => typeof value !== 'number')) return 'text';
  return values.every(Number.isSafeInteger) ? 'integer' : 'number';
}

function written(value: Value, type: ColumnType, { writer }: ExpressionPlace): string {
  if (type === 'boolean') return writer.boolean(value === true);
  return type === 'text' ? writer.text(String(value)) : writer.number(Number(value));
}
