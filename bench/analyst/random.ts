/** Numbers that look random and are the same in every run. */
export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** 0 to 1, without 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = this.state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  /** Both ends included. */
  int(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  normal(mean: number, deviation: number, decimals = 1): number {
    const radius = Math.sqrt(-2 * Math.log(1 - this.next()));
    return rounded(mean + deviation * radius * Math.cos(2 * Math.PI * this.next()), decimals);
  }

  /** Many small values and a few very large ones. */
  skewed(median: number, spread: number, decimals = 1): number {
    return rounded(median * Math.exp(this.normal(0, spread, 6)), decimals);
  }

  /** The first ones more often than the last. */
  pick<T>(values: readonly T[], lean = 1): T {
    const value = values[Math.floor(this.next() ** lean * values.length)];
    if (value === undefined) throw new Error('nothing to pick from');
    return value;
  }

  /** The value, or with the given chance none. */
  maybe<T>(value: T, missing: number): T | null {
    return this.chance(missing) ? null : value;
  }
}

export function rounded(value: number, decimals: number): number {
  return Number(value.toFixed(decimals));
}

/** `days` after the first one, as a date. */
export function dayAfter(first: string, days: number): string {
  return new Date(Date.parse(`${first}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

/** `minutes` after the first moment, as a date and a time of day. */
export function minuteAfter(first: string, minutes: number): string {
  return new Date(Date.parse(`${first}:00Z`) + minutes * 60_000).toISOString().slice(0, 19).replace('T', ' ');
}
