import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Log } from '../../ports/log.js';
import { AppError } from '../../shared/app-error.js';
import { type BackEnds, HealthFacade } from './health.facade.js';

describe('the health of the back-ends', () => {
  let answers: Record<string, () => Promise<unknown>>;
  let lines: unknown[];
  let health: HealthFacade;
  beforeEach(() => {
    answers = { documents: () => Promise.resolve(), jobs: () => Promise.resolve() };
    lines = [];
    const hear = (message: string, context?: object): void => void lines.push({ message, ...context });
    const backEnds = {
      checks: () => Object.fromEntries(Object.entries(answers).map(([name, ask]) => [name, ask()])),
    } as unknown as BackEnds;
    health = new HealthFacade(backEnds, { info: hear, warn: hear } as Log);
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const refused = (): Promise<never> =>
    Promise.reject(new AppError('unavailable', 'not available', { cause: new TypeError('mongodb://u:secret@h') }));

  it('logs once that one has gone, with the reason, and once that it is there again', async () => {
    expect(await health.check()).toEqual({ documents: 'up', jobs: 'up' });
    expect(lines).toEqual([]);
    answers['documents'] = refused;
    expect(await health.check()).toEqual({ documents: 'down', jobs: 'up' });
    expect(await health.check()).toEqual({ documents: 'down', jobs: 'up' });
    answers['documents'] = () => Promise.resolve();
    expect(await health.check()).toEqual({ documents: 'up', jobs: 'up' });
    expect(await health.check()).toEqual({ documents: 'up', jobs: 'up' });
    expect(lines).toEqual([
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
    expect(lines).toEqual([
      { message: 'a back-end does not answer', backend: 'jobs', reason: 'no answer within 2500 ms' },
    ]);
  });
});
