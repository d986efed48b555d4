import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { createConnection, type mongo } from 'mongoose';
import S3rver from 's3rver';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listed, processed } from '../api/context-files.builder.js';
import { createTask, importedDatasource, openConversation } from '../api/world.builder.js';
import { LmdbDocumentStore } from '../../src/adapters/embedded/lmdb-document-store.js';
import { SystemClock } from '../../src/adapters/system/system-clock.js';
import { DOCUMENT_KINDS } from '../../src/migration/document-kinds.js';
import { SESSIONS } from '../../src/features/auth/session.schema.js';
import { ObjectStore } from '../../src/ports/object-store.js';
import { asId, type CompanyId } from '../../src/shared/ids.js';
import { aDatabase, dropDatabase, mongodbServer } from '../support/mongodb.js';
import { type Ended, Operator } from '../support/operator.js';
import { forgetInstallation, redisServer } from '../support/redis.js';
import { startTestApi, type TestApi } from '../support/test-api.js';
import { TestClient } from '../support/test-client.js';
import { notApplicable, SHARED_SERVERS } from '../support/way.js';

const JWT_SECRET = randomBytes(32).toString('hex');
const EMAIL = 'ada@example.com';
const PICTURE = `${'a'.repeat(32)}.png`;
const PIXELS = randomBytes(100_000);
const SESSIONS_COUNT = 1_000;

const elsewhere = notApplicable(SHARED_SERVERS, 'it has no embedded installation to move');

let folder: string;
let operator: Operator;
let source: string;
let before: object;
let answered: object;
const databases: string[] = [];

const migrate = (...args: readonly string[]): Promise<Ended> => operator.run(...args);

function newDatabase(): string {
  const uri = aDatabase();
  databases.push(uri);
  return uri;
}

async function opened(uri: string, dataDir: string, environment: Record<string, string> = {}): Promise<TestApi> {
  return startTestApi({ dataDir, environment: { MONGODB_URI: uri, JWT_SECRET, ...environment } });
}

/** What somebody sees of each kind of thing. */
async function seenBy(client: TestClient): Promise<object> {
  const at = async (path: string): Promise<Record<string, unknown>> => (await client.get(`/secure/${path}`)).body;
  const conversations = await at('assistant/conversations');
  const [first] = conversations['conversations'] as { id: string }[];
  return {
    user: (await at('currentuser'))['user'],
    datasources: await at('datasources'),
    conversations,
    history: await at(`assistant/history?conversation_id=${String(first?.id)}`),
    files: await listed(client),
    settings: await at('settings'),
    tasks: await at('agent/tasks'),
  };
}

async function datasourceOf(client: TestClient): Promise<string> {
  const { body } = await client.get('/secure/datasources');
  return (body['datasources'] as { id: string }[])[0]?.id ?? '';
}

/** The parts of an answer that come of the rows. */
async function answerOf(client: TestClient, message = 'average temperature by device'): Promise<object> {
  const conversation_id = await openConversation(client, await datasourceOf(client));
  const { body } = await client.post('/secure/assistant/chat', { conversation_id, message });
  const { response, data, dbquery } = body['response'] as Record<string, unknown>;
  return { response, data, dbquery };
}

async function insertRow(client: TestClient, day: string): Promise<void> {
  const data = [{ device: 'd1', at: `${day} 00:00:00`, temperature: '7.5', note: 'later' }];
  const rows = { datasource_id: await datasourceOf(client), data };
  expect(await client.patch('/secure/datasource/insert', rows)).toMatchObject({ status: 200 });
}

/** So many that a kill meets the move of them. */
async function addSessions(dataDir: string): Promise<void> {
  const store = new LmdbDocumentStore(join(dataDir, 'documents'), new SystemClock());
  await store.open();
  const sessions = store.collection(SESSIONS);
  const now = new Date();
  for (let at = 0; at < SESSIONS_COUNT; at += 50) {
    await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        sessions.insert({
          ...{ id: asId(`s${String(at + n).padStart(23, '0')}`), jti: `j${at + n}` },
          ...{ companyId: asId('c'.repeat(24)), userId: asId('a'.repeat(24)), createdAt: now },
          ...{ previousJti: null, previousUntil: null, address: '', agent: '', lastUsedAt: null },
          expiresAt: new Date(now.getTime() + 3_600_000),
        }),
      ),
    );
  }
  await store.close();
}

/** Names and bytes of everything in the data folder, but for the reader table of LMDB's, which every reader writes. */
async function bytesOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name !== 'lock.mdb');
  for (const file of files.map((entry) => join(entry.parentPath, entry.name)).sort()) {
    hash.update(file).update(await readFile(file));
  }
  return hash.digest('hex');
}

async function within<R>(uri: string, work: (database: mongo.Db) => Promise<R>): Promise<R> {
  const connection = await createConnection(uri).asPromise();
  try {
    return await work(connection.db!);
  } finally {
    await connection.close();
  }
}

const noServers = mongodbServer === undefined || redisServer === undefined;

describe.skipIf(noServers || elsewhere)('an embedded installation', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'migrate-'));
    source = join(folder, 'data');
    operator = new Operator(source, 'migrator');
    await using api = await startTestApi({ dataDir: source, environment: { JWT_SECRET } });
    const ada = await api.signIn('acme', { role: 'manager', email: EMAIL });
    const datasource = await importedDatasource(api, ada);
    await insertRow(ada, '2024-02-01');
    answered = await answerOf(ada);
    expect(answered).toMatchObject({ data: { rows: expect.any(Array) as unknown[] } });
    const key = { companyId: asId<CompanyId>(ada.companyId), area: 'images', name: PICTURE } as const;
    await api.get(ObjectStore).write(key, Readable.from([PIXELS]), PIXELS.length);
    await processed(api, ada, [{ name: 'leave.txt', content: 'Everybody has thirty days of leave a year.' }]);
    await ada.patch('/secure/settings', { config: { mail: { password: 'a sealed secret' } } });
    await createTask(ada, datasource);
    before = await seenBy(ada);
  }, 120_000);
  afterAll(async () => {
    operator[Symbol.dispose]();
    for (const uri of databases) await dropDatabase(uri);
    await rm(folder, { recursive: true, force: true });
  });

  it('moves, and answers the same from MongoDB', async () => {
    const [uri, untouched] = [newDatabase(), await bytesOf(source)];
    const { code, out, err } = await migrate('--from', source, '--to', uri);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/users +2 {2}[0-9a-f]{16} {2}verified/);
    expect(out).toContain(`${source}/jwt-secret`);
    expect(out).not.toContain(JWT_SECRET);
    expect(await bytesOf(source)).toBe(untouched);

    const again = await migrate('--from', source, '--to', uri);
    expect(again.code).toBe(1);
    expect(again.err).toContain('was migrated to');

    await using api = await opened(uri, source);
    const ada = await TestClient.signIn(api.url, EMAIL, 'secret-1-acme');
    expect(await seenBy(ada)).toMatchObject({ ...before, user: expect.any(Object) as object });
    expect(await answerOf(ada)).toEqual(answered);

    const running = await migrate('--from', source, '--to', newDatabase());
    expect(running).toMatchObject({ code: 1, err: `the service is running on ${source}: stop it first\n` });
  });

  it('is moved to its end after a kill in the middle, nothing twice, and not called moved when the copy is damaged', async () => {
    const uri = newDatabase();
    const large = join(folder, 'large');
    await cp(source, large, { recursive: true });
    await addSessions(large);
    // As it is started by hand.
    const args = ['--no-warnings', 'dist/migrate.js', '--from', large, '--to', uri];
    const first = spawn(process.execPath, args, { stdio: 'ignore' });
    const ended = once(first, 'close');
    const left = await within(uri, async (database) => {
      const sessions = database.collection('sessions');
      while ((await sessions.countDocuments()) <= 100) await new Promise(setImmediate);
      first.kill('SIGKILL');
      await ended;
      return sessions.countDocuments();
    });
    expect(left).toBeLessThan(SESSIONS_COUNT);

    const second = await migrate('--from', large, '--to', uri);
    expect(second).toMatchObject({ code: 0, err: '' });
    expect(second.out).toContain('Went on with a migration');
    const copied = Number(/sessions: (\d+) copied/.exec(second.out)?.[1]);
    expect(copied).toBeLessThanOrEqual(SESSIONS_COUNT + 1 - left);

    await within(uri, async (database) => {
      // As it was before the end was written down.
      await database.collection('migrations').updateMany({}, { $set: { finishedAt: null } });
      await database.collection('users').updateOne({}, { $set: { lastName: 'Mallory' } });
      await database.collection('sessions').updateOne({}, { $set: { expiresAt: new Date(Date.now() + 7_200_000) } });
      await database.collection<{ _id: string }>('companies').insertOne({ _id: 'c'.repeat(24) });
    });
    const { code, out, err } = await migrate('--from', large, '--to', uri);
    expect(code).toBe(1);
    expect(err).toContain('The copy is damaged');
    expect(out).toMatch(/users .*DAMAGED\n {2}1 are missing or differ: /);
    expect(out).toMatch(/sessions .*DAMAGED/);
    expect(out).toMatch(/companies .*DAMAGED\n {2}1 are there that the source does not have/);
    expect(out).toMatch(/messages .*verified/);
  });

  it("is kept out of a database that has something, or another installation's unfinished move", async () => {
    const used = newDatabase();
    await within(used, (database) => database.collection<{ _id: string }>('users').insertOne({ _id: 'u'.repeat(24) }));
    expect((await migrate('--from', source, '--to', used)).err).toContain('the target is not empty, it has users');

    const begun = newDatabase();
    const other = { _id: 'embedded', source: 'another', startedAt: new Date(), finishedAt: null };
    await within(begun, (database) => database.collection<{ _id: string }>('migrations').insertOne(other));
    expect((await migrate('--from', source, '--to', begun)).err).toContain('of another installation');
  });

  it('moves its files and its rows into a bucket too, where an instance without its folder finds them', async () => {
    const server = new S3rver({ port: 0, address: '127.0.0.1', silent: true, directory: join(folder, 's3') });
    const { port } = await server.run();
    await fetch(`http://127.0.0.1:${port}/files`, { method: 'PUT' });
    const url = `s3+http://S3RVER:S3RVER@127.0.0.1:${port}/files/here`;
    const [uri, untouched] = [newDatabase(), await bytesOf(source)];
    const { code, out, err } = await migrate('--from', source, '--to', uri, '--objects', url);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/files +[2-9]\d* {2}[0-9a-f]{16} {2}verified/);
    expect(out).not.toContain('take the folder');
    expect(await bytesOf(source)).toBe(untouched);
    const taken = await migrate('--from', source, '--to', newDatabase(), '--objects', url);
    expect(taken).toMatchObject({ code: 1, err: 'the bucket is not empty: choose another one, or another prefix\n' });

    const prefix = `migrated-${randomBytes(6).toString('hex')}`;
    const shared = { REDIS_URL: redisServer ?? '', REDIS_PREFIX: prefix, OBJECT_STORE_URL: url };
    {
      await using api = await opened(uri, join(folder, 'elsewhere'), shared);
      const ada = await TestClient.signIn(api.url, EMAIL, 'secret-1-acme');
      const image = await ada.bytes(`/secure/assistant/visualizations/${PICTURE}`);
      expect(image).toEqual({ status: 200, type: 'image/png', bytes: PIXELS });
      expect(await answerOf(ada)).toEqual(answered);
      await insertRow(ada, '2024-02-02');
      expect(await answerOf(ada, 'How many rows?')).toMatchObject({ data: { rows: [[50]] } });
    }
    await forgetInstallation(prefix);
    await server.close();
  });
});

it('the migration knows every kind of document that there is a schema of', async () => {
  const files = (await readdir('src', { recursive: true })).filter((name) => name.endsWith('.schema.ts'));
  const names: string[] = [];
  for (const file of files.filter((name) => !name.startsWith('migration'))) {
    const found = (await readFile(join('src', file), 'utf8')).matchAll(
      /(?:CollectionDefinition<\w+> = \{\s*name: |(?:tenant|bin)Kind<\w+>\(\s*)'([^']+)'/g,
    );
    names.push(...[...found].map(([, name]) => String(name)));
  }
  expect(names.length).toBeGreaterThan(10);
  expect(DOCUMENT_KINDS.map(({ name }) => name).sort()).toEqual(names.sort());
});
