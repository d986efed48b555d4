import { createConnection, mongo } from 'mongoose';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { adminOf } from '../../src/admin-command.js';
import { runAdmin } from '../../src/features/admin/admin.commands.js';
import { DOCUMENT_KINDS } from '../../src/migration/document-kinds.js';
import { isRecord } from '../../src/shared/json.js';
import { MATRIX } from '../api/matrix.rows.js';
import { aWorld, createTask, importedDatasource, openConversation, type World } from '../api/world.builder.js';
import { schedule } from '../api/agent-world.js';
import { aDatabase, dropDatabase, mongodbServer } from '../support/mongodb.js';
import { startTestApi, type TestApi } from '../support/test-api.js';
import type { TestClient } from '../support/test-client.js';
import { notApplicable, SHARED_SERVERS } from '../support/way.js';

const elsewhere = notApplicable(SHARED_SERVERS, 'it is tried once, with nothing but MongoDB');

/** A question as the repositories put it to the driver. */
interface Asked {
  readonly kind: string;
  readonly method: string;
  readonly filter: mongo.Document;
  readonly options: mongo.FindOptions;
}

/** May be read whole, and why that costs nothing. */
const WHOLE: Readonly<Record<string, string>> = {
  companies: 'few, and read whole by the command that lists them',
  'sign-in-providers': 'few: one of each company that has one',
};

const QUESTIONS = ['find', 'findOne', 'countDocuments', 'findOneAndUpdate', 'deleteMany'] as const;

/** Everything that a client can do, done once by somebody who may, on a service that has something of each kind. */
async function everything(api: TestApi): Promise<void> {
  const world = await aWorld(api);
  // Tokens are looked up where they are limited, and asked for by their limit alone.
  await world.manager.patch('/secure/settings', { config: { assistant: { limits: { tokens_per_day: 1000 } } } });
  await schedule(world.owner, world.task, { type: 'interval', interval: 60 }).catch(() => undefined);
  const reads = Object.entries(MATRIX).filter(([route]) => route.startsWith('GET '));
  const writes = Object.entries(MATRIX).filter(([route]) => !route.startsWith('GET ') && !isEnd(route));
  for (const [route, row] of [...reads, ...writes]) {
    const call = row.call(row.id?.(world) ?? '');
    if (row.reach === 'public') continue;
    // What is read may be a file.
    if (route.startsWith('GET ')) await world.manager.bytes(call.path);
    else await send(world.manager, route, call);
  }
  await api.drain();
  await endings(api, world);
}

function isEnd(route: string): boolean {
  return route.startsWith('DELETE') || /log(in|out)/.test(route);
}

/** What takes something away, each with something of its own. */
async function endings(api: TestApi, { owner, colleague, manager }: World): Promise<void> {
  const datasource = await importedDatasource(api, owner);
  const conversation = await openConversation(owner, datasource);
  const task = await createTask(owner, datasource);
  await owner.delete(`/secure/agent/task/delete/${task}?permanent=true`);
  await owner.delete('/secure/assistant/conversation', { id: conversation, permanent: true });
  await owner.delete('/secure/datasource', { id: datasource, permanent: true });
  await manager.post('/sign-in/finish', { browser: '0'.repeat(64), state: '0'.repeat(64), code: 'none' });
  await manager.delete(`/secure/user/${colleague.id}?erase=true`);
  await manager.get('/secure/logout');
  await api.drain();
}

function send(client: TestClient, route: string, { path, body }: { path: string; body?: unknown }): Promise<unknown> {
  const [method] = route.split(' ');
  if (method === 'POST') return client.post(path, body);
  if (method === 'PUT') return client.put(path, body);
  return client.patch(path, body);
}

/** Hears every question that reaches the driver, which goes on as if nobody listened. */
function listen(asked: Asked[], writes: mongo.WriteConcern[]): void {
  for (const method of QUESTIONS) {
    const original = mongo.Collection.prototype[method] as (...args: unknown[]) => unknown;
    vi.spyOn(mongo.Collection.prototype, method).mockImplementation(function (
      this: mongo.Collection,
      ...args: unknown[]
    ) {
      const [filter = {}] = args as [mongo.Document?];
      const options = (method === 'find' ? args[1] : {}) as mongo.FindOptions | undefined;
      asked.push({ kind: this.collectionName, method, filter, options: options ?? {} });
      if (method === 'findOneAndUpdate' || method === 'deleteMany') writes.push(this.writeConcern ?? {});
      return original.apply(this, args) as never;
    });
  }
}

/** The stages of the plan that MongoDB chose. */
function stagesOf(plan: unknown): readonly string[] {
  if (!isRecord(plan)) return [];
  const own = typeof plan['stage'] === 'string' ? [plan['stage']] : [];
  const below = [
    plan['inputStage'],
    plan['queryPlan'],
    ...(Array.isArray(plan['inputStages']) ? (plan['inputStages'] as unknown[]) : []),
  ];
  return [...own, ...below.flatMap(stagesOf)];
}

/** The question without its values. */
function shapeOf({ kind, method, filter, options }: Asked): string {
  const shape = JSON.stringify([filter, options.sort ?? []], (_name, value: unknown) =>
    Array.isArray(value) && value.every((each) => typeof each === 'string' && !/^(id|_id|[a-z]+[A-Z]?\w*)$/.test(each))
      ? '?'
      : typeof value === 'string' && /^[0-9a-f]{24}$|^\d{4}-|[^\w$]/.test(value)
        ? '?'
        : value,
  );
  return `${kind} ${method} ${shape}`;
}

describe.skipIf(mongodbServer === undefined || elsewhere)('every question to MongoDB', () => {
  const uri = aDatabase();
  const [asked, writes]: [Asked[], mongo.WriteConcern[]] = [[], []];
  const plans = new Map<string, readonly string[]>();

  beforeAll(async () => {
    listen(asked, writes);
    const environment = { MONGODB_URI: uri, JWT_SECRET: 'j'.repeat(40), RATE_LIMIT: '0', LOGIN_RATE_LIMIT: '0' };
    const first = await startTestApi({ environment });
    await everything(first);
    await first[Symbol.asyncDispose]();
    // What a start looks for among what an earlier life left.
    const second = await startTestApi({ environment });
    await second.drain();
    await second[Symbol.asyncDispose]();
    // A model is asked nowhere else; that nothing listens there is no matter.
    const nowhere = { ...environment, OPENAI_BASE_URL: 'http://127.0.0.1:9/v1', OPENAI_MODEL: 'away' };
    await runAdmin(['models:check'], adminOf(nowhere), { out: () => undefined, err: () => undefined });
    vi.restoreAllMocks();
    const connection = await createConnection(uri).asPromise();
    for (const question of asked) {
      const shape = shapeOf(question);
      if (plans.has(shape)) continue;
      const { kind, filter, options } = question;
      const explained = await connection.db?.command({
        explain: { find: kind, filter, sort: sorted(options) },
        verbosity: 'queryPlanner',
      });
      plans.set(shape, stagesOf((explained as { queryPlanner?: { winningPlan?: unknown } }).queryPlanner?.winningPlan));
    }
    await connection.close();
  }, 240_000);
  afterAll(() => dropDatabase(uri));

  it('was heard and explained', () => {
    const kinds = new Set(asked.map(({ kind }) => kind));
    expect([...kinds].sort()).toEqual(DOCUMENT_KINDS.map(({ name }) => name).sort());
    expect(plans.size).toBeGreaterThan(40);
    expect([...plans].filter(([, stages]) => stages.length === 0)).toEqual([]);
  });

  it('goes by an index, but where there are few documents by nature', () => {
    const scans = [...plans].filter(([, stages]) => stages.includes('COLLSCAN')).map(([shape]) => shape);
    expect(scans.filter((shape) => WHOLE[shape.split(' ')[0] ?? ''] === undefined)).toEqual([]);
  });

  it('that writes is acknowledged by the majority', () => {
    expect(writes.length).toBeGreaterThan(20);
    expect(new Set(writes.map(({ w }) => w))).toEqual(new Set(['majority']));
  });
});

function sorted({ sort }: mongo.FindOptions): mongo.Document {
  return Array.isArray(sort) ? Object.fromEntries(sort as [string, 1 | -1][]) : {};
}
