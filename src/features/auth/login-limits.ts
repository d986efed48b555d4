import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../config/app-config.js';
import { RateLimiter } from '../../http/rate-limiter.js';
import { Clock } from '../../ports/clock.js';
import { SharedLimits } from '../../ports/shared-limits.js';
import { AppError } from '../../shared/app-error.js';
import { KeyedSemaphore } from '../../shared/keyed-semaphore.js';

/** Others may write the same note meanwhile; so often in a row only under attack. */
const MOST_TRIES = 50;

/**
 * Slows down who guesses passwords: so many attempts a minute from one address, and growing delays for one account, whether it exists
 * or not, on whatever instances.
 */
@Injectable()
export class LoginLimits {
  private readonly addresses: RateLimiter;
  private readonly turns = new KeyedSemaphore();

  constructor(
    config: AppConfig,
    private readonly clock: Clock,
    private readonly limits: SharedLimits,
  ) {
    const { loginsPerMinute } = config.limits;
    this.addresses = new RateLimiter(limits, { name: 'logins', limit: loginsPerMinute, windowSeconds: 60 });
  }

  /** @throws AppError `rate_limited` when the address has used up its minute. */
  async admit(address: string): Promise<void> {
    await this.addresses.consume(address);
  }

  /**
   * Runs an attempt, null being a failure. Attempts on one account wait for each other: else many at once would all be let through before the
   * first has failed.
   *
   * @throws AppError `rate_limited` when the account has to wait.
   */
  run<T>(account: string, attempt: () => Promise<T | null>): Promise<T | null> {
    return this.turns.run(account, () => this.runNow(account, attempt));
  }

  /** An attempt counts as failed until it is known how it ended: those on other instances see it. */
  private async runNow<T>(account: string, attempt: () => Promise<T | null>): Promise<T | null> {
    const at = await this.begin(account);
    let outcome: T | null;
    try {
      outcome = await attempt();
    } catch (error) {
      await this.change(account, (failures) => without(failures, at));
      throw error;
    }
    if (outcome !== null) await this.change(account, () => []);
    return outcome;
  }

  private async begin(account: string): Promise<number> {
    const at = this.clock.now().getTime();
    await this.change(account, (failures) => {
      const wait = delayLeft(failures, at);
      if (wait > 0) throw tooManyFailures(Math.ceil(wait / 1000));
      return withFailure(failures, at);
    });
    return at;
  }

  private async change(account: string, next: (failures: Failures) => Failures): Promise<void> {
    const key = `login-failures:${account}`;
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const seen = await this.limits.note(key);
      const failures = next(failuresIn(seen));
      const note = failures.length === 0 ? null : { text: failures.join(' '), forMs: WINDOW_MS };
      if (await this.limits.replaceNote(key, seen, note)) return;
    }
    throw tooManyFailures(1);
  }
}

function tooManyFailures(retryAfter: number): AppError {
  return new AppError('rate_limited', 'too many failed logins, try again later', { retryAfter });
}

function failuresIn(note: string | null): Failures {
  return note === null ? [] : note.split(' ').map(Number);
}

/** All but one of that time. */
function without(failures: Failures, at: number): Failures {
  return failures.toSpliced(failures.lastIndexOf(at), failures.includes(at) ? 1 : 0);
}

/** How long a failure counts. */
const WINDOW_MS = 15 * 60 * 1000;
const FREE_FAILURES = 5;
const FIRST_DELAY_MS = 5_000;
const LONGEST_DELAY_MS = WINDOW_MS;

/** Failed logins of one account, in milliseconds since 1970, oldest first. */
export type Failures = readonly number[];

/** Milliseconds until the next attempt is let through: 5 s after the fifth failure in 15 minutes, and twice as long after each further one. */
export function delayLeft(failures: Failures, now: number): number {
  const recent = withinWindow(failures, now);
  const last = recent.at(-1);
  if (last === undefined || recent.length < FREE_FAILURES) return 0;
  const delay = Math.min(FIRST_DELAY_MS * 2 ** (recent.length - FREE_FAILURES), LONGEST_DELAY_MS);
  return Math.max(last + delay - now, 0);
}

export function withFailure(failures: Failures, now: number): Failures {
  return [...withinWindow(failures, now), now];
}

function withinWindow(failures: Failures, now: number): Failures {
  return failures.filter((at) => at > now - WINDOW_MS);
}
