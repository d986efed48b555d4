import { afterEach, expect, it } from 'vitest';
import { FatalJobError, type JobQueue } from '../../src/ports/job-queue.js';
import { JOB_POLICIES, type JobPolicy } from '../../src/ports/jobs.js';
import { eventually } from '../support/eventually.js';
import {
  aQueue as queueOf,
  endlessRun,
  Gate,
  heldRun,
  IMPORT,
  type Payload,
  payloadOf,
  type QueueUnderTest,
  type Run,
  type StartQueue,
} from './job-queue.fixture.js';

type OpenQueue = (run?: Run, policy?: Partial<JobPolicy>) => Promise<QueueUnderTest>;

/** What every job queue promises of jobs that are not wanted any more, and of its own end. */
function jobQueueEndsContract(aQueue: OpenQueue): void {
  it('takes a waiting job away, and does nothing to what is not there, nor to a job of the same key and another name', async () => {
    const { queue, ask, runs, start } = await aQueue();
    await Promise.all([ask('one'), ask('two')]);
    await queue.cancel(IMPORT, 'one');
    await queue.cancel('datasource.remove', 'two');
    await queue.cancel(IMPORT, 'nobody');
    start();
    await queue.idle();
    expect(runs).toEqual(['two']);
  });

  it('aborts a running job that is cancelled, which is neither tried again nor given up', async () => {
    const { begun, run } = endlessRun();
    const { queue, ask, runs, givenUp, start } = await aQueue(run);
    start();
    await ask('one');
    await begun.passed();
    await ask('one');
    await queue.cancel(IMPORT, 'one');
    await queue.idle();
    expect(runs).toEqual(['one']);
    expect(givenUp).toEqual([]);
  });

  it('ends the wait for a further attempt of what is cancelled', async () => {
    const failed = new Gate();
    const run: Run = () => {
      failed.open();
      throw new Error('broken');
    };
    const { queue, ask, runs, givenUp, start } = await aQueue(run, { backoffMs: 600_000 });
    start();
    await ask('one');
    await failed.passed();
    await new Promise((resolve) => setImmediate(resolve));
    await queue.cancel(IMPORT, 'one');
    await queue.idle();
    expect([runs, givenUp]).toEqual([['one'], []]);
  });

  it('lets a run end when it stops, begins no other, and is not there any more', async () => {
    const { begun, go, run } = heldRun();
    const ended: string[] = [];
    const { queue, ask, runs, start } = await aQueue(async (payload, ...rest) => {
      await run(payload, ...rest);
      ended.push(payload.datasourceId);
    });
    start();
    await expect(queue.check()).resolves.toBeUndefined();
    await Promise.all([ask('one'), ask('two')]);
    await begun.passed();
    const stopped = queue.stop(30_000);
    await ask('three');
    go.open();
    await stopped;
    expect(ended).toEqual(runs);
    expect(runs).toHaveLength(1);
    await expect(queue.check()).rejects.toMatchObject({ kind: 'unavailable' });
  });

  it('aborts what does not end in time when it stops, without giving it up', async () => {
    const { begun, run } = endlessRun();
    const { queue, ask, runs, givenUp, start } = await aQueue(run);
    start();
    await ask('one');
    await begun.passed();
    await queue.stop(10);
    expect([runs, givenUp]).toEqual([['one'], []]);
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
}

/** What every job queue promises when a run fails. */
function jobQueueFailuresContract(aQueue: OpenQueue): void {
  it.each<[string, Run, number, readonly string[]]>([
    [
      'is tried again, and forgotten when that succeeds',
      (_payload, _signal, attempt) => {
        if (attempt < 3) throw new Error('not yet');
      },
      ...([3, []] as const),
    ],
    [
      'is given up once, after the last attempt, with its reason',
      () => Promise.reject(new Error('broken')),
      ...([3, ['one: broken']] as const),
    ],
    [
      'is given up at once when nothing can mend it',
      () => Promise.reject(new FatalJobError('no such file')),
      ...([1, ['one: no such file']] as const),
    ],
  ])('what fails %s', async (_what, run, attempts, reasons) => {
    const { queue, ask, runs, givenUp, start } = await aQueue(run);
    start();
    await ask('one');
    await queue.idle();
    expect(runs).toHaveLength(attempts);
    expect(givenUp).toEqual(reasons);
  });

  it('waits twice as long before each further attempt, and runs other jobs meanwhile', async () => {
    const times: number[] = [];
    const run: Run = ({ datasourceId }) => {
      if (datasourceId === 'good') return;
      times.push(performance.now());
      throw new Error('broken');
    };
    const { queue, ask, runs, start } = await aQueue(run, { backoffMs: 60, attempts: 3 });
    start();
    await Promise.all([ask('bad'), ask('good')]);
    await queue.idle();
    const [first = 0, second = 0, third = 0] = times;
    expect(second - first).toBeGreaterThanOrEqual(58);
    expect(third - second).toBeGreaterThanOrEqual(118);
    expect(runs).toContain('good');
    expect(runs.indexOf('good')).toBeLessThan(runs.lastIndexOf('bad'));
  });

  it('aborts a run that takes too long, and counts it as a failed attempt', async () => {
    const { queue, ask, runs, givenUp, start } = await aQueue(endlessRun().run, { timeoutMs: 20, attempts: 2 });
    start();
    await ask('one');
    await queue.idle();
    expect(runs).toHaveLength(2);
    expect(givenUp).toEqual(['one: aborted']);
  });
}

/** What every job queue promises of the order of its jobs. */
function jobQueueTurnsContract(aQueue: OpenQueue): void {
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
    const { queue, ask, runs, start } = await aQueue();
    const ofAcme = Array.from({ length: 50 }, (_, index) => `acme-${index}`);
    for (const key of ofAcme) await ask(key, 'acme');
    for (let index = 0; index < 3; index += 1) await ask(`globex-${index}`, 'globex');
    await ask('initech-0', 'initech');
    start();
    await queue.idle();
    expect(runs).toHaveLength(54);
    expect(runs.indexOf('initech-0')).toBeLessThan(8);
    expect(runs.indexOf('globex-2')).toBeLessThan(12);
    expect(runs.filter((key) => key.startsWith('acme'))).toEqual(ofAcme);
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
    const { begun, go, run } = heldRun();
    const { queue, ask, runs, start } = await aQueue(run);
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
}

/** What every job queue promises. */
export function jobQueueContract(open: StartQueue): void {
  const started: JobQueue[] = [];
  const aQueue: OpenQueue = async (run, policy) => {
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

  it('runs the same job once, however often it is asked for while it waits, and once more when it runs', async () => {
    const { begun, go, run } = heldRun();
    const { queue, ask, runs, start } = await aQueue(run);
    const counts = async (): Promise<unknown> => (await queue.waiting())[IMPORT];
    expect(await counts()).toBe(0);
    await Promise.all([ask('one'), ask('one'), ask('one')]);
    for (const key of ['two', 'three']) await ask(key);
    expect(await counts()).toBe(3);
    start();
    await begun.passed();
    // Those that run are not among those that wait.
    await eventually(counts, (count) => count === 2);
    expect(await queue.waiting()).toEqual({
      ...Object.fromEntries(Object.keys(JOB_POLICIES).map((name) => [name, 0])),
      [IMPORT]: 2,
    });
    const [running = ''] = runs;
    await Promise.all([ask(running), ask(running)]);
    go.open();
    await queue.idle();
    expect([...runs].sort()).toEqual(['one', 'two', 'three', running].sort());
    expect(await counts()).toBe(0);
  });

  jobQueueFailuresContract(aQueue);
  jobQueueTurnsContract(aQueue);
  jobQueueEndsContract(aQueue);
}
