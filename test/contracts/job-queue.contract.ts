import { afterEach, describe, expect, it } from 'vitest';
import { FatalJobError, type JobQueue } from '../../src/ports/job-queue.js';
import { JOB_POLICIES, type JobPolicy } from '../../src/ports/jobs.js';
import { eventually } from '../support/eventually.js';
import {
  aborted,
  aQueue as queueOf,
  Gate,
  IMPORT,
  type Payload,
  payloadOf,
  type QueueUnderTest,
  type Run,
  type StartQueue,
} from './job-queue.fixture.js';

/** What every job queue promises of jobs that are not wanted any more, and of its own end. */
function jobQueueEndsContract(aQueue: (run: Run, policy?: Partial<JobPolicy>) => Promise<QueueUnderTest>): void {
  describe('cancel', () => {
    it('takes a waiting job away', async () => {
      const { queue, ask, runs, start } = await aQueue(() => undefined);
      await Promise.all([ask('one'), ask('two')]);
      await queue.cancel(IMPORT, 'one');
      start();
      await queue.idle();
      expect(runs).toEqual(['two']);
    });

    it('aborts a running job, which is neither tried again nor given up', async () => {
      const begun = new Gate();
      const { queue, ask, runs, givenUp, start } = await aQueue(async (_payload, signal) => {
        begun.open();
        await aborted(signal);
        throw new Error('aborted');
      });
      start();
      await ask('one');
      await begun.passed();
      await ask('one');
      await queue.cancel(IMPORT, 'one');
      await queue.idle();
      expect(runs).toEqual(['one']);
      expect(givenUp).toEqual([]);
    });

    it('ends the wait for a further attempt', async () => {
      const failed = new Gate();
      const { queue, ask, runs, givenUp, start } = await aQueue(
        () => {
          failed.open();
          throw new Error('broken');
        },
        { backoffMs: 600_000 },
      );
      start();
      await ask('one');
      await failed.passed();
      await new Promise((resolve) => setImmediate(resolve));
      await queue.cancel(IMPORT, 'one');
      await queue.idle();
      expect(runs).toHaveLength(1);
      expect(givenUp).toEqual([]);
    });

    it('does nothing to what is not there, nor to a job of the same key and another name', async () => {
      const { queue, ask, runs, start } = await aQueue(() => undefined);
      await ask('one');
      await queue.cancel('datasource.remove', 'one');
      await queue.cancel(IMPORT, 'nobody');
      start();
      await queue.idle();
      expect(runs).toEqual(['one']);
    });
  });

  describe('stop', () => {
    it('lets a run end, and begins no other', async () => {
      const [begun, go] = [new Gate(), new Gate()];
      const ended: string[] = [];
      const { queue, ask, runs, start } = await aQueue(async (payload) => {
        begun.open();
        await go.passed();
        ended.push(payload.datasourceId);
      });
      start();
      await Promise.all([ask('one'), ask('two')]);
      await begun.passed();
      const stopped = queue.stop(30_000);
      await ask('three');
      go.open();
      await stopped;
      expect(ended).toEqual(runs);
      expect(runs).toHaveLength(1);
    });

    it('aborts what does not end in time, without giving it up', async () => {
      const begun = new Gate();
      const { queue, ask, runs, givenUp, start } = await aQueue(async (_payload, signal) => {
        begun.open();
        await aborted(signal);
        throw new Error('aborted');
      });
      start();
      await ask('one');
      await begun.passed();
      await queue.stop(10);
      expect(runs).toHaveLength(1);
      expect(givenUp).toEqual([]);
    });

    it('comes to an end even when a run does not listen', async () => {
      const begun = new Gate();
      const { queue, ask, start } = await aQueue(() => {
        begun.open();
        return new Promise(() => undefined);
      });
      start();
      await ask('one');
      await begun.passed();
      await expect(queue.stop(10)).resolves.toBeUndefined();
      await expect(queue.stop(10)).resolves.toBeUndefined();
    });

    it('is seen by whoever asks whether the queue is there', async () => {
      const { queue } = await aQueue(() => undefined);
      await expect(queue.check()).resolves.toBeUndefined();
      await queue.stop(0);
      await expect(queue.check()).rejects.toMatchObject({ kind: 'unavailable' });
    });
  });
}

/** What every job queue promises. */
export function jobQueueContract(open: StartQueue): void {
  const started: JobQueue[] = [];
  const aQueue: (run: Run, policy?: Partial<JobPolicy>) => Promise<QueueUnderTest> = async (run, policy) => {
    const made = await queueOf(open, run, policy);
    started.push(made.queue);
    return made;
  };
  afterEach(async () => {
    await Promise.all(started.splice(0).map((queue) => queue.stop(0)));
  });

  it('runs what was asked for, before and after it is started and when it has ended, with its payload', async () => {
    const seen: Payload[] = [];
    const { queue, ask, runs, start } = await aQueue((payload) => void seen.push(payload));
    await ask('one');
    start();
    await queue.idle();
    await ask('two', 'globex');
    await ask('one');
    await queue.idle();
    expect([...runs].sort()).toEqual(['one', 'one', 'two']);
    expect(seen).toContainEqual(payloadOf('globex', 'two'));
  });

  it('says how many jobs wait, those that run not among them', async () => {
    const [begun, go] = [new Gate(), new Gate()];
    const { queue, ask, start } = await aQueue(async () => {
      begun.open();
      await go.passed();
    });
    const counts = async (): Promise<unknown> => (await queue.waiting())[IMPORT];
    expect(await counts()).toBe(0);
    for (const key of ['one', 'two', 'three']) await ask(key);
    await ask('one');
    expect(await counts()).toBe(3);
    start();
    await begun.passed();
    await eventually(counts, (count) => count === 2);
    expect(await queue.waiting()).toEqual({
      ...Object.fromEntries(Object.keys(JOB_POLICIES).map((name) => [name, 0])),
      [IMPORT]: 2,
    });
    go.open();
    await queue.idle();
    expect(await counts()).toBe(0);
  });

  describe('the same job', () => {
    it('is run once, however often it is asked for while it waits', async () => {
      const { queue, ask, runs, start } = await aQueue(() => undefined);
      await Promise.all([ask('one'), ask('one'), ask('one'), ask('two')]);
      start();
      await queue.idle();
      expect([...runs].sort()).toEqual(['one', 'two']);
    });

    it('is run once more when it is asked for while it runs', async () => {
      const [begun, go] = [new Gate(), new Gate()];
      const { queue, ask, runs, start } = await aQueue(async () => {
        begun.open();
        await go.passed();
      });
      start();
      await ask('one');
      await begun.passed();
      await Promise.all([ask('one'), ask('one')]);
      go.open();
      await queue.idle();
      expect(runs).toEqual(['one', 'one']);
    });
  });

  describe('a failure', () => {
    it('is tried again, and forgotten when that succeeds', async () => {
      const { queue, ask, runs, givenUp, start } = await aQueue((_payload, _signal, attempt) => {
        if (attempt < 3) throw new Error('not yet');
      });
      start();
      await ask('one');
      await queue.idle();
      expect(runs).toHaveLength(3);
      expect(givenUp).toEqual([]);
    });

    it('is given up once, after the last attempt, with its reason', async () => {
      const { queue, ask, runs, givenUp, start } = await aQueue(() => Promise.reject(new Error('broken')));
      start();
      await ask('one');
      await queue.idle();
      expect(runs).toHaveLength(3);
      expect(givenUp).toEqual(['one: broken']);
    });

    it('that nothing can mend is given up at once', async () => {
      const { queue, ask, runs, givenUp, start } = await aQueue(() => {
        throw new FatalJobError('no such file');
      });
      start();
      await ask('one');
      await queue.idle();
      expect(runs).toHaveLength(1);
      expect(givenUp).toEqual(['one: no such file']);
    });

    it('waits twice as long before each further attempt', async () => {
      const times: number[] = [];
      const { queue, ask, start } = await aQueue(
        () => {
          times.push(performance.now());
          throw new Error('broken');
        },
        { backoffMs: 60, attempts: 3 },
      );
      start();
      await ask('one');
      await queue.idle();
      const [first = 0, second = 0, third = 0] = times;
      expect(second - first).toBeGreaterThanOrEqual(58);
      expect(third - second).toBeGreaterThanOrEqual(118);
    });

    it('does not stop other jobs from being run', async () => {
      const { queue, ask, runs, start } = await aQueue(
        (payload) => {
          if (payload.datasourceId === 'bad') throw new Error('broken');
        },
        { backoffMs: 50 },
      );
      start();
      await Promise.all([ask('bad'), ask('good')]);
      await queue.idle();
      expect(runs.indexOf('good')).toBeLessThan(runs.lastIndexOf('bad'));
    });
  });

  it('aborts a run that takes too long, and counts it as a failed attempt', async () => {
    const { queue, ask, runs, givenUp, start } = await aQueue(
      async (_payload, signal) => {
        await aborted(signal);
        throw new Error('aborted');
      },
      { timeoutMs: 20, attempts: 2 },
    );
    start();
    await ask('one');
    await queue.idle();
    expect(runs).toHaveLength(2);
    expect(givenUp).toEqual(['one: aborted']);
  });

  it('runs no more at once than the policy allows, and as many', async () => {
    let [now, most] = [0, 0];
    const third = new Gate();
    const { queue, ask, runs, start } = await aQueue(
      async () => {
        now += 1;
        most = Math.max(most, now);
        if (runs.length >= 3) third.open();
        await third.passed();
        now -= 1;
      },
      { concurrency: 3 },
    );
    start();
    await Promise.all(Array.from({ length: 12 }, (_, index) => ask(`job-${index}`)));
    await queue.idle();
    expect(most).toBe(3);
    expect(runs).toHaveLength(12);
  });

  it('lets companies take turns, whatever they have queued', async () => {
    const { queue, ask, runs, start } = await aQueue(() => undefined);
    for (let index = 0; index < 50; index += 1) await ask(`acme-${index}`, 'acme');
    for (let index = 0; index < 3; index += 1) await ask(`globex-${index}`, 'globex');
    await ask('initech-0', 'initech');
    start();
    await queue.idle();
    expect(runs).toHaveLength(54);
    expect(runs.indexOf('initech-0')).toBeLessThan(8);
    expect(runs.indexOf('globex-2')).toBeLessThan(12);
    expect(runs.filter((key) => key.startsWith('acme'))).toEqual(
      Array.from({ length: 50 }, (_, index) => `acme-${index}`),
    );
  });

  it('does not let a job that is asked for again whenever it runs keep others waiting', async () => {
    const { queue, ask, runs, start } = await aQueue(async ({ datasourceId }) => {
      if (datasourceId === 'again' && runs.length < 40) await ask('again', 'acme');
    });
    await ask('again', 'acme');
    for (let index = 0; index < 5; index += 1) await ask(`globex-${index}`, 'globex');
    start();
    await queue.idle();
    expect(runs.filter((key) => key.startsWith('globex'))).toHaveLength(5);
    expect(runs.indexOf('globex-4')).toBeLessThan(12);
  });

  it('charges a company nothing for asking often for a job that runs', async () => {
    const [begun, go] = [new Gate(), new Gate()];
    const { queue, ask, runs, start } = await aQueue(async () => {
      begun.open();
      await go.passed();
    });
    start();
    await ask('one', 'acme');
    await begun.passed();
    for (let index = 0; index < 20; index += 1) await ask('one', 'acme');
    for (let index = 0; index < 5; index += 1) await ask(`globex-${index}`, 'globex');
    await ask('two', 'acme');
    go.open();
    await queue.idle();
    expect(runs.indexOf('two')).toBeLessThan(6);
  });

  jobQueueEndsContract(aQueue);
}
