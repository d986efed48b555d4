import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import type { Log } from '../../ports/log.js';
import { SharedLimits, type WindowCount } from '../../ports/shared-limits.js';
import { InProcessLimits } from '../embedded/in-process-limits.js';
import { Outage } from './outage.js';
import { connectRedis, KEY_PREFIX } from './redis-connection.js';
import type { RedisEventOptions } from './redis-event-stream.js';
import { SharedPlaces } from './shared-places.js';

/** A request waits no longer than this for its count. */
const COMMAND_MS = 500;
/** So long nobody asks a Redis again that did not answer. */
const LEFT_ALONE_MS = 2000;
const MANY = Number.MAX_SAFE_INTEGER;

/** KEYS: the note. ARGV: what was seen there (empty: nothing), what is to stand there (empty: nothing), for how long. */
const REPLACE = `
if (redis.call('GET', KEYS[1]) or '') ~= ARGV[1] then return 0 end
if ARGV[2] == '' then redis.call('DEL', KEYS[1]) else redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3]) end
return 1
`;

/** Counts of all instances, in Redis. While it is away each counts for itself. */
export class RedisLimits extends SharedLimits {
  private readonly redis: Redis;
  private readonly prefix: string;
  private readonly windows = new Map<number, RateLimiterRedis>();
  private readonly places: SharedPlaces;
  private readonly alone = new InProcessLimits();
  private readonly outage: Outage;
  private leftAloneUntil = 0;
  /** Until it is, nobody misses it: an instance that starts does not wait for it. */
  private wasThere = false;

  constructor({ url, installation, origin }: RedisEventOptions, log: Log) {
    super();
    this.redis = connectRedis(url, 'limits', { commandMs: COMMAND_MS });
    this.redis.once('ready', () => (this.wasThere = true));
    this.prefix = `${KEY_PREFIX}:${installation}limits:`;
    this.places = new SharedPlaces(this.redis, { prefix: this.prefix, origin });
    this.outage = new Outage(log, {
      begun: 'limits are counted by this instance alone',
      over: 'limits are counted together with the other instances again',
    });
  }

  override count(key: string, windowSeconds: number): Promise<WindowCount> {
    return this.together(
      async () => {
        const { consumedPoints, msBeforeNext } = await this.windowOf(windowSeconds).consume(hidden(key));
        return { count: consumedPoints, resetMs: msBeforeNext };
      },
      () => this.alone.count(key, windowSeconds),
    );
  }

  override takePlace(key: string, most: number): Promise<(() => void) | null> {
    return this.together(
      () => this.places.take(hidden(key), most),
      () => Promise.resolve(this.places.takeAlone(hidden(key), most)),
    );
  }

  override note(key: string): Promise<string | null> {
    return this.together(
      () => this.redis.get(this.noteKey(key)),
      () => this.alone.note(key),
    );
  }

  override replaceNote(
    key: string,
    seen: string | null,
    next: { text: string; forMs: number } | null,
  ): Promise<boolean> {
    const args = [seen ?? '', next?.text ?? '', next?.forMs ?? 1];
    return this.together(
      async () => (await this.redis.eval(REPLACE, 1, this.noteKey(key), ...args)) === 1,
      () => this.alone.replaceNote(key, seen, next),
    );
  }

  override stop(): Promise<void> {
    this.places.stop();
    this.redis.disconnect();
    return Promise.resolve();
  }

  private async together<T>(ask: () => Promise<T>, alone: () => Promise<T>): Promise<T> {
    if (this.redis.status !== 'ready') {
      if (this.wasThere) this.outage.failed('Redis is not there');
      return alone();
    }
    if (performance.now() < this.leftAloneUntil) return alone();
    try {
      const answer = await ask();
      this.outage.succeeded();
      return answer;
    } catch (error) {
      this.outage.failed(error);
      this.leftAloneUntil = performance.now() + LEFT_ALONE_MS;
      return alone();
    }
  }

  private windowOf(seconds: number): RateLimiterRedis {
    const known = this.windows.get(seconds);
    if (known !== undefined) return known;
    const keyPrefix = `${this.prefix}window:${seconds}`;
    const window = new RateLimiterRedis({ storeClient: this.redis, keyPrefix, points: MANY, duration: seconds });
    this.windows.set(seconds, window);
    return window;
  }

  private noteKey(key: string): string {
    return `${this.prefix}note:${hidden(key)}`;
  }
}

/** Keys name people. */
function hidden(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}
