/** A line of the report. */
export interface Figure {
  readonly name: string;
  readonly value: string;
  readonly baseline?: string;
  readonly aim?: string;
}

export function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(Math.floor(sorted.length * part), sorted.length - 1)] ?? NaN;
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** `12 ms`, with the slowest of them in brackets. */
export function milliseconds(values: readonly number[]): string {
  return `${median(values).toFixed(0)} ms (max ${Math.max(...values).toFixed(0)})`;
}

/** How long something took, in milliseconds. */
export async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}

/** One after the other. */
export async function times<T>(count: number, work: (turn: number) => Promise<T>): Promise<readonly T[]> {
  const results: T[] = [];
  for (let turn = 0; turn < count; turn += 1) results.push(await work(turn));
  return results;
}
