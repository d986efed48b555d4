import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { afterEach, describe, expect, it } from 'vitest';
import { InProcessLimits } from '../../src/adapters/embedded/in-process-limits.js';
import { RedisLimits } from '../../src/adapters/redis/redis-limits.js';
import { AppConfig } from '../../src/config/app-config.js';
import { readEnvironment } from '../../src/config/environment.js';
import { LoginLimits } from '../../src/features/auth/login-limits.js';
import type { Log } from '../../src/ports/log.js';
import type { SharedLimits } from '../../src/ports/shared-limits.js';
import { eventually } from '../support/eventually.js';
import { ManualClock } from '../support/manual-clock.js';
import { anInstallation, forgetInstallation, redisServer } from '../support/redis.js';
import { TcpProxy } from '../support/tcp-proxy.js';

/** What everything promises that counts limits. */
function sharedLimitsContract(open: () => Promise<SharedLimits>): void {
  it('counts each key in a window of its own, and loses none of many that come at once', async () => {
    const limits = await open();
    expect((await limits.count('ada', 60)).count).toBe(1);
    const again = await limits.count('ada', 60);
    expect(again.count).toBe(2);
    expect(again.resetMs).toBeGreaterThan(50_000);
    expect(again.resetMs).toBeLessThanOrEqual(60_000);
    expect((await limits.count('bob', 60)).count).toBe(1);
    expect((await limits.count('ada', 30)).count).toBe(1);
    const hundred = Array.from({ length: 100 }, (_, index) => index + 1);
    const counts = await Promise.all(hundred.map(async () => (await limits.count('eve', 60)).count));
    expect(counts.sort((a, b) => a - b)).toEqual(hundred);
  });

  it('begins a window anew when it is over', async () => {
    const limits = await open();
    await limits.count('ada', 1);
    const { resetMs } = await limits.count('ada', 1);
    await new Promise((wake) => setTimeout(wake, resetMs + 5));
    expect((await limits.count('ada', 1)).count).toBe(1);
  });

  it('gives away as many places as there are, however many ask at once, and each again when it is left', async () => {
    const limits = await open();
    const first = await limits.takePlace('ada', 2);
    await limits.takePlace('ada', 2);
    expect(await limits.takePlace('ada', 2)).toBeNull();
    expect(await limits.takePlace('bob', 2)).not.toBeNull();
    first?.();
    // Leaving twice frees one place.
    first?.();
    expect(await limits.takePlace('ada', 2)).not.toBeNull();
    expect(await limits.takePlace('ada', 2)).toBeNull();
    const taken = await Promise.all(Array.from({ length: 20 }, () => limits.takePlace('eve', 3)));
    expect(taken.filter((leave) => leave !== null)).toHaveLength(3);
  });

  it('keeps a note as long as it is to be kept', async () => {
    const limits = await open();
    expect(await limits.note('ada')).toBeNull();
    expect(await limits.replaceNote('ada', null, { text: 'one', forMs: 60_000 })).toBe(true);
    expect(await limits.note('ada')).toBe('one');
    expect(await limits.replaceNote('ada', 'one', null)).toBe(true);
    expect(await limits.note('ada')).toBeNull();
    await limits.replaceNote('ada', null, { text: 'short', forMs: 20 });
    await new Promise((wake) => setTimeout(wake, 30));
    expect(await limits.note('ada')).toBeNull();
  });

  it('replaces a note only where it is as it was seen', async () => {
    const limits = await open();
    await limits.replaceNote('ada', null, { text: 'one', forMs: 60_000 });
    expect(await limits.replaceNote('ada', null, { text: 'two', forMs: 60_000 })).toBe(false);
    expect(await limits.replaceNote('ada', 'other', null)).toBe(false);
    expect(await limits.note('ada')).toBe('one');
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, n) => limits.replaceNote('ada', 'one', { text: String(n), forMs: 60_000 })),
    );
    expect(all.filter(Boolean)).toHaveLength(1);
  });
}

function loginLimits(): LoginLimits {
  return new LoginLimits(new AppConfig(readEnvironment({})), clock, new InProcessLimits());
}

const clock = new ManualClock();
const ACCOUNT = 'ada@acme.example';
const wrong = (): Promise<null> => Promise.resolve(null);
const right = (): Promise<string> => Promise.resolve('in');

async function failTimes(count: number, on: LoginLimits): Promise<void> {
  for (let index = 0; index < count; index += 1) await on.run(ACCOUNT, wrong);
}

describe('login limits', () => {
  it('let the right password in after the delay, and start anew then', async () => {
    const on = loginLimits();
    await failTimes(5, on);
    clock.advance(5000);
    expect(await on.run(ACCOUNT, right)).toBe('in');
    await failTimes(4, on);
    expect(await on.run(ACCOUNT, right)).toBe('in');
  });

  it('let no more than five guesses through when a hundred come at once, and any number of right ones', async () => {
    const [guessed, known] = [loginLimits(), loginLimits()];
    let made = 0;
    const guess = async (): Promise<null> => {
      await Promise.resolve();
      made += 1;
      return null;
    };
    const hundred = Array.from({ length: 100 }, () => guess);
    const outcomes = await Promise.allSettled(hundred.map((each) => guessed.run(ACCOUNT, each)));
    expect(made).toBe(5);
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(95);
    const let100 = await Promise.all(hundred.map(() => known.run(ACCOUNT, right)));
    expect(let100).toEqual(hundred.map(() => 'in'));
  });

  it('go on after an attempt that broke off, and do not count it', async () => {
    const on = loginLimits();
    await failTimes(4, on);
    const away = (): Promise<null> => Promise.reject(new Error('store is away'));
    await expect(on.run(ACCOUNT, away)).rejects.toThrow('store is away');
    expect(await on.run(ACCOUNT, right)).toBe('in');
  });
});

describe('InProcessLimits', () => {
  sharedLimitsContract(() => Promise.resolve(new InProcessLimits()));
});

const ALONE = 'limits are counted by this instance alone';
const TOGETHER = 'limits are counted together with the other instances again';

describe.skipIf(redisServer === undefined)('RedisLimits', () => {
  const started: RedisLimits[] = [];
  const proxies: TcpProxy[] = [];
  const lines: string[] = [];
  let installation = anInstallation();
  const hear = (message: string): void => void lines.push(message);
  const log: Log = { info: hear, warn: hear, error: hear };

  const anInstance = async (url = redisServer ?? ''): Promise<RedisLimits> => {
    const limits = new RedisLimits({ url, origin: randomUUID(), installation }, log);
    started.push(limits);
    await shared(limits);
    return limits;
  };
  /** A client of the server itself, for as long as it is asked. */
  const onServer = async <T>(ask: (redis: Redis) => Promise<T>): Promise<T> => {
    const redis = new Redis(redisServer ?? '');
    return ask(redis).finally(() => {
      redis.disconnect();
    });
  };
  const keysOf = (part: string): Promise<readonly string[]> =>
    onServer((redis) => redis.keys(`*${installation}${part}*`));
  /** Until it counts with the others: what it counts alone begins at 1 again. */
  const shared = async (limits: RedisLimits): Promise<void> => {
    const before = (await keysOf('limits:window:77')).length;
    const key = randomUUID();
    await eventually(
      async () => {
        await limits.count(key, 77);
        return (await keysOf('limits:window:77')).length;
      },
      (now) => now > before,
    );
  };

  afterEach(async () => {
    await Promise.all(started.splice(0).map((limits) => limits.stop()));
    await Promise.all(proxies.splice(0).map((proxy) => proxy.close()));
    await forgetInstallation(installation);
    installation = anInstallation();
    lines.length = 0;
  });

  sharedLimitsContract(anInstance);

  it('counts what two instances see together', async () => {
    const [one, two] = [await anInstance(), await anInstance()];
    await one.count('ada', 60);
    expect((await two.count('ada', 60)).count).toBe(2);
    await one.replaceNote('ada', null, { text: 'seen', forMs: 60_000 });
    expect(await two.note('ada')).toBe('seen');
    const place = await one.takePlace('ada', 1);
    expect(await two.takePlace('ada', 1)).toBeNull();
    place?.();
    await expect.poll(() => two.takePlace('ada', 1)).not.toBeNull();
  });

  it('frees the places of an instance that is gone', async () => {
    const [gone, other] = [await anInstance(), await anInstance()];
    await gone.takePlace('ada', 1);
    expect(await other.takePlace('ada', 1)).toBeNull();
    // As time does it.
    const alive = await keysOf('limits:alive:');
    await onServer((redis) => redis.del([...alive]));
    expect(await other.takePlace('ada', 1)).not.toBeNull();
  });

  it('shows nobody whose limits they are', async () => {
    const limits = await anInstance();
    await limits.count('ada@acme.example', 60);
    await limits.takePlace('ada@acme.example', 1);
    await limits.replaceNote('ada@acme.example', null, { text: '1', forMs: 60_000 });
    const keys = await keysOf('');
    expect(keys.length).toBeGreaterThan(3);
    expect(keys.join('\n')).not.toContain('acme');
  });

  it('counts alone while Redis is away, and together when it is back, and says each once', async () => {
    const proxy = await TcpProxy.open(redisServer ?? '');
    proxies.push(proxy);
    const [cutOff, other] = [await anInstance(proxy.url), await anInstance()];
    const kept = await cutOff.takePlace('ada', 2);
    proxy.cut();
    const began = performance.now();
    for (let n = 1; n <= 20; n += 1) expect((await cutOff.count('ada', 60)).count).toBeLessThanOrEqual(20);
    expect((await cutOff.count('ada', 60)).count).toBeGreaterThanOrEqual(20);
    expect(performance.now() - began).toBeLessThan(5000);
    // What it holds counts, also when it is left meanwhile.
    const second = await cutOff.takePlace('ada', 2);
    expect(second).not.toBeNull();
    expect(await cutOff.takePlace('ada', 2)).toBeNull();
    kept?.();
    second?.();
    proxy.mend();
    await shared(cutOff);
    await other.count('bob', 60);
    await expect.poll(async () => (await cutOff.count('bob', 60)).count).toBeGreaterThan(1);
    await cutOff.takePlace('ada', 2);
    expect(await other.takePlace('ada', 2)).not.toBeNull();
    expect(await other.takePlace('ada', 2)).toBeNull();
    expect(lines).toEqual([ALONE, TOGETHER]);
  });
});
