import { describe, expect, it } from 'vitest';
import { InProcessLimits } from '../../src/adapters/embedded/in-process-limits.js';
import { AppConfig } from '../../src/config/app-config.js';
import { readEnvironment } from '../../src/config/environment.js';
import { Clock } from '../../src/ports/clock.js';
import { LoginLimits } from '../../src/features/auth/login-limits.js';

class MovedClock extends Clock {
  private time = Date.parse('2026-03-01T08:00:00.000Z');

  override now(): Date {
    return new Date(this.time);
  }

  forward(seconds: number): void {
    this.time += seconds * 1000;
  }
}

function limits(environment: Record<string, string> = {}): {
  readonly limits: LoginLimits;
  readonly clock: MovedClock;
} {
  const clock = new MovedClock();
  const config = new AppConfig(readEnvironment(environment));
  return { limits: new LoginLimits(config, clock, new InProcessLimits()), clock };
}

const wrong = (): Promise<null> => Promise.resolve(null);
const right = (): Promise<string> => Promise.resolve('in');

async function failTimes(count: number, on: LoginLimits, account = 'ada@acme.example'): Promise<void> {
  for (let index = 0; index < count; index += 1) await on.run(account, wrong);
}

describe('login limits of an account', () => {
  it('refuse the sixth attempt at once, without making it, and say when to come back', async () => {
    const { limits: on } = limits();
    await failTimes(5, on);
    let made = false;
    const attempt = (): Promise<string> => {
      made = true;
      return right();
    };
    await expect(on.run('ada@acme.example', attempt)).rejects.toMatchObject({ kind: 'rate_limited', retryAfter: 5 });
    expect(made).toBe(false);
  });

  it('let the right password in after the delay, and start anew then', async () => {
    const { limits: on, clock } = limits();
    await failTimes(5, on);
    clock.forward(5);
    expect(await on.run('ada@acme.example', right)).toBe('in');
    await failTimes(4, on);
    expect(await on.run('ada@acme.example', right)).toBe('in');
  });

  it('leave other accounts alone', async () => {
    const { limits: on } = limits();
    await failTimes(5, on);
    expect(await on.run('eve@globex.example', right)).toBe('in');
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
