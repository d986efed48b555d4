import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { OwnMongo, OwnRedis, ownServers } from '../support/own-servers.js';
import { signIn } from '../support/service-process.js';
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

describe.skipIf(elsewhere || !ownServers).concurrent('during imports, chats and runs', () => {
  let redis: OwnRedis;
  let mongo: OwnMongo;
  beforeAll(async () => {
    [redis, mongo] = await Promise.all([OwnRedis.start(), OwnMongo.start()]);
  });
  afterAll(async () => {
    await redis[Symbol.asyncDispose]();
    await mongo[Symbol.asyncDispose]();
  });

  it('a Redis that is stopped, started without anything, and emptied loses and doubles nothing', LONG, async () => {
    await using own = await OwnRedis.start();
    await using world = await ChaosInstallation.open({ mongodb: mongo.uri('redis'), redis: own.url });
    const service = await world.start();
    const client = await signIn(service);
    const base = await beginImport(client, CSV);
    await expectImported(client, [base], ROWS);
    const conversation = await aConversation(client, base);

    const imports = [await beginImport(client, CSV), await beginImport(client, CSV)];
    const runs = await beginRuns(client, base, 2);
    await own.stop();
    await eventually(
      () => statesOf(service),
      ({ jobs, events }) => jobs === 'down' && events === 'down',
    );
    expect(await statesOf(service)).toMatchObject({ documents: 'up', rows: 'up' });
    const later = await beginImport(client, CSV);
    const laterRuns = await beginRuns(client, base, 1);
    expect(await ask(client, conversation)).toMatchObject({ status: 200 });
    await own.start();
    await untilReady(service);

    const last = [await beginImport(client, CSV), await beginImport(client, CSV)];
    const admin = new Redis(own.url);
    await admin.flushall();
    admin.disconnect();
    await expectImported(client, [...imports, later, ...last], ROWS);
    await expectRunOnce(client, [...runs, ...laterRuns]);
  });

  it('a MongoDB that is stopped is told clearly, and nothing is stuck when it is back', LONG, async () => {
    await using own = await OwnMongo.start();
    await using world = await ChaosInstallation.open({ mongodb: own.uri('mongo'), redis: redis.url, prefix: 'mongo' });
    const service = await world.start();
    const client = await signIn(service);
    const base = await beginImport(client, CSV);
    await expectImported(client, [base], ROWS);
    const conversation = await aConversation(client, base);

    const imports = [await beginImport(client, CSV), await beginImport(client, CSV)];
    const runs = await beginRuns(client, base, 2);
    const asked = outcomeOf(ask(client, conversation));
    await own.stop();
    await eventually(
      () => statesOf(service),
      ({ documents }) => documents === 'down',
    );
    expect(await client.get('/secure/datasources')).toMatchObject({ status: 503, body: { error: true } });
    expect(await new TestClient(service.url, null, null).get('/health/live')).toMatchObject({ status: 200 });
    expect([0, 200, 503]).toContain(await asked);
    await own.start();
    await untilReady(service);

    await expectImported(client, imports, ROWS);
    await expectRunOnce(client, runs);
    await expectAnswer(client, conversation);
  });

  it('a network that is cut for a while loses and doubles nothing', LONG, async () => {
    await using toRedis = await TcpProxy.open(redis.url);
    await using toMongo = await TcpProxy.open(mongo.uri('network'));
    await using world = await ChaosInstallation.open({ mongodb: toMongo.url, redis: toRedis.url, prefix: 'network' });
    const service = await world.start();
    const client = await signIn(service);
    const base = await beginImport(client, CSV);
    await expectImported(client, [base], ROWS);

    const imports = [await beginImport(client, CSV), await beginImport(client, CSV)];
    const runs = await beginRuns(client, base, 2);
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
