const SI_FROM = 100_000;

/** Format of the numbers along an axis: thousands separators, SI prefixes from 100k on. */
export function axisFormat(values: readonly number[]): string {
  const largest = largestOf(values);
  if (largest >= SI_FROM) return '~s';
  return largest !== 0 && largest < 0.001 ? '.3~g' : ',~f';
}

/** Format of the numbers written on the marks themselves. */
export function labelFormat(values: readonly number[]): string {
  const largest = largestOf(values);
  if (largest >= SI_FROM) return '.3~s';
  if (values.every((value) => Number.isInteger(value))) return ',d';
  if (largest >= 100) return ',.1f';
  return largest >= 0.1 || largest === 0 ? ',.2f' : '.3~g';
}

/** Years are numbers without thousands separators. */
export function areYears(values: readonly number[]): boolean {
  return values.every((value) => Number.isInteger(value) && value >= 1800 && value <= 2200);
}

export function largestOf(values: readonly number[]): number {
  return values.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0);
}

export function rangeOf(values: readonly number[]): { readonly min: number; readonly max: number } {
  return values.reduce(({ min, max }, value) => ({ min: Math.min(min, value), max: Math.max(max, value) }), {
    min: Infinity,
    max: -Infinity,
  });
}

/** The next of 1, 2, 5, 10 … that is not smaller. */
export function niceStep(step: number): number {
  const power = 10 ** Math.floor(Math.log10(step));
  const factor = [1, 2, 5, 10].find((candidate) => candidate * power >= step * (1 - 1e-9)) ?? 10;
  return factor * power;
}

/** Whether a line may leave zero out: from a baseline of zero it would lie flat under the upper edge. */
export function leavesZeroOut(values: readonly number[]): boolean {
  const { min, max } = rangeOf(values);
  return min !== max && (min > max * 0.35 || max < min * 0.35) && min * max > 0;
}
