import type { Aggregate } from '../../../ports/analysis-plan.js';
import { AppError } from '../../../shared/app-error.js';
import type { Accumulators } from './pipeline-accumulators.js';
import { interpolated, mostFrequent } from './pipeline-lists.js';
import { powers, shape } from './pipeline-moments.js';
import { correlation, covariance, fit, type PairOperands } from './pipeline-pairs.js';
import { both, isMissing, isPresent, quotient, type Term, when } from './pipeline-terms.js';

/** What an aggregate is of. */
export interface Operands {
  readonly x: Term;
  /** The other column of a pair. */
  readonly y?: Term;
  readonly parameter?: number | undefined;
  /** Only rows that fit it count. */
  readonly filter?: Term;
  /** All rows have both columns. */
  readonly isComplete?: boolean;
}

export type FormulaAggregate = Exclude<Aggregate, 'rank_correlation'>;

type Formula = (input: Input) => Term;

const FORMULAS: Readonly<Record<FormulaAggregate, Formula>> = {
  count: (input) => input.count(),
  sum: (input) => input.total(),
  avg: (input) => input.of('average', '$avg'),
  min: (input) => input.of('lowest', '$min'),
  max: (input) => input.of('highest', '$max'),
  median: (input) => interpolated(input.sorted(), 0.5),
  stddev: (input) => input.of('deviation', '$stdDevSamp'),
  stddev_pop: (input) => input.of('deviation', '$stdDevPop'),
  variance: (input) => ({ $pow: [input.of('deviation', '$stdDevSamp'), 2] }),
  variance_pop: (input) => ({ $pow: [input.of('deviation', '$stdDevPop'), 2] }),
  standard_error: (input) => quotient(input.of('deviation', '$stdDevSamp'), { $sqrt: input.count() }),
  count_distinct: (input) => ({ $size: input.of('different', '$addToSet') }),
  missing: (input) => input.missing(),
  percentile: (input) => interpolated(input.sorted(), input.fraction()),
  range: (input) => ({ $subtract: [input.of('highest', '$max'), input.of('lowest', '$min')] }),
  iqr: (input) => ({ $subtract: [interpolated(input.sorted(), 0.75), interpolated(input.sorted(), 0.25)] }),
  mode: (input) => mostFrequent(input.sorted()),
  product: (input) => {
    const product = { $reduce: { input: input.sorted(), initialValue: 1, in: { $multiply: ['$$value', '$$this'] } } };
    return when({ $eq: [input.sorted(), []] }, null, product);
  },
  mean_abs_deviation: (input) => {
    const distance = { $abs: { $subtract: ['$$value', input.of('average', '$avg')] } };
    return { $avg: { $map: { input: input.sorted(), as: 'value', in: distance } } };
  },
  skewness: (input) => shape('skewness', input.powers()),
  skewness_pop: (input) => shape('skewness_pop', input.powers()),
  kurtosis: (input) => shape('kurtosis', input.powers()),
  kurtosis_pop: (input) => shape('kurtosis_pop', input.powers()),
  correlation: (input) => correlation(input.pair()),
  covariance: (input) => covariance(input.pair()),
  slope: (input) => fit('slope', input.pair()),
  intercept: (input) => fit('intercept', input.pair()),
  r_squared: (input) => fit('r_squared', input.pair()),
};

/** An aggregate as the value that comes of what is collected. It is null, and no error, where it is not defined. */
export function figureTerm(aggregate: FormulaAggregate, operands: Operands, accumulators: Accumulators): Term {
  return FORMULAS[aggregate](new Input(operands, accumulators));
}

/** What figures over no rows at all are; null for those that are none then. */
export function emptyFigure(aggregate: Aggregate): 0 | null {
  return aggregate === 'count' || aggregate === 'count_distinct' || aggregate === 'missing' ? 0 : null;
}

class Input {
  constructor(
    private readonly operands: Operands,
    private readonly accumulators: Accumulators,
  ) {}

  of(name: string, accumulator: string): Term {
    // Sets and lists would keep what is null.
    const counts = accumulator === '$addToSet' ? this.kept() : this.filtered();
    return this.accumulators.take(name, { [accumulator]: counts });
  }

  count(): Term {
    return this.accumulators.count(this.both([isPresent(this.operands.x)]));
  }

  missing(): Term {
    return this.accumulators.count(this.both([isMissing(this.operands.x)]));
  }

  /** Without any value there is no sum. */
  total(): Term {
    const total = this.accumulators.take('sum', { $sum: this.filtered() });
    return when({ $eq: [this.count(), 0] }, null, total);
  }

  sorted(): Term {
    return this.accumulators.sorted(this.kept());
  }

  powers(): ReturnType<typeof powers> {
    return powers(this.filtered(), this.accumulators);
  }

  pair(): PairOperands {
    const { x, y, filter, isComplete = false } = this.operands;
    if (y === undefined) throw new AppError('invalid_input', 'a figure of two columns lacks the second');
    return { x, y, filter, isComplete, accumulators: this.accumulators };
  }

  fraction(): number {
    const { parameter } = this.operands;
    if (typeof parameter !== 'number' || !(parameter >= 0 && parameter <= 1)) {
      throw new AppError('invalid_input', 'a percentile needs a parameter from 0 to 1');
    }
    return parameter;
  }

  private filtered(): Term {
    const { x, filter } = this.operands;
    return filter === undefined ? x : when(filter, x, '$$REMOVE');
  }

  private kept(): Term {
    return when(this.both([isPresent(this.operands.x)]), this.operands.x, '$$REMOVE');
  }

  private both(conditions: readonly Term[]): Term {
    const { filter } = this.operands;
    return both(filter === undefined ? conditions : [filter, ...conditions]);
  }
}
