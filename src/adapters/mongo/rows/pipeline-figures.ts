import { type Dimension, type Measure, TIME_BUCKETS, TIME_PARTS, type TimePart } from '../../../ports/analysis-plan.js';
import type { ColumnType } from '../../../ports/table.js';
import { AppError } from '../../../shared/app-error.js';
import { shown } from '../../../plan/plan-columns.js';
import { aggregateInput, isPair } from '../../../plan/plan-inputs.js';
import { assertKnown } from '../../../plan/plan-words.js';
import type { Accumulators } from './pipeline-accumulators.js';
import { testOf } from './pipeline-filters.js';
import { emptyFigure, figureTerm } from './pipeline-formulas.js';
import { addMeanRanks } from './pipeline-ranks.js';
import { inputTerm, numberTerm, type PipelineContext } from './pipeline-scope.js';
import { both, isPresent, type Term, when } from './pipeline-terms.js';

/** A column of an aggregate's result. */
export interface Output {
  readonly label: string;
  readonly type: ColumnType;
  /** Its texts, when they have an order of their own. */
  readonly ranked?: readonly string[] | undefined;
  readonly isTime: boolean;
  /** What it is when there are no rows at all. */
  readonly empty: 0 | null;
}

/** What the figures are grouped by. */
export interface Grouping extends Output {
  readonly term: Term;
}

/** A figure of a group: the value that comes of what is collected. */
export interface Figure extends Output {
  readonly term: Term;
}

const PARTS: Readonly<Record<TimePart, string>> = { hour: '$hour', weekday: '$isoDayOfWeek', month: '$month' };

/** What the figures are grouped by; a bucket comes out as its start in UTC, a week starting on Monday. */
export function groupingOf(dimension: Dimension, { columns, writer }: PipelineContext): Grouping {
  const { label } = dimension;
  switch (dimension.kind) {
    case 'column': {
      const column = columns.named(dimension.column);
      const { type, ranked } = column;
      return { term: writer.column(column), label, type, ranked, isTime: type === 'time', empty: null };
    }
    case 'bucket': {
      assertKnown(dimension.bucket, TIME_BUCKETS);
      const date = writer.column(columns.typed(dimension.column, 'time', `a ${dimension.bucket} of time`));
      const week = dimension.bucket === 'week' ? { startOfWeek: 'monday' } : {};
      const term = { $dateTrunc: { date, unit: dimension.bucket, ...week } };
      return { term, label, type: 'time', isTime: true, empty: null };
    }
    case 'part': {
      assertKnown(dimension.part, TIME_PARTS);
      const column = columns.typed(dimension.column, 'time', `the ${dimension.part} of a time`);
      const term = { [PARTS[dimension.part]]: writer.column(column) };
      return { term, label, type: 'integer', isTime: true, empty: null };
    }
  }
}

/** Makes figures of measures; what some of them need per row is added to the rows on the way. */
export function figuresOf(
  measures: readonly Measure[],
  groups: readonly Grouping[],
  context: PipelineContext,
): { readonly figures: readonly ((accumulators: Accumulators) => Figure)[] } {
  return { figures: measures.map((measure) => prepared(measure, groups, context)) };
}

function prepared(
  measure: Measure,
  groups: readonly Grouping[],
  context: PipelineContext,
): (accumulators: Accumulators) => Figure {
  if (measure.aggregate === 'rank_correlation') return rankCorrelation(measure, groups, context);
  const filter = testOf(measure.filters ?? [], context);
  return (accumulators) => figureOf({ measure, filter }, context, accumulators);
}

interface Filtered {
  readonly measure: Measure;
  readonly filter: Term;
}

function figureOf({ measure, filter }: Filtered, context: PipelineContext, accumulators: Accumulators): Figure {
  const { aggregate, label, parameter } = measure;
  if (aggregate === 'rank_correlation') throw lacksColumn(label);
  if (aggregate === 'count' && measure.column === null) {
    return outputOf(measure, 'integer', accumulators.count(filter ?? null));
  }
  if (measure.column === null) throw lacksColumn(label);
  const input = aggregateInput(aggregate, measure.column, context.columns);
  const x = inputTerm(input, context.writer);
  const y = isPair(aggregate) ? secondOf(measure, context) : undefined;
  return outputOf(measure, input.type, figureTerm(aggregate, { x, y, parameter, filter }, accumulators));
}

function outputOf({ label, aggregate }: Measure, type: ColumnType, term: Term): Figure {
  return { label, type, term, isTime: false, empty: emptyFigure(aggregate) };
}

function lacksColumn(label: string): AppError {
  return new AppError('invalid_input', `the measure "${shown(label)}" lacks a column`);
}

function secondOf({ second, label, aggregate }: Measure, context: PipelineContext): Term {
  if (second === undefined) {
    throw new AppError('invalid_input', `the measure "${shown(label)}" lacks its second column`);
  }
  return numberTerm(second, context, aggregate).term;
}

/** Spearman's: the correlation of ranks within the group, equal values sharing the mean of theirs. */
function rankCorrelation(
  measure: Measure,
  groups: readonly Grouping[],
  context: PipelineContext,
): (accumulators: Accumulators) => Figure {
  if (measure.column === null) throw lacksColumn(measure.label);
  const x = inputTerm(aggregateInput(measure.aggregate, measure.column, context.columns), context.writer);
  const y = secondOf(measure, context);
  const filter = testOf(measure.filters ?? [], context);
  const condition = both([...(filter === undefined ? [] : [filter]), isPresent(x), isPresent(y)]);
  const within = groups.map(({ term }) => ({ $ifNull: [term, null] }));
  const ranks = [x, y].map((of) => {
    const rank = addMeanRanks(when(condition, of, 0), [...within, condition], context.steps);
    return when(condition, rank);
  });
  const [first = null, second = null] = ranks;
  return (accumulators) => {
    return outputOf(measure, 'number', figureTerm('correlation', { x: first, y: second }, accumulators));
  };
}
