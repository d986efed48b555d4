import { AppError } from '../app-error.js';
import { tTwoSided } from './distributions.js';

/** What is known of the rows that have all columns; the outcome comes first, then what it is explained by. */
export interface CrossMoments {
  readonly rows: number;
  readonly names: readonly string[];
  readonly means: readonly number[];
  /** Of a population: square, by the columns in their order. */
  readonly covariances: readonly (readonly number[])[];
}

export interface Term {
  readonly coefficient: number;
  readonly error: number | null;
  readonly t: number | null;
  readonly pValue: number | null;
}

export interface Regression {
  readonly intercept: Term;
  /** In the order of the columns. */
  readonly slopes: readonly Term[];
  /** Null for an outcome that is the same everywhere. */
  readonly rSquared: number | null;
  /** Of the residuals, over all rows. */
  readonly rootMeanSquare: number;
}

/** Less of a column than this is left when the others have explained it: it follows from them. */
const COLLINEAR = 1e-10;

/**
 * Least squares with an intercept, by Cholesky's decomposition of the correlations, so that columns of different sizes lose no digits.
 *
 * @throws AppError `invalid_input` when there are too few rows, or a column is constant or follows from others.
 */
export function leastSquares(moments: CrossMoments): Regression {
  const { rows, names, means, covariances } = moments;
  const slopesOf = names.length - 1;
  if (rows <= slopesOf) {
    const problem = `a regression on ${slopesOf} ${slopesOf === 1 ? 'column' : 'columns'} needs more than ${slopesOf} rows`;
    throw new AppError('invalid_input', `${problem} that have a value in each; there are ${rows}`);
  }
  const deviations = names.map((_, index) => Math.sqrt(Math.max(0, at(covariances, index, index))));
  assertVaried(moments, deviations);
  const [outcome = 0, ...inputs] = deviations;
  const correlations = inputs.map((own, row) =>
    inputs.map((other, column) => at(covariances, row + 1, column + 1) / (own * other)),
  );
  const lower = decomposed(correlations, names.slice(1));
  const withOutcome = inputs.map((own, index) => (outcome === 0 ? 0 : at(covariances, 0, index + 1) / (own * outcome)));
  const weights = solved(lower, withOutcome);
  const unexplained = outcome === 0 ? 0 : restOf(weights, withOutcome);
  const residual = unexplained * outcome ** 2;
  const scale = { inputs, rows, variance: rows > slopesOf + 1 ? (residual * rows) / (rows - slopesOf - 1) : null };
  const coefficients = weights.map((weight, index) => (weight * outcome) / (inputs[index] ?? 1));
  const inner = coefficients.reduce((sum, slope, index) => sum + slope * (means[index + 1] ?? 0), 0);
  const term = termsOf(rows - slopesOf - 1);
  return {
    intercept: term((means[0] ?? 0) - inner, interceptError(lower, means.slice(1), scale)),
    slopes: coefficients.map((slope, index) => term(slope, slopeError(lower, index, scale))),
    rSquared: outcome === 0 ? null : 1 - unexplained,
    rootMeanSquare: Math.sqrt(residual),
  };
}

function assertVaried({ names }: CrossMoments, deviations: readonly number[]): void {
  const constant = names.find((_, index) => index > 0 && !((deviations[index] ?? 0) > 0));
  if (constant === undefined) return;
  throw new AppError('invalid_input', `"${constant}" has one value only, so that nothing can be explained by it`);
}

/** The share of the outcome that is not explained; what is left of rounding alone is nothing. */
function restOf(weights: readonly number[], withOutcome: readonly number[]): number {
  const explained = weights.reduce((sum, weight, index) => sum + weight * (withOutcome[index] ?? 0), 0);
  const rest = 1 - explained;
  return rest < 1e-14 ? 0 : rest;
}

function termsOf(degrees: number): (coefficient: number, error: number | null) => Term {
  return (coefficient, error) => {
    const t = error === null || error === 0 ? null : coefficient / error;
    return { coefficient, error, t, pValue: t === null ? null : tTwoSided(t, degrees) };
  };
}

interface Scale {
  readonly inputs: readonly number[];
  readonly rows: number;
  /** Of the residuals, null without degrees of freedom. */
  readonly variance: number | null;
}

type Matrix = readonly (readonly number[])[];

function slopeError(lower: Matrix, index: number, { inputs, rows, variance }: Scale): number | null {
  if (variance === null) return null;
  const unit = inputs.map((_, other) => (other === index ? 1 : 0));
  return Math.sqrt((variance * squaresOf(forward(lower, unit))) / rows) / (inputs[index] ?? 1);
}

function interceptError(lower: Matrix, means: readonly number[], { inputs, rows, variance }: Scale): number | null {
  if (variance === null) return null;
  const distances = means.map((mean, index) => mean / (inputs[index] ?? 1));
  return Math.sqrt((variance * (1 + squaresOf(forward(lower, distances)))) / rows);
}

/** The lower triangle whose product with itself is the matrix. */
function decomposed(matrix: Matrix, names: readonly string[]): Matrix {
  return matrix.reduce<Matrix>((lower, _, row) => {
    const before: number[] = [];
    for (let column = 0; column < row; column++) {
      const known = dot(before, lower[column] ?? []);
      before.push((at(matrix, row, column) - known) / at(lower, column, column));
    }
    const left = at(matrix, row, row) - squaresOf(before);
    if (!(left > COLLINEAR)) {
      throw new AppError(
        'invalid_input',
        `"${names[row] ?? ''}" follows from the columns before it, so leave one of them out`,
      );
    }
    return [...lower, [...before, Math.sqrt(left)]];
  }, []);
}

function solved(lower: Matrix, right: readonly number[]): readonly number[] {
  const half = forward(lower, right);
  const solution = half.map(() => 0);
  for (let row = half.length - 1; row >= 0; row--) {
    const known = solution.reduce((sum, value, index) => (index > row ? sum + value * at(lower, index, row) : sum), 0);
    solution[row] = ((half[row] ?? 0) - known) / at(lower, row, row);
  }
  return solution;
}

function forward(lower: Matrix, right: readonly number[]): readonly number[] {
  return right.reduce<readonly number[]>((done, value, row) => {
    const known = dot(done, lower[row] ?? []);
    return [...done, (value - known) / at(lower, row, row)];
  }, []);
}

function dot(short: readonly number[], other: readonly number[]): number {
  return short.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0);
}

function squaresOf(values: readonly number[]): number {
  return dot(values, values);
}

function at(matrix: Matrix, row: number, column: number): number {
  return matrix[row]?.[column] ?? 0;
}
