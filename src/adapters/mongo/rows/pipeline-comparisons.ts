import { type Aggregate, type Filter, OUTLIER_METHODS } from '../../../ports/analysis-plan.js';
import { isNumeric } from '../../../ports/table.js';
import { AppError } from '../../../shared/app-error.js';
import { shown } from '../../../plan/plan-columns.js';
import { aggregateInput, isPair } from '../../../plan/plan-inputs.js';
import { factorOf, finite } from '../../../plan/plan-values.js';
import { assertKnown, comparisonFrom } from '../../../plan/plan-words.js';
import { comparedTerms, type Condition } from './pipeline-conditions.js';
import { figureTerm, type FormulaAggregate } from './pipeline-formulas.js';
import { inputTerm, numberTerm, type PipelineContext } from './pipeline-scope.js';
import { both, isPresent, type Term } from './pipeline-terms.js';

type Against = Extract<Filter, { kind: 'against' }>;
type Outlier = Extract<Filter, { kind: 'outlier' }>;

/** A column against a figure over rows. */
export function comparedWithFigure(filter: Against, context: PipelineContext): Condition {
  const { columns, writer } = context;
  const column = columns.named(filter.column);
  if (!isNumeric(column.type) && column.type !== 'time') {
    const problem = `a comparison with a figure needs numbers or times; "${shown(column.name)}" is of type ${column.type}`;
    throw new AppError('invalid_input', problem);
  }
  assertKnown(filter.reach, ['matching', 'all']);
  const figure = figureOf(filter, context);
  if (figure.isTime !== (column.type === 'time')) {
    throw new AppError('invalid_input', `"${shown(column.name)}" can't be compared with this ${filter.aggregate}`);
  }
  const times = factorOf(filter.factor, figure.isTime);
  const other = times === 1 ? figure.term : { $multiply: [times, { $toDouble: figure.term }] };
  return comparedTerms(writer.column(column), comparisonFrom(filter.operator), other);
}

function figureOf(filter: Against, context: PipelineContext): { readonly term: Term; readonly isTime: boolean } {
  const { columns, writer, steps, scope } = context;
  const { aggregate, parameter } = filter;
  const of = filter.of ?? filter.column;
  const input = aggregateInput(aggregate, of, columns);
  const x = inputTerm(input, writer);
  const formula = single(aggregate);
  const rows = filter.reach === 'all' ? scope.all(of) : scope.matching;
  const term = steps.figure(rows, (accumulators, filter) =>
    figureTerm(formula, { x, parameter, filter }, accumulators),
  );
  return { term, isTime: input.type === 'time' };
}

function single(aggregate: Aggregate): FormulaAggregate {
  if (isPair(aggregate) || aggregate === 'rank_correlation') {
    throw new AppError('invalid_input', `a value can't be compared with a ${aggregate.replace('_', ' ')}`);
  }
  return aggregate;
}

/** Values far from the rest. */
export function outlying(filter: Outlier, context: PipelineContext): Condition {
  assertKnown(filter.method, OUTLIER_METHODS);
  if (!(filter.threshold >= 0)) {
    throw new AppError('invalid_input', 'the threshold of outliers must be a number from 0 on');
  }
  const { term } = numberTerm(filter.column, context, 'a search for outliers');
  return filter.method === 'iqr' ? beyondQuartiles(filter, term, context) : farFromMean(filter, term, context);
}

function restOf(x: Term, { steps, scope }: PipelineContext): (aggregate: FormulaAggregate, parameter?: number) => Term {
  return (aggregate, parameter) =>
    steps.figure(scope.matching, (accumulators, filter) =>
      figureTerm(aggregate, { x, parameter, filter }, accumulators),
    );
}

function beyondQuartiles({ negated, threshold }: Outlier, x: Term, context: PipelineContext): Condition {
  const figure = restOf(x, context);
  const [first, third] = [figure('percentile', 0.25), figure('percentile', 0.75)];
  const far = { $multiply: [finite(threshold), { $subtract: [third, first] }] };
  const [low, high] = [{ $subtract: [first, far] }, { $add: [third, far] }];
  const inside = both([{ $gte: [x, low] }, { $lte: [x, high] }]);
  return { test: both([isPresent(x), isPresent(first), negated ? inside : { $not: [inside] }]), query: null };
}

/** Without a division: where all values are the same, none is far from the rest. */
function farFromMean({ negated, threshold, population }: Outlier, x: Term, context: PipelineContext): Condition {
  const figure = restOf(x, context);
  const centre = figure('avg');
  const deviation = { $ifNull: [figure(population ? 'stddev_pop' : 'stddev'), 0] };
  const distance = { $abs: { $subtract: [x, centre] } };
  const far = { [negated ? '$lte' : '$gt']: [distance, { $multiply: [finite(threshold), deviation] }] };
  return { test: both([isPresent(x), isPresent(centre), far]), query: null };
}
