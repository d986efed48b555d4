import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
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

/** Counts what each key does in a window of time. A limit of 0 counts nothing. */
export class RateLimiter {
  private readonly counts: RateLimiterMemory;

  constructor(
    private readonly limit: number,
    windowSeconds: number,
  ) {
    this.counts = new RateLimiterMemory({ points: Math.max(limit, 1), duration: windowSeconds });
  }

  /** @throws RateLimitError when the key has used up its window. */
  async consume(key: string): Promise<RateState | null> {
    if (this.limit === 0) return null;
    const counted: unknown = await this.counts.consume(key).catch((refusal: unknown) => refusal);
    if (!(counted instanceof RateLimiterRes)) throw counted;
    const reset = Math.ceil(counted.msBeforeNext / 1000);
    const state = { limit: this.limit, remaining: counted.remainingPoints, reset };
    if (counted.consumedPoints > this.limit) throw new RateLimitError(state);
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
