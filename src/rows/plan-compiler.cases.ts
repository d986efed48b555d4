import type { ColumnType } from '../ports/table.js';
import { type Case, caseValues } from '../plan/plan-cases.js';
import type { Computation, ExpressionPlace } from './plan-compiler.computations.js';
import { allOf } from './plan-compiler.filters.js';

type Value = string | number | boolean;

/** The value of the first case that holds. */
export function chosenCase({ cases, otherwise }: Case, place: ExpressionPlace): Computation {
  const { type, ranked } = caseValues({ cases, otherwise });
  const terms = cases.map(({ filters, value }) => {
    const condition = allOf(filters, place);
    return `WHEN ${condition === '' ? 'true' : condition} THEN ${written(value, type, place)}`;
  });
  const rest = otherwise === null ? '' : ` ELSE ${written(otherwise, type, place)}`;
  return { sql: `CASE ${terms.join(' ')}${rest} END`, type, single: true, ranked };
}

function written(value: Value, type: ColumnType, { writer }: ExpressionPlace): string {
  if (type === 'boolean') return writer.boolean(value === true);
  return type === 'text' ? writer.text(String(value)) : writer.number(Number(value));
}
