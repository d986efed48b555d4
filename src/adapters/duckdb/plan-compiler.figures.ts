import {
  type Aggregate,
  AGGREGATES,
  type Dimension,
  type Measure,
  TIME_BUCKETS,
  TIME_PARTS,
  type TimePart,
} from '../../ports/analysis-plan.js';
import type { ColumnType } from '../../ports/table.js';
import { AppError } from '../../shared/app-error.js';
import type { PlanColumn, PlanColumns } from './plan-compiler.columns.js';
import type { PlanWriter } from './plan-compiler.writers.js';

export interface Figure {
  readonly expression: string;
  readonly label: string;
  readonly type: ColumnType;
}

const PART_FUNCTIONS: Readonly<Record<TimePart, string>> = { hour: 'hour', weekday: 'isodow', month: 'month' };

type ColumnAggregate = Exclude<Aggregate, 'count'>;

const AGGREGATE_FUNCTIONS: Readonly<Record<ColumnAggregate, (column: string) => string>> = {
  sum: (column) => `sum(${column})`,
  avg: (column) => `avg(${column})`,
  min: (column) => `min(${column})`,
  max: (column) => `max(${column})`,
  median: (column) => `median(${column})`,
  stddev: (column) => `stddev_samp(${column})`,
  count_distinct: (column) => `count(DISTINCT ${column})`,
};

/** What the figures are grouped by; a bucket comes out as its start in UTC, a week starting on Monday. */
export function dimensionOf(dimension: Dimension, columns: PlanColumns, writer: PlanWriter): Figure {
  const { label } = dimension;
  switch (dimension.kind) {
    case 'column': {
      const column = columns.named(dimension.column);
      return { expression: writer.column(column), label, type: column.type };
    }
    case 'bucket': {
      assertKnown(dimension.bucket, TIME_BUCKETS);
      const column = columns.typed(dimension.column, 'time', `a ${dimension.bucket} of time`);
      return { expression: `date_trunc('${dimension.bucket}', ${writer.column(column)})`, label, type: 'time' };
    }
    case 'part': {
      assertKnown(dimension.part, TIME_PARTS);
      const column = columns.typed(dimension.column, 'time', `the ${dimension.part} of a time`);
      const part = PART_FUNCTIONS[dimension.part];
      return { expression: `${part}(${writer.column(column)})`, label, type: 'integer' };
    }
  }
}

export function measureOf(measure: Measure, columns: PlanColumns, writer: PlanWriter): Figure {
  const { aggregate, label } = measure;
  assertKnown(aggregate, AGGREGATES);
  if (aggregate === 'count') return { expression: countOf(measure.column, columns, writer), label, type: 'integer' };
  if (measure.column === null) throw new AppError('invalid_input', `the measure "${label}" lacks a column`);

  const column = columnFor(aggregate, measure.column, columns);
  return {
    expression: AGGREGATE_FUNCTIONS[aggregate](writer.column(column)),
    label,
    type: typeOf(aggregate, column),
  };
}

function countOf(column: string | null, columns: PlanColumns, writer: PlanWriter): string {
  return column === null ? 'count(*)' : `count(${writer.column(columns.named(column))})`;
}

function columnFor(aggregate: ColumnAggregate, name: string, columns: PlanColumns): PlanColumn {
  if (aggregate === 'count_distinct') return columns.named(name);
  if (aggregate !== 'min' && aggregate !== 'max') return columns.typed(name, 'numeric', aggregate);
  const column = columns.named(name);
  if (column.type !== 'boolean') return column;
  throw new AppError('invalid_input', `${aggregate} needs a column with an order; "${column.name}" is of type boolean`);
}

function typeOf(aggregate: ColumnAggregate, column: PlanColumn): ColumnType {
  switch (aggregate) {
    case 'min':
    case 'max':
    case 'sum':
      return column.type;
    case 'count_distinct':
      return 'integer';
    case 'avg':
    case 'median':
    case 'stddev':
      return 'number';
  }
}

/** A plan may come from a model, as data that only looks typed; what goes into the SQL is one of our own words. */
function assertKnown(word: string, known: readonly string[]): void {
  if (!known.includes(word))
    throw new AppError('invalid_input', `"${word.slice(0, 50)}" is none of ${known.join(', ')}`);
}
