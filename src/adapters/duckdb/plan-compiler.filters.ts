import type { Filter, Having } from '../../ports/analysis-plan.js';
import { isNumeric } from '../../ports/table.js';
import { AppError } from '../../shared/app-error.js';
import type { PlanColumn, PlanColumns } from './plan-compiler.columns.js';
import type { Figure } from './plan-compiler.figures.js';
import { instantFrom } from './plan-compiler.times.js';
import type { PlanWriter } from './plan-compiler.writers.js';

type FilterOf<Kind extends Filter['kind']> = Extract<Filter, { kind: Kind }>;

const OPERATORS: Readonly<Record<Having['operator'], string>> = {
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
  '=': '=',
  '!=': '<>',
};

/** The terms of WHERE, all of which must hold. A row without a value in the column fits no condition but `null`. */
export function conditionsOf(filters: readonly Filter[], columns: PlanColumns, writer: PlanWriter): readonly string[] {
  return filters.flatMap((filter) => conditionOf(filter, columns, writer));
}

/** The terms of HAVING. */
export function figureConditionsOf(
  having: readonly Having[],
  measures: readonly Figure[],
  writer: PlanWriter,
): readonly string[] {
  return having.map(({ measure, operator, value }) => {
    const figure = measures[measure];
    if (!figure) throw new AppError('invalid_input', `the plan has a condition on measure ${measure}, which it lacks`);
    if (!isNumeric(figure.type)) {
      throw new AppError('invalid_input', `"${figure.label}" is no number and can't be compared with one`);
    }
    return `${figure.expression} ${operatorFrom(operator)} ${writer.number(value)}`;
  });
}

function conditionOf(filter: Filter, columns: PlanColumns, writer: PlanWriter): readonly string[] {
  switch (filter.kind) {
    case 'in':
      return [membership(filter, columns, writer)];
    case 'compare': {
      const column = columns.typed(filter.column, 'numeric', 'a comparison with a number');
      return [`${writer.column(column)} ${operatorFrom(filter.operator)} ${writer.number(filter.value)}`];
    }
    case 'between': {
      const column = columns.typed(filter.column, 'numeric', 'a range of numbers');
      return [`${writer.column(column)} BETWEEN ${writer.number(filter.low)} AND ${writer.number(filter.high)}`];
    }
    case 'time':
      return timeRange(filter, columns, writer);
    case 'contains':
      return [containment(filter, columns, writer)];
    case 'null': {
      const column = writer.column(columns.named(filter.column));
      return [filter.negated ? `${column} IS NOT NULL` : `${column} IS NULL`];
    }
  }
}

function membership(filter: FilterOf<'in'>, columns: PlanColumns, writer: PlanWriter): string {
  if (filter.values.length === 0) {
    throw new AppError('invalid_input', `the condition on "${filter.column}" has no values`);
  }
  const column = columns.named(filter.column);
  const values = filter.values.map((value) => valueOf(column, value, writer)).join(', ');
  const subject = column.type === 'text' ? `lower(${writer.column(column)})` : writer.column(column);
  return `${subject} ${filter.negated ? 'NOT IN' : 'IN'} (${values})`;
}

function valueOf(column: PlanColumn, value: string | number | boolean, writer: PlanWriter): string {
  switch (column.type) {
    case 'text':
      return `lower(${writer.text(String(value))})`;
    case 'number':
    case 'integer':
      return writer.number(numberFrom(column, value));
    case 'boolean':
      return writer.boolean(booleanFrom(column, value));
    case 'time':
      return writer.time(instantFrom(String(value)));
  }
}

function numberFrom(column: PlanColumn, value: string | number | boolean): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number === 'number' && !Number.isNaN(number)) return number;
  throw new AppError('invalid_input', `"${column.name}" is a column of numbers and can't be "${String(value)}"`);
}

function booleanFrom(column: PlanColumn, value: string | number | boolean): boolean {
  const text = String(value).toLowerCase();
  if (text === 'true' || text === 'false') return text === 'true';
  throw new AppError('invalid_input', `"${column.name}" is true or false and can't be "${String(value)}"`);
}

function timeRange(filter: FilterOf<'time'>, columns: PlanColumns, writer: PlanWriter): readonly string[] {
  const column = columns.typed(filter.column, 'time', 'a range of time');
  const bounds: readonly (readonly [string, string | null])[] = [
    ['>=', filter.from],
    ['<', filter.to],
  ];
  return bounds.flatMap(([operator, bound]) =>
    bound === null ? [] : [`${writer.column(column)} ${operator} ${writer.time(instantFrom(bound))}`],
  );
}

/** `contains` of SQL, because LIKE would give `%` and `_` a meaning. */
function containment(filter: FilterOf<'contains'>, columns: PlanColumns, writer: PlanWriter): string {
  const column = columns.typed(filter.column, 'text', 'a search in text');
  const found = `contains(lower(${writer.column(column)}), lower(${writer.text(filter.text)}))`;
  return filter.negated ? `NOT ${found}` : found;
}

/** Plans also come from a model, as data that only looks typed. */
function operatorFrom(operator: string): string {
  const known = Object.entries(OPERATORS).find(([name]) => name === operator);
  if (!known) throw new AppError('invalid_input', `the plan has an unknown operator "${operator}"`);
  return known[1];
}
