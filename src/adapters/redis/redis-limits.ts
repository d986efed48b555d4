import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import type { Log } from '../../ports/log.js';
import { SharedLimits, type WindowCount } from '../../ports/shared-limits.js';
import { HeldPlaces, InProcessLimits } from '../embedded/in-process-limits.js';
import { Outage } from '../../ports/outage.js';
import { connectRedis, KEY_PREFIX, type RedisOptions } from './redis-connection.js';
import { DAY_MS } from '../../shared/durations.js';

/** A request waits no longer than this for its count. */
const COMMAND_MS = 500;
/** So long nobody asks a Redis again that did not answer. */
const LEFT_ALONE_MS = 2000;
/** Who asks decides how many are too many. */
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
  private readonly windows: RateLimiterRedis;
  private readonly places: SharedPlaces;
  private readonly alone = new InProcessLimits();
  private readonly outage: Outage;
  private leftAloneUntil = 0;
  /** Until it is, nobody misses it: an instance that starts does not wait for it. */
  private wasThere = false;

  constructor({ url, installation, origin }: RedisOptions, log: Log) {
    super();
    this.redis = connectRedis(url, 'limits', { commandMs: COMMAND_MS });
    this.redis.once('ready', () => (this.wasThere = true));
    this.prefix = `${KEY_PREFIX}:${installation}limits:`;
    this.windows = new RateLimiterRedis({
      storeClient: this.redis,
      keyPrefix: `${this.prefix}window`,
      points: MANY,
      duration: 1,
    });
    this.places = new SharedPlaces(this.redis, this.prefix, origin);
    this.outage = new Outage(log, {
      begun: 'limits are counted by this instance alone',
      over: 'limits are counted together with the other instances again',
    });
  }

  override count(key: string, windowSeconds: number): Promise<WindowCount> {
    return this.together(
      async () => {
        const window = `${windowSeconds}:${hidden(key)}`;
        const { consumedPoints, msBeforeNext } = await this.windows.consume(window, 1, {
          customDuration: windowSeconds,
        });
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

  private noteKey(key: string): string {
    return `${this.prefix}note:${hidden(key)}`;
  }
}

/** Keys name people. */
function hidden(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}

/** An instance that was not heard of for so long is gone, and its places are free. */
const ALIVE_MS = 30_000;
const BEAT_MS = 10_000;
const FORGOTTEN_MS = DAY_MS;

/**
 * KEYS: the places of somebody, this instance's sign of life. ARGV: this instance, how many it holds, how many there are, what the
 * signs of life begin with, how long one is good, how long the places are kept.
 */
const TAKE = `
redis.call('SET', KEYS[2], '1', 'PX', ARGV[5])
local taken = tonumber(ARGV[2])
local held = redis.call('HGETALL', KEYS[1])
for at = 1, #held, 2 do
  if held[at] ~= ARGV[1] then
    if redis.call('EXISTS', ARGV[4] .. held[at]) == 1 then taken = taken + tonumber(held[at + 1])
    else redis.call('HDEL', KEYS[1], held[at]) end
  end
end
if taken >= tonumber(ARGV[3]) then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], tonumber(ARGV[2]) + 1)
redis.call('PEXPIRE', KEYS[1], ARGV[6])
return 1
`;

/**
 * Places that all instances give away together. Each says how many it holds itself; who is gone holds none, and who could not be
 * reached says it again.
 */
class SharedPlaces {
  private readonly held = new HeldPlaces();
  /** Keys of which the others don't know how many are held here. */
  private readonly untold = new Set<string>();
  private readonly beat: NodeJS.Timeout;

  /** `prefix` begins every key; no other instance has this `origin`. */
  constructor(
    private readonly redis: Redis,
    private readonly prefix: string,
    private readonly origin: string,
  ) {
    this.beat = setInterval(() => {
      void this.tell();
    }, BEAT_MS).unref();
  }

  /** @throws Error when the others can't be asked. */
  async take(key: string, most: number): Promise<(() => void) | null> {
    const held = this.held.of(key);
    this.held.change(key, 1);
    try {
      return (await this.ask(key, held, most)) === 1 ? this.taken(key) : null;
    } finally {
      this.held.change(key, -1);
    }
  }

  /** One of this instance's own, while the others can't be asked. */
  takeAlone(key: string, most: number): (() => void) | null {
    if (this.held.of(key) >= most) return null;
    this.untold.add(key);
    return this.taken(key);
  }

  stop(): void {
    clearInterval(this.beat);
  }

  private ask(key: string, held: number, most: number): Promise<unknown> {
    const args = [this.origin, held, most, this.aliveKey(''), ALIVE_MS, FORGOTTEN_MS];
    return this.redis.eval(TAKE, 2, this.placesKey(key), this.aliveKey(this.origin), ...args);
  }

  private taken(key: string): () => void {
    return this.held.take(key, () => {
      this.untold.add(key);
      void this.tell();
    });
  }

  /** Never rejects: what could not be told is told at the next beat. */
  private async tell(): Promise<void> {
    if (this.redis.status !== 'ready') return;
    const keys = [...this.untold];
    this.untold.clear();
    const pipeline = this.redis.pipeline().set(this.aliveKey(this.origin), '1', 'PX', ALIVE_MS);
    for (const key of keys) {
      const [held, places] = [this.held.of(key), this.placesKey(key)];
      if (held > 0) pipeline.hset(places, this.origin, held).pexpire(places, FORGOTTEN_MS);
      else pipeline.hdel(places, this.origin);
    }
    try {
      await pipeline.exec();
    } catch {
      for (const key of keys) this.untold.add(key);
    }
  }

  private placesKey(key: string): string {
    return `${this.prefix}places:${key}`;
  }

  private aliveKey(origin: string): string {
    return `${this.prefix}alive:${origin}`;
  }
}
