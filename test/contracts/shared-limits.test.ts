import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { Redis } from 'ioredis';
import { afterEach, describe, expect, it } from 'vitest';
import { InProcessLimits } from '../../src/adapters/embedded/in-process-limits.js';
import { RedisLimits } from '../../src/adapters/redis/redis-limits.js';
import { AppConfig } from '../../src/config/app-config.js';
import { readEnvironment } from '../../src/config/environment.js';
import { LoginLimits } from '../../src/features/auth/login-limits.js';
import { ADA, BOB } from '../../src/features/stream/stream.fixture.js';
import { OpenPlaces } from '../../src/features/stream/upgrade-authenticator.js';
import type { Log } from '../../src/ports/log.js';
import type { SharedLimits } from '../../src/ports/shared-limits.js';
import { eventually } from '../support/eventually.js';
import { ManualClock } from '../support/manual-clock.js';
import { anInstallation, forgetInstallation, redisServer } from '../support/redis.js';
import { TcpProxy } from '../support/tcp-proxy.js';

/** What everything promises that counts limits. */
function sharedLimitsContract(open: () => Promise<SharedLimits>): void {
  it('counts each key in a window of its own', async () => {
    const limits = await open();
    expect((await limits.count('ada', 60)).count).toBe(1);
    const again = await limits.count('ada', 60);
    expect(again.count).toBe(2);
    expect(again.resetMs).toBeGreaterThan(50_000);
    expect(again.resetMs).toBeLessThanOrEqual(60_000);
    expect((await limits.count('bob', 60)).count).toBe(1);
    expect((await limits.count('ada', 30)).count).toBe(1);
  });

  it('loses none of many that come at once', async () => {
    const limits = await open();
    const counts = await Promise.all(Array.from({ length: 100 }, () => limits.count('ada', 60)));
    expect(counts.map(({ count }) => count).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 100 }, (_, i) => i + 1),
    );
  });

  it('begins a window anew when it is over', async () => {
    const limits = await open();
    await limits.count('ada', 1);
    const { resetMs } = await limits.count('ada', 1);
    await new Promise((wake) => setTimeout(wake, resetMs + 5));
    expect((await limits.count('ada', 1)).count).toBe(1);
  });

  it('gives away as many places as there are, and each again when it is left', async () => {
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
  });

  it('gives no place twice when many ask at once', async () => {
    const limits = await open();
    const taken = await Promise.all(Array.from({ length: 20 }, () => limits.takePlace('ada', 3)));
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

function limits(environment: Record<string, string> = {}): {
  readonly limits: LoginLimits;
  readonly clock: ManualClock;
} {
  const clock = new ManualClock();
  const config = new AppConfig(readEnvironment(environment));
  return { limits: new LoginLimits(config, clock, new InProcessLimits()), clock };
}

const wrong = (): Promise<null> => Promise.resolve(null);
const right = (): Promise<string> => Promise.resolve('in');

async function failTimes(count: number, on: LoginLimits, account = 'ada@acme.example'): Promise<void> {
  for (let index = 0; index < count; index += 1) await on.run(account, wrong);
}

describe('login limits of an account', () => {
  it('let the right password in after the delay, and start anew then', async () => {
    const { limits: on, clock } = limits();
    await failTimes(5, on);
    clock.advance(5000);
    expect(await on.run('ada@acme.example', right)).toBe('in');
    await failTimes(4, on);
    expect(await on.run('ada@acme.example', right)).toBe('in');
  });

  it('let no more than five guesses through when a hundred come at once', async () => {
    const { limits: on } = limits();
    let made = 0;
    const guess = async (): Promise<null> => {
      await Promise.resolve();
      made += 1;
      return null;
    };
    const outcomes = await Promise.allSettled(Array.from({ length: 100 }, () => on.run('ada@acme.example', guess)));
    expect(made).toBe(5);
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(95);
  });

  it('let any number of right passwords through at once', async () => {
    const { limits: on } = limits();
    const outcomes = await Promise.all(Array.from({ length: 100 }, () => on.run('ada@acme.example', right)));
    expect(outcomes).toEqual(Array.from({ length: 100 }, () => 'in'));
  });

  it('go on after an attempt that broke off, and do not count it', async () => {
    const { limits: on } = limits();
    await failTimes(4, on);
    const away = (): Promise<null> => Promise.reject(new Error('store is away'));
    await expect(on.run('ada@acme.example', away)).rejects.toThrow('store is away');
    expect(await on.run('ada@acme.example', right)).toBe('in');
  });
});

describe('login limits of an address', () => {
  it('refuse what goes beyond the configured number a minute', async () => {
    const { limits: on } = limits({ LOGIN_RATE_LIMIT: '2' });
    await on.admit('192.0.2.1');
    await on.admit('192.0.2.1');
    await expect(on.admit('192.0.2.1')).rejects.toMatchObject({ kind: 'rate_limited' });
    await expect(on.admit('192.0.2.2')).resolves.toBeUndefined();
  });
});

class Connection extends EventEmitter {
  destroyed = false;
}

function places(perUser: number): OpenPlaces {
  return new OpenPlaces(new InProcessLimits(), perUser);
}

describe('places', () => {
  it('are counted per user, and one more is refused with the time to come back', async () => {
    const two = places(2);
    await two.take(ADA.userId, new Connection());
    await two.take(ADA.userId, new Connection());
    await expect(two.take(ADA.userId, new Connection())).rejects.toMatchObject({
      kind: 'rate_limited',
      retryAfter: 30,
    });
    await expect(two.take(BOB.userId, new Connection())).resolves.toBeUndefined();
  });

  it('are free again when a connection closes', async () => {
    const one = places(1);
    const first = new Connection();
    await one.take(ADA.userId, first);
    first.emit('close');
    await expect(one.take(ADA.userId, new Connection())).resolves.toBeUndefined();
  });

  it('are not taken by a connection that is gone already, or goes before it has one', async () => {
    const one = places(1);
    await one.take(ADA.userId, Object.assign(new Connection(), { destroyed: true }));
    const going = new Connection();
    const taken = one.take(ADA.userId, going);
    going.destroyed = true;
    await taken;
    await expect(one.take(ADA.userId, new Connection())).resolves.toBeUndefined();
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
  const log: Log = {
    info: (message) => void lines.push(message),
    warn: (message) => void lines.push(message),
    error: (message) => void lines.push(message),
  };

  const anInstance = async (url = redisServer ?? ''): Promise<RedisLimits> => {
    const limits = new RedisLimits({ url, origin: randomUUID(), installation }, log);
    started.push(limits);
    await shared(limits);
    return limits;
  };
  /** Until it counts with the others: what it counts alone begins at 1 again. */
  const shared = async (limits: RedisLimits): Promise<void> => {
    const redis = new Redis(redisServer ?? '');
    const keys = async (): Promise<number> => (await redis.keys(`*${installation}limits:window:77*`)).length;
    const before = await keys();
    const key = randomUUID();
    await eventually(
      async () => {
        await limits.count(key, 77);
        return keys();
      },
      (now) => now > before,
    );
    redis.disconnect();
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
    await eventually(
      () => two.takePlace('ada', 1),
      (taken) => taken !== null,
    );
  });

  it('frees the places of an instance that is gone', async () => {
    const [gone, other] = [await anInstance(), await anInstance()];
    await gone.takePlace('ada', 1);
    expect(await other.takePlace('ada', 1)).toBeNull();
    const redis = new Redis(redisServer ?? '');
    // As time does it.
    await redis.del(await redis.keys(`*${installation}limits:alive:*`));
    redis.disconnect();
    expect(await other.takePlace('ada', 1)).not.toBeNull();
  });

  it('shows nobody whose limits they are', async () => {
    const limits = await anInstance();
    await limits.count('ada@acme.example', 60);
    await limits.takePlace('ada@acme.example', 1);
    await limits.replaceNote('ada@acme.example', null, { text: '1', forMs: 60_000 });
    const redis = new Redis(redisServer ?? '');
    const keys = await redis.keys(`*${installation}*`);
    redis.disconnect();
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
    await eventually(
      async () => (await cutOff.count('bob', 60)).count,
      (count) => count > 1,
    );
    await cutOff.takePlace('ada', 2);
    expect(await other.takePlace('ada', 2)).not.toBeNull();
    expect(await other.takePlace('ada', 2)).toBeNull();
    expect(lines).toEqual([ALONE, TOGETHER]);
  });
});
