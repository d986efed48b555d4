import { Redis } from 'ioredis';
import { afterEach, describe, expect, it } from 'vitest';
import type { BullmqOptions } from '../../src/adapters/bullmq/bullmq.module.js';
import type { JobLogger } from '../../src/adapters/jobs/run-once.js';
import type { JobQueue } from '../../src/ports/job-queue.js';
import { JOB_POLICIES } from '../../src/ports/jobs.js';
import { openSharedQueue, type SharedQueue } from '../support/bullmq.js';
import { eventually } from '../support/eventually.js';
import { anInstallation, forgetInstallation, redisServer } from '../support/redis.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { jobQueueContract } from './job-queue.contract.js';
import { aborted, aQueue, endlessRun, Gate, IMPORT, type Run, type QueueUnderTest } from './job-queue.fixture.js';

const SILENT: JobLogger = { warn: () => undefined, error: () => undefined };

describe.skipIf(redisServer === undefined)('BullmqJobQueue', () => {
  const installations: string[] = [];
  const newInstallation = (): string => {
    const installation = anInstallation();
    installations.push(installation);
    return installation;
  };
  const opened: SharedQueue[] = [];
  const open = async (options: Omit<BullmqOptions, 'url'> & { url?: string }, log = SILENT): Promise<JobQueue> => {
    const made = await openSharedQueue({ url: redisServer ?? '', ...options }, log);
    opened.push(made);
    return made.queue;
  };
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((each) => each.close()));
    for (const installation of installations.splice(0)) await forgetInstallation(installation.replace(':', ''));
  });

  jobQueueContract((policies) => open({ installation: newInstallation(), policies }));

  describe('of several instances', () => {
    const started: QueueUnderTest[] = [];
    const proxies: TcpProxy[] = [];
    afterEach(async () => {
      await Promise.all(proxies.splice(0).map((proxy) => proxy.close()));
      await Promise.all(started.splice(0).map(({ queue }) => queue.stop(0)));
    });
    const anInstance = async (
      installation: string,
      run?: Run,
      { url = redisServer ?? '', lockMs = 60_000 } = {},
    ): Promise<QueueUnderTest> => {
      const shared = { url, installation, lockMs };
      const made = await aQueue((policies) => open({ ...shared, policies }), run, { concurrency: 2 });
      started.push(made);
      return made;
    };

    it('each job is run once, by one of them', async () => {
      const installation = newInstallation();
      const instances = [await anInstance(installation), await anInstance(installation)];
      for (const { start } of instances) start();
      const keys = Array.from({ length: 100 }, (_, index) => `job-${index}`);
      await Promise.all(keys.map((key, index) => instances[index % 2]?.ask(key) ?? Promise.reject(new Error(key))));
      await Promise.all(instances.map(({ queue }) => queue.idle()));
      expect(instances.flatMap(({ runs }) => runs).sort()).toEqual([...keys].sort());
    });

    it('a job is cancelled from any of them', async () => {
      const [installation, { begun, run }] = [newInstallation(), endlessRun()];
      const [working, other] = [await anInstance(installation, run), await anInstance(installation)];
      working.start();
      await other.ask('one');
      await begun.passed();
      await other.queue.cancel(IMPORT, 'one');
      await working.queue.idle();
      expect([working.runs, working.givenUp]).toEqual([['one'], []]);
    });

    it('what one of them hands back when it stops is run by another, and is not given up', async () => {
      const [installation, { begun, run }] = [newInstallation(), endlessRun()];
      const [stopping, other] = [await anInstance(installation, run), await anInstance(installation)];
      stopping.start();
      await stopping.ask('one');
      await begun.passed();
      await stopping.queue.stop(10);
      other.start();
      await other.queue.idle();
      expect(other.runs).toEqual(['one']);
      expect([...stopping.givenUp, ...other.givenUp]).toEqual([]);
    });

    it('a job that takes every instance down is given up by one that is there', async () => {
      const installation = newInstallation();
      const attempts = JOB_POLICIES[IMPORT].attempts;
      for (let death = 0; death < attempts; death += 1) {
        const { begun, run } = endlessRun();
        const proxy = await TcpProxy.open(redisServer ?? '');
        proxies.push(proxy);
        const dying = await anInstance(installation, run, { url: proxy.url, lockMs: 500 });
        if (death === 0) await dying.ask('poison');
        dying.start();
        await begun.passed();
        proxy.cut();
      }
      const last = await anInstance(installation, undefined, { lockMs: 500 });
      last.start();
      await expect.poll(() => last.givenUp).toHaveLength(1);
      expect(last.runs).toEqual([]);
    });
  });

  it('tells the jobs of an emptied Redis from those that ran before', async () => {
    const installation = newInstallation();
    const gates = { one: new Gate(), two: new Gate(), end: new Gate(), ended: new Gate(), aborted: new Gate() };
    const { queue, ask, start } = await aQueue(
      (policies) => open({ installation, policies }),
      async ({ datasourceId }, signal) => {
        if (datasourceId === 'one') {
          gates.one.open();
          await gates.end.passed();
          setTimeout(() => {
            gates.ended.open();
          }, 20);
          return;
        }
        gates.two.open();
        await aborted(signal);
        gates.aborted.open();
      },
      { concurrency: 2 },
    );
    start();
    await ask('one');
    await gates.one.passed();
    await forgetInstallation(installation.replace(':', ''));
    await ask('two');
    await gates.two.passed();
    gates.end.open();
    await gates.ended.passed();
    await queue.cancel(IMPORT, 'two');
    await gates.aborted.passed();
    await queue.stop(0);
  });

  it('does not begin what was cancelled while it was handed over', async () => {
    const installation = newInstallation();
    const { queue, ask, runs, givenUp, start } = await aQueue((policies) => open({ installation, policies }));
    await Promise.all([ask('one'), ask('two')]);
    const redis = new Redis(redisServer ?? '');
    expect(await redis.del(`{analytics}:${installation}jobs:${IMPORT}:de:one`)).toBe(1);
    redis.disconnect();
    start();
    await queue.idle();
    expect([runs, givenUp]).toEqual([['two'], []]);
  });

  it('begins when Redis is there, which was away at the start', async () => {
    await using proxy = await TcpProxy.open(redisServer ?? '');
    proxy.cut();
    const { queue, ask, runs, start } = await aQueue((policies) =>
      open({ url: proxy.url, installation: newInstallation(), policies }),
    );
    start();
    await expect(queue.check()).rejects.toMatchObject({ kind: 'unavailable' });
    proxy.mend();
    await untilThere(queue);
    await ask('one');
    await expect.poll(() => runs).toHaveLength(1);
  });

  it('ends with the service in time, also while Redis is away and a run does not listen', async () => {
    await using proxy = await TcpProxy.open(redisServer ?? '');
    const begun = new Gate();
    const shared = await openSharedQueue({ url: proxy.url, installation: newInstallation() }, SILENT);
    const { ask, start } = await aQueue(
      () => Promise.resolve(shared.queue),
      () => {
        begun.open();
        return new Promise(() => undefined);
      },
    );
    start();
    await ask('one');
    await begun.passed();
    proxy.cut();
    const began = performance.now();
    await shared.queue.stop(10);
    await shared.close();
    expect(performance.now() - began).toBeLessThan(5_000);
  });

  it('takes no job, and fails nobody, while Redis is away; and goes on when it is back', async () => {
    await using proxy = await TcpProxy.open(redisServer ?? '');
    const warnings: string[] = [];
    const log: JobLogger = { warn: (message) => void warnings.push(message), error: () => undefined };
    const { queue, ask, runs, start } = await aQueue((policies) =>
      open({ url: proxy.url, installation: newInstallation(), policies }, log),
    );
    start();
    await ask('one');
    await queue.idle();
    proxy.cut();
    await ask('two');
    await queue.cancel(IMPORT, 'one');
    await expect(queue.check()).rejects.toMatchObject({ kind: 'unavailable' });
    proxy.mend();
    await untilThere(queue);
    await ask('three');
    await expect.poll(() => runs).toContain('three');
    expect(warnings).toEqual([
      'a job could not be queued and will be enqueued again',
      'a job could not be cancelled and will end by itself',
    ]);
    await queue.stop(0);
  });
});

async function untilThere(queue: JobQueue): Promise<void> {
  await eventually(
    () =>
      queue.check().then(
        () => true,
        () => false,
      ),
    (isThere) => isThere,
  );
}
