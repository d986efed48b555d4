/** The least value that so large a part of all does not exceed: 0.5 gives the median. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(Math.floor(sorted.length * part), sorted.length - 1)] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

/** What came of something, and how many milliseconds it took. */
export async function timed<T>(work: () => T | Promise<T>): Promise<readonly [T, number]> {
  const begun = performance.now();
  const made = await work();
  return [made, performance.now() - begun];
}

export async function timeOf(work: () => unknown): Promise<number> {
  return (await timed(work))[1];
}

/** Milliseconds of each of so many turns, after some that warm up. */
export async function timesOf(turns: number, work: (turn: number) => unknown, atOnce = 1): Promise<readonly number[]> {
  for (let turn = 0; turn < WARM_UP; turn += 1) await work(turn);
  const times: number[] = [];
  let next = 0;
  const loop = async (): Promise<void> => {
    for (let turn = next++; turn < turns; turn = next++) times.push(await timeOf(() => work(turn)));
  };
  await Promise.all(Array.from({ length: atOnce }, loop));
  return times;
}

export const WARM_UP = 5;

/** A line of a report: `plot   p50 7.9 ms, p95 10.6 ms, p99 12.0 ms (200)`. */
export function line(name: string, times: readonly number[]): string {
  const [p50, p95, p99] = [0.5, 0.95, 0.99].map((part) => quantile(times, part).toFixed(1));
  return `${name.padEnd(58)} p50 ${p50} ms, p95 ${p95} ms, p99 ${p99} ms (${times.length})`;
}

/** How often the second median goes into the first. */
export function ratio(times: readonly number[], baseline: readonly number[]): string {
  return `${(median(times) / median(baseline)).toFixed(2)} times`;
}
