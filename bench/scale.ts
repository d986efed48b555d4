/**
 * What a second instance adds: requests, inserted rows and answers per second with one and with two instances on one MongoDB, one Redis
 * and one bucket, and the ratio; then what a job and an event cost through Redis, beside the same in one process.
 * `npm run build && npx tsx bench/scale.ts [seconds]` (starts its own servers; about two minutes with 5 seconds for each figure)
 *
 * The instances, the servers and this client share the cores of the machine: with two cores the client and MongoDB alone fill them, so
 * that the ratio says what a second instance costs there, not what it adds on a machine of its own.
 */
import { randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { InProcessEventStream } from '../src/adapters/embedded/in-process-event-stream.js';
import { InProcessJobQueue } from '../src/adapters/embedded/in-process-job-queue.js';
import { RedisEventStream } from '../src/adapters/redis/redis-event-stream.js';
import { SystemClock } from '../src/adapters/system/system-clock.js';
import type { EventStream } from '../src/ports/event-stream.js';
import type { JobQueue } from '../src/ports/job-queue.js';
import type { Log } from '../src/ports/log.js';
import { asId } from '../src/shared/ids.js';
import { NO_WORK } from '../test/contracts/job-queue.fixture.js';
import { at, ChaosInstallation } from '../test/e2e/chaos.installation.js';
import { aConversation, ask, beginImport, csvOf, endedImport } from '../test/e2e/sensors.builder.js';
import { openSharedQueue } from '../test/support/bullmq.js';
import type { OwnRedis } from '../test/support/own-servers.js';
import { signIn } from '../test/support/service-process.js';
import type { TestClient, TestResponse } from '../test/support/test-client.js';

const MS = 1000 * Number(process.argv[2] ?? 5);
const REQUESTS_AT_ONCE = 20;
const INSERTS_AT_ONCE = 4;
const ANSWERS_AT_ONCE = 4;
const ROWS_OF_AN_INSERT = 100;
const JOBS = 2000;
const EVENTS = 20_000;
const SILENT: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

type Figures = Readonly<Record<'requests' | 'rows inserted' | 'answers', number>>;

/** How often it was done in a second, by so many at once, each at the instance that it is given. */
async function perSecond(atOnce: number, act: (worker: number) => Promise<TestResponse>): Promise<number> {
  const began = performance.now();
  let done = 0;
  const work = async (worker: number): Promise<void> => {
    while (performance.now() - began < MS) {
      const { status, body } = await act(worker);
      if (status !== 200) throw new Error(`${status} ${JSON.stringify(body).slice(0, 300)}`);
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, (_, worker) => work(worker)));
  return (done * 1000) / (performance.now() - began);
}

async function measure(clients: readonly TestClient[], datasource: string): Promise<Figures> {
  const clientOf = (worker: number): TestClient => clients[worker % clients.length]!;
  const requests = await perSecond(REQUESTS_AT_ONCE, (worker) => clientOf(worker).get('/secure/datasources'));
  let row = 0;
  const rows = (): readonly object[] =>
    Array.from({ length: ROWS_OF_AN_INSERT }, () => {
      row += 1;
      const time = new Date(Date.UTC(2025, 0, 1, 0, 0, row)).toISOString().slice(0, 19);
      return { device: `device-${row % 50}`, at: time, temperature: row % 1000 };
    });
  const inserts = await perSecond(INSERTS_AT_ONCE, (worker) =>
    clientOf(worker).patch('/secure/datasource/insert', { datasource_id: datasource, data: rows() }),
  );
  const conversations = await Promise.all(
    Array.from({ length: ANSWERS_AT_ONCE }, (_, worker) => aConversation(clientOf(worker), datasource)),
  );
  const answers = await perSecond(ANSWERS_AT_ONCE, (worker) => ask(clientOf(worker), conversations[worker] ?? ''));
  return { requests, 'rows inserted': inserts * ROWS_OF_AN_INSERT, answers };
}

async function instances(world: ChaosInstallation): Promise<void> {
  const first = await world.start();
  const client = await signIn(first);
  const datasource = await beginImport(client, csvOf(20_000));
  await endedImport(client, datasource);
  const one = await measure([client], datasource);
  const two = await measure([client, at(await world.start(), client)], datasource);
  for (const [name, alone] of Object.entries(one)) {
    const together = two[name as keyof Figures];
    print(
      `${name} a second`,
      `${alone.toFixed(1)} with one, ${together.toFixed(1)} with two: ${ratio(together, alone)}`,
    );
  }
}

async function jobMs(queue: JobQueue): Promise<number> {
  queue.start(NO_WORK);
  const began = performance.now();
  const payload = { companyId: asId<never>('acme'), datasourceId: asId<never>('one') };
  await Promise.all(Array.from({ length: JOBS }, (_, n) => queue.enqueue('datasource.profile', `job-${n}`, payload)));
  await queue.idle();
  const ms = (performance.now() - began) / JOBS;
  await queue.stop(0);
  return ms;
}

async function eventsPerSecond(from: EventStream, to: EventStream): Promise<number> {
  const all = new Promise<void>((resolve) => {
    let heard = 0;
    to.subscribe(() => {
      heard += 1;
      if (heard === EVENTS) resolve();
    });
  });
  const began = performance.now();
  const ids = { companyId: asId<never>('acme'), userId: asId<never>('ada'), sessionId: asId<never>('s') };
  for (let n = 0; n < EVENTS; n += 1) {
    from.publish({ type: 'session-ended', ...ids, at: new Date() });
    if (n % 100 === 0) await new Promise(setImmediate);
  }
  await all;
  const rate = (EVENTS * 1000) / (performance.now() - began);
  await from.stop();
  if (to !== from) await to.stop();
  return rate;
}

async function throughRedis(redis: OwnRedis): Promise<void> {
  const { queue, close } = await openSharedQueue({ url: redis.url, installation: 'scale:' }, SILENT);
  const [shared, alone] = [await jobMs(queue), await jobMs(new InProcessJobQueue(SILENT))];
  await close();
  print('a job that does nothing', `${shared.toFixed(2)} ms through Redis, ${alone.toFixed(3)} ms in one process`);

  const clock = new SystemClock();
  const open = async (): Promise<RedisEventStream> => {
    const stream = new RedisEventStream(
      { url: redis.url, installation: 'scale:', origin: randomUUID() },
      clock,
      SILENT,
    );
    stream.start();
    await stream.listening();
    return stream;
  };
  const local = new InProcessEventStream(clock);
  const [apart, here] = [await eventsPerSecond(await open(), await open()), await eventsPerSecond(local, local)];
  print('events a second', `${Math.round(apart)} to another instance, ${Math.round(here)} in one process`);
}

function ratio(of: number, to: number): string {
  return `${(of / to).toFixed(2)} times`;
}

function print(name: string, figures: string): void {
  process.stdout.write(`${name.padEnd(26)}${figures}\n`);
}

async function main(): Promise<void> {
  print('cores', String(availableParallelism()));
  await using world = await ChaosInstallation.open();
  await throughRedis(world.servers.redis);
  await instances(world);
}

await main();
