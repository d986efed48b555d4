import type { Expression } from '../ports/analysis-plan.js';
import type { ColumnType } from '../ports/table.js';
import { AppError } from '../shared/app-error.js';

export type Case = Extract<Expression, { kind: 'case' }>;
type Value = string | number | boolean;

/** What the values of the cases are, and in which order texts among them come. */
export interface CaseValues {
  readonly type: ColumnType;
  readonly ranked: readonly string[] | undefined;
}

/** @throws AppError `invalid_input` when there are no cases. */
export function caseValues({ cases, otherwise }: Pick<Case, 'cases' | 'otherwise'>): CaseValues {
  if (cases.length === 0) throw new AppError('invalid_input', 'a derived column has no cases');
  const values = [...cases.map(({ value }) => value), ...(otherwise === null ? [] : [otherwise])];
  const type = typeOf(values);
  return { type, ranked: type === 'text' ? [...new Set(values.map(String))] : undefined };
}

/** Values of several types are texts. */
function typeOf(values: readonly Value[]): ColumnType {
  if (values.every((value) => typeof value === 'boolean')) return 'boolean';
  if (values.some((value) => typeof value !== 'number')) return 'text';
  return values.every(Number.isSafeInteger) ? 'integer' : 'number';
}
