import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Log } from '../../ports/log.js';
import { AppError } from '../../shared/app-error.js';
import { type BackEnds, HealthFacade } from './health.facade.js';

class Lines extends Log {
  readonly lines: unknown[] = [];
  override info(message: string, context?: object): void {
    this.lines.push({ message, ...context });
  }
  override warn(message: string, context?: object): void {
    this.lines.push({ message, ...context });
  }
  override error(): void {
    throw new Error('not expected');
  }
}

describe('the health of the back-ends', () => {
  let answers: Record<string, () => Promise<unknown>>;
  let log: Lines;
  let health: HealthFacade;
  beforeEach(() => {
    answers = { documents: () => Promise.resolve(), jobs: () => Promise.resolve() };
    log = new Lines();
    const backEnds = {
      checks: () => Object.fromEntries(Object.entries(answers).map(([name, ask]) => [name, ask()])),
    } as unknown as BackEnds;
    health = new HealthFacade(backEnds, log);
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const refused = (): Promise<never> =>
    Promise.reject(new AppError('unavailable', 'not available', { cause: new TypeError('mongodb://u:secret@h') }));

  it('logs nothing of back-ends that answer', async () => {
    expect(await health.check()).toEqual({ documents: 'up', jobs: 'up' });
    expect(log.lines).toEqual([]);
  });

  it('logs once that one has gone, with the reason, and once that it is there again', async () => {
    answers['documents'] = refused;
    expect(await health.check()).toEqual({ documents: 'down', jobs: 'up' });
    expect(await health.check()).toEqual({ documents: 'down', jobs: 'up' });
    answers['documents'] = () => Promise.resolve();
    expect(await health.check()).toEqual({ documents: 'up', jobs: 'up' });
    expect(await health.check()).toEqual({ documents: 'up', jobs: 'up' });
    expect(log.lines).toEqual([
      { message: 'a back-end does not answer', backend: 'documents', reason: 'not available (TypeError)' },
      { message: 'a back-end is there again', backend: 'documents' },
    ]);
  });

  it('does not wait for one that hangs', async () => {
    vi.useFakeTimers();
    answers['jobs'] = () => new Promise(() => undefined);
    const states = health.check();
    await vi.advanceTimersByTimeAsync(2_500);
    expect(await states).toEqual({ documents: 'up', jobs: 'down' });
    expect(log.lines).toEqual([
      { message: 'a back-end does not answer', backend: 'jobs', reason: 'no answer within 2500 ms' },
    ]);
  });
});
