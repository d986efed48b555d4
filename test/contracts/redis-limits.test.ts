import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { afterEach, describe, expect, it } from 'vitest';
import { RedisLimits } from '../../src/adapters/redis/redis-limits.js';
import type { Log } from '../../src/ports/log.js';
import { eventually } from '../support/eventually.js';
import { anInstallation, forgetInstallation, redisServer } from '../support/redis.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { sharedLimitsContract } from './shared-limits.contract.js';

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
