import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { AppConfig } from '../../config/app-config.js';
import { RateLimiter } from '../../http/rate-limiter.js';
import { Clock } from '../../ports/clock.js';
import { tooManyFailures } from './auth.errors.js';
import { delayLeft, withFailure, type Failures } from './login-delay.js';

/** Accounts whose failures are remembered; the one that was quiet for longest is forgotten first. */
const REMEMBERED_ACCOUNTS = 10_000;

/**
 * Slows down who guesses passwords: so many attempts a minute from one address, and growing delays for one account, whether it exists or not.
 * What it remembers is in memory, so each instance counts for itself.
 */
@Injectable()
export class LoginLimits {
  private readonly addresses: RateLimiter;
  private readonly failures = new LRUCache<string, Failures>({ max: REMEMBERED_ACCOUNTS });
  private readonly queues = new Map<string, Promise<void>>();

  constructor(
    config: AppConfig,
    private readonly clock: Clock,
  ) {
    this.addresses = new RateLimiter(config.limits.loginsPerMinute, 60);
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
    const before = this.queues.get(account) ?? Promise.resolve();
    const mine = before.then(() => this.runNow(account, attempt));
    const done = mine.then(ignore, ignore).then(() => {
      if (this.queues.get(account) === done) this.queues.delete(account);
    });
    this.queues.set(account, done);
    return mine;
  }

  private async runNow<T>(account: string, attempt: () => Promise<T | null>): Promise<T | null> {
    const failures = this.failures.get(account) ?? [];
    const wait = delayLeft(failures, this.clock.now().getTime());
    if (wait > 0) throw tooManyFailures(Math.ceil(wait / 1000));

    const outcome = await attempt();
    if (outcome === null) this.failures.set(account, withFailure(failures, this.clock.now().getTime()));
    else this.failures.delete(account);
    return outcome;
  }
}

/** Whoever made the attempt hears of its outcome; the next in the queue only waits for its end. */
function ignore(): void {
  return;
}
