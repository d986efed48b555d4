import { type Aggregate, type Filter, OUTLIER_METHODS } from '../ports/analysis-plan.js';
import { isNumeric } from '../ports/table.js';
import { AppError } from '../shared/app-error.js';
import { isPair } from '../plan/plan-inputs.js';
import { aggregateSql, type FormulaAggregate, inputOf, numberOf } from './plan-compiler.aggregates.js';
import { shown } from '../plan/plan-columns.js';
import { type FigureScope, figureOver, type PlanContext } from './plan-compiler.scope.js';
import { factorOf } from '../plan/plan-values.js';
import { assertKnown } from '../plan/plan-words.js';
import { operatorFrom } from './plan-compiler.words.js';

type Against = Extract<Filter, { kind: 'against' }>;
type Outlier = Extract<Filter, { kind: 'outlier' }>;

/** A column against a figure over rows. */
export function comparedWithFigure(filter: Against, context: PlanContext): string {
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
  const other = times === 1 ? figure.sql : `${writer.number(times)} * (${figure.sql})::DOUBLE`;
  return `${writer.column(column)} ${operatorFrom(filter.operator)} ${other}`;
}

function figureOf(filter: Against, context: PlanContext): { readonly sql: string; readonly isTime: boolean } {
  const { columns, writer } = context;
  const { aggregate, parameter } = filter;
  const { x, type } = inputOf(aggregate, filter.of ?? filter.column, columns, writer);
  const scope = scopeOf(filter.reach, filter.of ?? filter.column, context);
  const isTime = type === 'time';
  if (aggregate === 'mean_abs_deviation') {
    return { sql: figureOver(`avg(abs(${x} - ${figureOver(`avg(${x})`, scope)}))`, scope), isTime };
  }
  const centre = figureOver(`avg(${x})`, scope);
  return { sql: figureOver(aggregateSql(single(aggregate), { x, parameter, centre }, writer), scope), isTime };
}

function single(aggregate: Aggregate): FormulaAggregate {
  if (isPair(aggregate) || aggregate === 'rank_correlation' || aggregate === 'mean_abs_deviation') {
    throw new AppError('invalid_input', `a value can't be compared with a ${aggregate.replace('_', ' ')}`);
  }
  return aggregate;
}

function scopeOf(reach: Against['reach'], column: string, { scope }: PlanContext): FigureScope {
  if (scope === null) throw new AppError('invalid_input', 'a comparison with a figure can not stand here');
  return reach === 'all' ? scope.all(column) : scope.matching;
}

/** Values far from the rest. */
export function outlying(filter: Outlier, context: PlanContext): string {
  assertKnown(filter.method, OUTLIER_METHODS);
  if (!(filter.threshold >= 0)) {
    throw new AppError('invalid_input', 'the threshold of outliers must be a number from 0 on');
  }
  const { columns, writer } = context;
  const { sql: x } = numberOf(filter.column, columns, writer, 'a search for outliers');
  const rest = scopeOf('matching', filter.column, context);
  return filter.method === 'iqr'
    ? beyondQuartiles(filter, x, { writer, rest })
    : farFromMean(filter, x, { writer, rest });
}

interface Rest {
  readonly writer: PlanContext['writer'];
  readonly rest: FigureScope;
}

function beyondQuartiles({ negated, threshold }: Outlier, x: string, { writer, rest }: Rest): string {
  const [first, third] = [`quantile_cont(${x}, 0.25)`, `quantile_cont(${x}, 0.75)`];
  const low = figureOver(`${first} - ${writer.number(threshold)} * (${third} - ${first})`, rest);
  const high = figureOver(`${third} + ${writer.number(threshold)} * (${third} - ${first})`, rest);
  return `${x} ${negated ? 'BETWEEN' : 'NOT BETWEEN'} ${low} AND ${high}`;
}

/** Without a division: where all values are the same, none is far from the rest. */
function farFromMean({ negated, threshold, population }: Outlier, x: string, { writer, rest }: Rest): string {
  const centre = figureOver(`avg(${x})`, rest);
  const deviation = aggregateSql(population ? 'stddev_pop' : 'stddev', { x }, writer);
  const far = `${writer.number(threshold)} * ${figureOver(`coalesce(${deviation}, 0)`, rest)}`;
  return `abs(${x} - ${centre}) ${negated ? '<=' : '>'} ${far}`;
}
