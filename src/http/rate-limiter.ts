import type { SharedLimits } from '../ports/shared-limits.js';
import { AppError } from '../shared/app-error.js';

export interface RateState {
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the count begins anew. */
  readonly reset: number;
}

/** Too many requests, with the state that the answer's `ratelimit-*` headers tell. */
export class RateLimitError extends AppError {
  constructor(readonly state: RateState) {
    super('rate_limited', 'too many requests', { retryAfter: Math.max(state.reset, 1) });
  }
}

export interface RateRule {
  /** Tells apart what is counted. */
  readonly name: string;
  /** In a window; 0 counts nothing. */
  readonly limit: number;
  readonly windowSeconds: number;
}

/** Counts what each key does in a window of time, on whatever instance. */
export class RateLimiter {
  constructor(
    private readonly limits: SharedLimits,
    private readonly rule: RateRule,
  ) {}

  /** @throws RateLimitError when the key has used up its window. */
  async consume(key: string): Promise<RateState | null> {
    const { name, limit, windowSeconds } = this.rule;
    if (limit === 0) return null;
    const { count, resetMs } = await this.limits.count(`${name}:${key}`, windowSeconds);
    const state = { limit, remaining: Math.max(limit - count, 0), reset: Math.ceil(resetMs / 1000) };
    if (count > limit) throw new RateLimitError(state);
    return state;
  }
}

export function rateHeaders({ limit, remaining, reset }: RateState): Readonly<Record<string, string>> {
  return {
    'ratelimit-limit': String(limit),
    'ratelimit-remaining': String(remaining),
    'ratelimit-reset': String(reset),
  };
}
