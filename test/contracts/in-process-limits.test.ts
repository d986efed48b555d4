import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { InProcessLimits } from '../../src/adapters/embedded/in-process-limits.js';
import { AppConfig } from '../../src/config/app-config.js';
import { readEnvironment } from '../../src/config/environment.js';
import { LoginLimits } from '../../src/features/auth/login-limits.js';
import { ADA, BOB } from '../../src/features/stream/stream.fixture.js';
import { OpenPlaces } from '../../src/features/stream/upgrade-authenticator.js';
import { ManualClock } from '../support/manual-clock.js';
import { sharedLimitsContract } from './shared-limits.contract.js';

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
