import jStat from 'jstat';

const MOST_TERMS = 10_000;
const SMALLEST = 1e-300;
const PRECISION = 1e-15;

/** How probable it is that Student's t is as far from 0 as this, on either side; null where it has no meaning. */
export function tTwoSided(t: number, degrees: number): number | null {
  if (!(degrees > 0) || Number.isNaN(t)) return null;
  return probability(jStat.ibeta(degrees / (degrees + t * t), degrees / 2, 0.5));
}

/** How probable it is that an F is this or more. */
export function fUpper(f: number, above: number, below: number): number | null {
  if (!(above > 0) || !(below > 0) || !(f >= 0)) return null;
  return probability(jStat.ibeta(below / (below + above * f), below / 2, above / 2));
}

/** How probable it is that a chi-square is this or more. */
export function chiSquareUpper(x: number, degrees: number): number | null {
  if (!(degrees > 0) || !(x >= 0)) return null;
  return probability(upperGamma(degrees / 2, x / 2));
}

/** How probable it is that a standard normal value is this or more. */
export function normalUpper(z: number): number | null {
  if (Number.isNaN(z)) return null;
  const tail = upperGamma(0.5, (z * z) / 2) / 2;
  return probability(z >= 0 ? tail : 1 - tail);
}

/** The value that a standard normal one is below of with this probability. */
export function normalQuantile(below: number): number {
  return jStat.normal.inv(below, 0, 1);
}

function probability(value: number): number | null {
  return Number.isNaN(value) ? null : Math.min(1, Math.max(0, value));
}

/** The regularised upper incomplete gamma function; far out by a continued fraction, since 1 minus the lower one has no digits left. */
function upperGamma(a: number, x: number): number {
  if (x <= 0) return 1;
  if (x === Number.POSITIVE_INFINITY) return 0;
  return x < a + 1 ? 1 - jStat.lowRegGamma(a, x) : Math.exp(a * Math.log(x) - x - jStat.gammaln(a)) * fraction(a, x);
}

/** Lentz's way from the front. */
function fraction(a: number, x: number): number {
  let b = x + 1 - a;
  let c = 1 / SMALLEST;
  let d = 1 / b;
  let value = d;
  for (let term = 1; term <= MOST_TERMS; term++) {
    const factor = -term * (term - a);
    b += 2;
    d = 1 / awayFromZero(factor * d + b);
    c = awayFromZero(b + factor / c);
    value *= c * d;
    if (Math.abs(c * d - 1) < PRECISION) break;
  }
  return value;
}

function awayFromZero(value: number): number {
  return Math.abs(value) < SMALLEST ? SMALLEST : value;
}
