import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { OwnMongo, OwnRedis, ownServers } from '../support/own-servers.js';
import { signIn } from '../support/service-process.js';
import { StreamClient, streamUrl } from '../support/stream-client.js';
import { TestClient } from '../support/test-client.js';
import { notApplicable, SHARED_SERVERS } from '../support/way.js';
import { beginRuns, expectAnswer, expectImported, expectRunOnce } from './chaos.expectations.js';
import {
  aConversation,
  ask,
  at,
  beginImport,
  ChaosInstallation,
  csvOf,
  datasourceOf,
  RECOVERED_MS,
} from './chaos.installation.js';

const ROWS = 20_000;
const CSV = csvOf(ROWS);
const LONG = { timeout: 300_000 };
const SECOND = 1000;
const elsewhere = notApplicable(SHARED_SERVERS, 'it starts servers of its own');

describe.skipIf(elsewhere || !ownServers)('two instances', () => {
  let redis: OwnRedis;
  let mongo: OwnMongo;
  beforeAll(async () => {
    [redis, mongo] = await Promise.all([OwnRedis.start(), OwnMongo.start()]);
  });
  afterAll(async () => {
    await redis[Symbol.asyncDispose]();
    await mongo[Symbol.asyncDispose]();
  });

  const aWorld = (name: string): Promise<ChaosInstallation> =>
    ChaosInstallation.open({ mongodb: mongo.uri(name), redis: redis.url, prefix: name });

  it('share the work, each job once', LONG, async () => {
    await using world = await aWorld('work');
    const serving = await world.start({ WORKER: 'false' });
    const working = await world.start({ HTTP: 'false' });
    expect(await new TestClient(working.url, null, null).get('/health/ready')).toMatchObject({ status: 200 });
    expect(await new TestClient(working.url, null, null).post('/login', {})).toMatchObject({ status: 404 });
    const client = await signIn(serving);
    const base = await beginImport(client, CSV);
    await expectImported(client, [base], ROWS);
    await expectRunOnce(client, await beginRuns(client, base, 2));

    // Without anybody who works nothing is done, and nothing is lost.
    await working.kill();
    const waiting = await beginImport(client, CSV);
    expect(await datasourceOf(client, waiting)).toMatchObject({ updating: true });
    await world.start({ HTTP: 'false' });
    await expectImported(client, [waiting], ROWS);
  });

  it('finish what one of them was at when it was killed, and have every row that it took, once', LONG, async () => {
    await using world = await aWorld('killed');
    const few = { COMPACT_AFTER_ROWS: '30' };
    const dying = await world.start(few);
    const client = await signIn(dying);
    const base = await beginImport(client, CSV);
    await expectImported(client, [base], ROWS);
    const conversation = await aConversation(client, base);
    const other = await world.start(few);
    const mine = at(other, client);
    const insert = (by: TestClient, value: number): Promise<number> =>
      by
        .patch(
          '/secure/datasource/insert',
          { datasource_id: base, data: [{ device: 'later', at: '2024-01-02T00:00:00', temperature: value }] },
          { 'idempotency-key': String(value) },
        )
        .then(
          ({ status }) => status,
          () => 0,
        );

    // The second half of the rows comes while the one that dies has more to do.
    let imports: readonly string[] = [];
    let runs: readonly string[] = [];
    let asked: Promise<unknown> | null = null;
    let killed: Promise<void> | null = null;
    let sent = 0;
    for (let status = 200; status === 200; sent += 2) {
      if (sent === 200) {
        imports = await Promise.all([beginImport(client, CSV), beginImport(mine, CSV), beginImport(client, CSV)]);
        runs = await beginRuns(client, base, 3);
        asked = ask(client, conversation).catch(() => null);
      }
      if (sent === 220) killed = dying.kill();
      expect(await insert(mine, sent)).toBe(200);
      status = await insert(client, sent + 1);
      // What has no answer is sent again, where somebody is.
      if (status !== 200) expect([killed === null, await insert(mine, sent + 1)]).toEqual([false, 200]);
    }
    await Promise.all([killed, asked]);
    const query = { datasource_id: base, asset: 'later', from: '', to: '', value: 'temperature', points: 1000 };
    const { body } = await mine.post('/secure/data/plot', query);
    const values = (body['data'] as { value: number }[]).map((point) => point.value).sort((one, two) => one - two);
    expect(values).toEqual(Array.from({ length: sent }, (_, value) => value));
    await expectImported(mine, imports, ROWS);
    await expectRunOnce(mine, runs);
    await expectAnswer(mine, conversation);
    await eventually(
      () => datasourceOf(mine, base),
      ({ doc_count }) => doc_count === ROWS + sent,
      RECOVERED_MS,
    );
  });

  it('close each other’s sockets within a second of a logout or a deactivation', LONG, async () => {
    await using world = await aWorld('sockets');
    const [one, two] = [await world.start(), await world.start()];
    const client = await signIn(one);
    await using room = await StreamClient.open(streamUrl(one.url, 'all', String(client.token)));
    expect(await at(two, client).post('/secure/logout')).toMatchObject({ status: 200 });
    const loggedOut = performance.now();
    expect(await room.closed).toMatchObject({ code: 4401 });
    expect(performance.now() - loggedOut).toBeLessThan(SECOND);

    const again = await signIn(two);
    await using other = await StreamClient.open(streamUrl(one.url, 'all', String(again.token)));
    await promisify(execFile)(process.execPath, ['dist/admin.js', 'user:deactivate', '--email', 'ada@example.com'], {
      env: { PATH: process.env['PATH'], ...world.variables() },
    });
    const deactivated = performance.now();
    expect(await other.closed).toMatchObject({ code: 4401 });
    expect(performance.now() - deactivated).toBeLessThan(SECOND);
    expect(await at(two, again).get('/secure/datasources')).toMatchObject({ status: 401 });
  });
});
