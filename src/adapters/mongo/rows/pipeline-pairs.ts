import type { Accumulators } from './pipeline-accumulators.js';
import type { ColumnScale } from './mongo-table.js';
import { exact, inexact, isPresent, quotient, both, type Term, when } from './pipeline-terms.js';

/** Digits of a correlation behind the point. */
const DIGITS = 14;

/** Two columns, over the rows that have both. */
export interface PairOperands {
  readonly x: Term;
  readonly y: Term;
  /** Only rows that fit it count. */
  readonly filter?: Term;
  /** All rows have both. */
  readonly isComplete?: boolean;
  readonly accumulators: Accumulators;
}

/** What the figures of two columns are made of; all of a population. What is not asked for is not collected. */
interface PairSums {
  n(): Term;
  covariance(): Term;
  correlation(): Term;
  varianceOfY(): Term;
  meanOfX(): Term;
  meanOfY(): Term;
  isXVaried(): Term;
  isYVaried(): Term;
}

function sumsOf(pair: PairOperands): PairSums {
  const [ofX, ofY] = [pair.accumulators.scaleOf(pair.x), pair.accumulators.scaleOf(pair.y)];
  return ofX === null || ofY === null ? new ExactSums(pair) : new ScaledSums(pair, ofX, ofY);
}

/** Sums with 34 digits, which lose nothing whatever the numbers are, and take ten times as long. */
class ExactSums implements PairSums {
  private readonly condition: Term;
  private readonly first: string;
  private readonly second: string;

  constructor(private readonly pair: PairOperands) {
    const { x, y, filter, accumulators } = pair;
    this.condition = conditionOf(x, y, filter);
    // Where one is missing, so is the other, and their product.
    const of = (one: Term): string => accumulators.each('exact', when(this.condition, exact(one)));
    [this.first, this.second] = [of(x), of(y)];
  }

  n(): Term {
    return this.pair.accumulators.count(this.condition);
  }

  covariance(): Term {
    return this.product(this.first, this.second);
  }

  correlation(): Term {
    const product = { $multiply: [this.product(this.first, this.first), this.varianceOfY()] };
    // Rounding may leave less than nothing of a variance.
    return inexact(quotient(this.covariance(), { $sqrt: { $max: [0, product] } }));
  }

  varianceOfY(): Term {
    return this.product(this.second, this.second);
  }

  meanOfX(): Term {
    return this.mean(this.first);
  }

  meanOfY(): Term {
    return this.mean(this.second);
  }

  isXVaried(): Term {
    return this.isVaried(this.pair.x);
  }

  isYVaried(): Term {
    return this.isVaried(this.pair.y);
  }

  private mean(of: Term): Term {
    return { $divide: [this.pair.accumulators.take('sum', { $sum: of }), this.n()] };
  }

  private product(one: string, other: string): Term {
    return { $subtract: [this.mean({ $multiply: [one, other] }), { $multiply: [this.mean(one), this.mean(other)] }] };
  }

  private isVaried(of: Term): Term {
    const [only, { accumulators }] = [when(this.condition, of, '$$REMOVE'), this.pair];
    return { $lt: [accumulators.take('lowest', { $min: only }), accumulators.take('highest', { $max: only })] };
  }
}

/**
 * Deviations of both columns, of their sum and of their difference, which say how they go together. The server works these out without losing
 * digits; both columns are brought to about the same scale first, so that neither is lost in the sum.
 */
class ScaledSums implements PairSums {
  private readonly u: Term;
  private readonly v: Term;

  constructor(
    private readonly pair: PairOperands,
    private readonly ofX: ColumnScale,
    private readonly ofY: ColumnScale,
  ) {
    [this.u, this.v] = [scaledTerm(pair.x, ofX), scaledTerm(pair.y, ofY)];
  }

  n(): Term {
    const { x, y, filter, accumulators } = this.pair;
    return accumulators.count(conditionOf(x, y, filter));
  }

  covariance(): Term {
    return { $multiply: [this.ofX.spread, this.ofY.spread, this.together()] };
  }

  correlation(): Term {
    const found = quotient(this.together(), { $multiply: [this.deviationOfX(), this.deviationOfY()] });
    // Beyond that there is nothing but rounding, which would tell apart what goes together fully.
    return { $round: [found, DIGITS] };
  }

  varianceOfY(): Term {
    return { $pow: [{ $multiply: [this.deviationOfY(), this.ofY.spread] }, 2] };
  }

  meanOfX(): Term {
    return this.taken('average', '$avg', this.beside(this.pair.x, this.pair.y));
  }

  meanOfY(): Term {
    return this.taken('average', '$avg', this.beside(this.pair.y, this.pair.x));
  }

  isXVaried(): Term {
    return { $gt: [this.deviationOfX(), 0] };
  }

  isYVaried(): Term {
    return { $gt: [this.deviationOfY(), 0] };
  }

  /** A quarter of what the variance of the sum has beyond that of the difference. */
  private together(): Term {
    const sum = this.deviation({ $add: [this.u, this.v] });
    const difference = this.deviation({ $subtract: [this.u, this.v] });
    return { $multiply: [0.25, { $subtract: [sum, difference] }, { $add: [sum, difference] }] };
  }

  private deviationOfX(): Term {
    return this.deviation(this.beside(this.u, this.pair.y));
  }

  private deviationOfY(): Term {
    return this.deviation(this.beside(this.v, this.pair.x));
  }

  private deviation(of: Term): Term {
    return this.taken('deviation', '$stdDevPop', of);
  }

  /** A value where the other one is there too: what is added to nothing is nothing. */
  private beside(of: Term, other: Term): Term {
    return this.pair.isComplete === true ? of : { $add: [of, { $multiply: [0, other] }] };
  }

  private taken(name: string, accumulator: string, of: Term): Term {
    const { filter, accumulators } = this.pair;
    return accumulators.take(name, { [accumulator]: filter === undefined ? of : when(filter, of, '$$REMOVE') });
  }
}

function scaledTerm(of: Term, { middle, spread }: ColumnScale): Term {
  return { $multiply: [{ $subtract: [of, middle] }, 1 / spread] };
}

function conditionOf(x: Term, y: Term, filter: Term): Term {
  return both([...(filter === undefined ? [] : [filter]), isPresent(x), isPresent(y)]);
}

export function correlation(pair: PairOperands): Term {
  const sums = sumsOf(pair);
  return when({ $and: [sums.isXVaried(), sums.isYVaried()] }, sums.correlation());
}

export function covariance(pair: PairOperands): Term {
  const sums = sumsOf(pair);
  const n = sums.n();
  const sample = { $divide: [{ $multiply: [sums.covariance(), n] }, { $subtract: [n, 1] }] };
  return when({ $gt: [n, 1] }, inexact(sample));
}

export function populationCovariance(pair: PairOperands): Term {
  const sums = sumsOf(pair);
  return when({ $gt: [sums.n(), 0] }, inexact(sums.covariance()));
}

/** How the first column depends on the second. */
export function fit(kind: 'slope' | 'intercept' | 'r_squared', pair: PairOperands): Term {
  const sums = sumsOf(pair);
  return when(sums.isYVaried(), inexact(FITS[kind](sums)));
}

const FITS = {
  slope: slopeOf,
  intercept: (sums: PairSums): Term => ({
    $subtract: [sums.meanOfX(), { $multiply: [slopeOf(sums), sums.meanOfY()] }],
  }),
  r_squared: (sums: PairSums): Term => when(sums.isXVaried(), { $pow: [sums.correlation(), 2] }, 1),
} as const;

function slopeOf(sums: PairSums): Term {
  return quotient(sums.covariance(), sums.varianceOfY());
}
