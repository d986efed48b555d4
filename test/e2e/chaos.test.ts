import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { OwnMongo, OwnRedis, ownServers } from '../support/own-servers.js';
import { type ServiceProcess, signIn } from '../support/service-process.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { TestClient, type TestResponse } from '../support/test-client.js';
import { notApplicable, SHARED_SERVERS } from '../support/way.js';
import { beginRuns, expectAnswer, expectImported, expectRunOnce } from './chaos.expectations.js';
import {
  aConversation,
  ask,
  beginImport,
  ChaosInstallation,
  csvOf,
  statesOf,
  untilReady,
} from './chaos.installation.js';

const ROWS = 20_000;
const CSV = csvOf(ROWS);
const LONG = { timeout: 300_000 };
const elsewhere = notApplicable(SHARED_SERVERS, 'it starts servers of its own');

/** Whatever becomes of it, it ends. */
function outcomeOf(request: Promise<TestResponse>): Promise<number> {
  return request.then(
    ({ status }) => status,
    () => 0,
  );
}

describe.skipIf(elsewhere || !ownServers)('during imports, chats and runs', () => {
  let redis: OwnRedis;
  let mongo: OwnMongo;
  let toRedis: TcpProxy;
  let toMongo: TcpProxy;
  let world: ChaosInstallation;
  let service: ServiceProcess;
  let client: TestClient;
  let base: string;
  let conversation: string;
  beforeAll(async () => {
    [redis, mongo] = await Promise.all([OwnRedis.start(), OwnMongo.start()]);
    [toRedis, toMongo] = await Promise.all([TcpProxy.open(redis.url), TcpProxy.open(mongo.uri('chaos'))]);
    world = await ChaosInstallation.open({ mongodb: toMongo.url, redis: toRedis.url });
    service = await world.start();
    client = await signIn(service);
    base = await beginImport(client, CSV);
    await expectImported(client, [base], ROWS);
    conversation = await aConversation(client, base);
  });
  afterAll(async () => {
    for (const each of [world, toRedis, toMongo, redis, mongo]) await each[Symbol.asyncDispose]();
  });

  /** Two imports and two runs, not waited for. */
  async function work(): Promise<{ readonly imports: readonly string[]; readonly runs: readonly string[] }> {
    const imports = [await beginImport(client, CSV), await beginImport(client, CSV)];
    return { imports, runs: await beginRuns(client, base, 2) };
  }

  it('a Redis that is stopped, started without anything, and emptied loses and doubles nothing', LONG, async () => {
    const before = await work();
    await redis.stop();
    await eventually(
      () => statesOf(service),
      ({ jobs, events }) => jobs === 'down' && events === 'down',
    );
    expect(await statesOf(service)).toMatchObject({ documents: 'up', rows: 'up' });
    const later = await beginImport(client, CSV);
    const laterRuns = await beginRuns(client, base, 1);
    expect(await ask(client, conversation)).toMatchObject({ status: 200 });
    await redis.start();
    await untilReady(service);

    const last = [await beginImport(client, CSV), await beginImport(client, CSV)];
    const admin = new Redis(redis.url);
    await admin.flushall();
    admin.disconnect();
    await expectImported(client, [...before.imports, later, ...last], ROWS);
    await expectRunOnce(client, [...before.runs, ...laterRuns]);
  });

  it('a MongoDB that is stopped is told clearly, and nothing is stuck when it is back', LONG, async () => {
    const { imports, runs } = await work();
    const asked = outcomeOf(ask(client, conversation));
    await mongo.stop();
    await eventually(
      () => statesOf(service),
      ({ documents }) => documents === 'down',
    );
    expect(await client.get('/secure/datasources')).toMatchObject({ status: 503, body: { error: true } });
    expect(await new TestClient(service.url, null, null).get('/health/live')).toMatchObject({ status: 200 });
    expect([0, 200, 503]).toContain(await asked);
    await mongo.start();
    await untilReady(service);

    await expectImported(client, imports, ROWS);
    await expectRunOnce(client, runs);
    await expectAnswer(client, conversation);
  });

  it('a network that is cut for a while loses and doubles nothing', LONG, async () => {
    const { imports, runs } = await work();
    toRedis.cut();
    toMongo.cut();
    await eventually(
      () => statesOf(service),
      ({ documents, jobs }) => documents === 'down' && jobs === 'down',
    );
    toMongo.mend();
    toRedis.mend();
    await untilReady(service);
    await expectImported(client, [...imports, await beginImport(client, CSV)], ROWS);
    await expectRunOnce(client, runs);
  });
});
