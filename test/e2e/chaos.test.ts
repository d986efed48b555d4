import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ownServers } from '../support/own-servers.js';
import { type ServiceProcess, signIn } from '../support/service-process.js';
import { StreamClient, streamUrl } from '../support/stream-client.js';
import { TestClient, type TestResponse } from '../support/test-client.js';
import { notApplicable, SHARED_SERVERS } from '../support/way.js';
import { at, ChaosInstallation, statesOf, untilReady } from './chaos.installation.js';
import {
  aConversation,
  ask,
  beginImport,
  beginRuns,
  csvOf,
  datasourceOf,
  expectAnswer,
  expectImported,
  expectRunOnce,
  IN_TIME,
} from './sensors.builder.js';

const ROWS = 20_000;
const CSV = csvOf(ROWS);
/** So few rows that there is always a compaction at work, or about to be. */
const FEW = { COMPACT_AFTER_ROWS: '30' };
const LONG = { timeout: 300_000 };
const SECOND = 1000;
const GRACE = { email: 'grace@example.com', password: 'another-long-password' };
const elsewhere = notApplicable(SHARED_SERVERS, 'it starts servers of its own');

/** Whatever becomes of it, it ends. */
function outcomeOf(request: Promise<TestResponse>): Promise<number> {
  return request.then(
    ({ status }) => status,
    () => 0,
  );
}

describe.skipIf(elsewhere || !ownServers)('instances that share a MongoDB, a Redis and a bucket', () => {
  let world: ChaosInstallation;
  let serving: ServiceProcess;
  let client: TestClient;
  let base: string;
  let conversation: string;
  /** Of the rows that are inserted later. */
  let inserted = 0;

  beforeAll(async () => {
    world = await ChaosInstallation.open();
    serving = await world.start({ ...FEW, WORKER: 'false' });
    client = await signIn(serving);
    // Without anybody who works nothing is done, and nothing is lost.
    base = await beginImport(client, CSV);
    expect(await datasourceOf(client, base)).toMatchObject({ updating: true });
    const working = await world.start({ ...FEW, HTTP: 'false' });
    expect(await new TestClient(working.url, null, null).get('/health/ready')).toMatchObject({ status: 200 });
    expect(await new TestClient(working.url, null, null).post('/login', {})).toMatchObject({ status: 404 });
    await expectImported(client, [base], ROWS);
    conversation = await aConversation(client, base);
  });
  afterAll(() => world[Symbol.asyncDispose]());

  let third: ServiceProcess | null = null;
  /** One that works and serves beside the others, and is there to be killed. */
  async function another(): Promise<ServiceProcess> {
    third ??= await world.start(FEW);
    return third;
  }

  /** Two imports and two runs, not waited for. */
  async function work(): Promise<{ readonly imports: readonly string[]; readonly runs: readonly string[] }> {
    const imports = [await beginImport(client, CSV), await beginImport(client, CSV)];
    return { imports, runs: await beginRuns(client, base, 2) };
  }

  it('share the work, each job once, and close each other’s sockets at a logout or a deactivation', LONG, async () => {
    const { imports, runs } = await work();
    const other = await another();
    const { body: invited } = await client.post('/secure/invitation', { email: GRACE.email, role: 'user' });
    const { token } = invited;
    await client.post('/invitation/accept', { token, password: GRACE.password, first_name: 'Grace' });
    const grace = await TestClient.signIn(serving.url, GRACE.email, GRACE.password);
    await using room = await StreamClient.open(streamUrl(serving.url, 'all', String(grace.token)));
    expect(await at(other, grace).post('/secure/logout')).toMatchObject({ status: 200 });
    const loggedOut = performance.now();
    expect(await room.closed).toMatchObject({ code: 4401 });
    expect(performance.now() - loggedOut).toBeLessThan(SECOND);

    const again = await TestClient.signIn(other.url, GRACE.email, GRACE.password);
    await using further = await StreamClient.open(streamUrl(serving.url, 'all', String(again.token)));
    await promisify(execFile)(process.execPath, ['dist/admin.js', 'user:deactivate', '--email', GRACE.email], {
      env: { PATH: process.env['PATH'], ...world.variables() },
    });
    const deactivated = performance.now();
    expect(await further.closed).toMatchObject({ code: 4401 });
    expect(performance.now() - deactivated).toBeLessThan(SECOND);
    expect(await again.get('/secure/datasources')).toMatchObject({ status: 401 });
    await expectImported(client, imports, ROWS);
    await expectRunOnce(client, runs);
  });

  it('finish what one of them was at when it was killed, and have every row that it took, once', LONG, async () => {
    const dying = await another();
    const theirs = at(dying, client);
    const first = inserted;
    const insert = (by: TestClient, value: number): Promise<number> =>
      outcomeOf(
        by.patch(
          '/secure/datasource/insert',
          { datasource_id: base, data: [{ device: 'later', at: '2024-01-02T00:00:00', temperature: value }] },
          { 'idempotency-key': String(value) },
        ),
      );

    // The second half of the rows comes while the one that dies has more to do.
    let imports: readonly string[] = [];
    let runs: readonly string[] = [];
    let asked: Promise<unknown> | null = null;
    let killed: Promise<void> | null = null;
    for (let status = 200; status === 200; inserted += 2) {
      if (inserted === first + 100) {
        imports = await Promise.all([beginImport(client, CSV), beginImport(theirs, CSV), beginImport(client, CSV)]);
        runs = await beginRuns(theirs, base, 3);
        asked = outcomeOf(ask(theirs, conversation));
      }
      if (inserted === first + 120) {
        third = null;
        killed = dying.kill();
      }
      expect(await insert(client, inserted)).toBe(200);
      status = await insert(theirs, inserted + 1);
      // What has no answer is sent again, where somebody is.
      if (status !== 200) expect([killed === null, await insert(client, inserted + 1)]).toEqual([false, 200]);
    }
    await Promise.all([killed, asked]);
    const query = { datasource_id: base, asset: 'later', from: '', to: '', value: 'temperature', points: 1000 };
    const { body } = await client.post('/secure/data/plot', query);
    const values = (body['data'] as { value: number }[]).map((point) => point.value).sort((one, two) => one - two);
    expect(values).toEqual(Array.from({ length: inserted }, (_, value) => value));
    await expectImported(client, imports, ROWS);
    await expectRunOnce(client, runs);
    await expectAnswer(client, conversation);
  });

  it('lose and double nothing when Redis is stopped, started without anything, and emptied', LONG, async () => {
    const before = await work();
    await world.servers.redis.stop();
    const without = { jobs: 'down', events: 'down', documents: 'up', rows: 'up' };
    await expect.poll(() => statesOf(serving)).toMatchObject(without);
    const later = await beginImport(client, CSV);
    const laterRuns = await beginRuns(client, base, 1);
    expect(await ask(client, conversation)).toMatchObject({ status: 200 });
    await world.servers.redis.start();
    await untilReady(serving);

    const last = [await beginImport(client, CSV), await beginImport(client, CSV)];
    const admin = new Redis(world.servers.redis.url);
    await admin.flushall();
    admin.disconnect();
    await expectImported(client, [...before.imports, later, ...last], ROWS);
    await expectRunOnce(client, [...before.runs, ...laterRuns]);
  });

  it('say clearly that MongoDB is stopped, and nothing is stuck when it is back', LONG, async () => {
    const { imports, runs } = await work();
    const asked = outcomeOf(ask(client, conversation));
    await world.servers.mongo.stop();
    await expect.poll(() => statesOf(serving)).toMatchObject({ documents: 'down' });
    expect(await client.get('/secure/datasources')).toMatchObject({ status: 503, body: { error: true } });
    expect(await new TestClient(serving.url, null, null).get('/health/live')).toMatchObject({ status: 200 });
    expect([0, 200, 503]).toContain(await asked);
    await world.servers.mongo.start();
    await untilReady(serving);

    await expectImported(client, imports, ROWS);
    await expectRunOnce(client, runs);
    await expectAnswer(client, conversation);
  });

  it('lose and double nothing when the network is cut for a while', LONG, async () => {
    const { imports, runs } = await work();
    const { toRedis, toMongo } = world.servers;
    for (const proxy of [toRedis, toMongo]) proxy.cut();
    await expect.poll(() => statesOf(serving)).toMatchObject({ documents: 'down', jobs: 'down' });
    for (const proxy of [toMongo, toRedis]) proxy.mend();
    await untilReady(serving);
    await expectImported(client, [...imports, await beginImport(client, CSV)], ROWS);
    await expectRunOnce(client, runs);
    // By now what was inserted while one of them died is counted, too.
    expect(inserted).toBeGreaterThan(100);
    await expect.poll(() => datasourceOf(client, base), IN_TIME).toMatchObject({ doc_count: ROWS + inserted });
  });
});
