/** One subject of `rows.ts`: does what it is told on a row store, and says how many milliseconds it took. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { MongoDocumentStore } from '../src/adapters/mongo/mongo-document-store.js';
import { s3Address } from '../src/adapters/storage/s3-address.js';
import { S3ObjectStore } from '../src/adapters/storage/s3-object-store.js';
import { SystemClock } from '../src/adapters/system/system-clock.js';
import type { AnalysisPlan } from '../src/ports/analysis-plan.js';
import type { TypedRow } from '../src/ports/row-engine.js';
import type { PlotQuery } from '../src/ports/row-reader.js';
import type * as DeviceRows from './device-rows.js';
import type { Operation, SubjectAnswer, SubjectOrder, SubjectStart } from './rows.js';

type BenchStore = DeviceRows.BenchStore;

const start = JSON.parse(process.argv[2] ?? '') as SubjectStart;
const { aTable, deviceOf, FIRST_TIME, openStore, sourceOf } = (await import(start.module)) as typeof DeviceRows;
const DAY_MS = 86_400_000;
const ALL = { from: null, to: null, column: 'temperature', points: 1000 };
const DAY = { from: new Date(FIRST_TIME), to: new Date(FIRST_TIME + DAY_MS) };
const LIMITS = { maxRows: 1000, timeoutMs: 120_000 };
const AVERAGE: AnalysisPlan = {
  kind: 'aggregate',
  measures: [{ aggregate: 'avg', column: 'temperature', label: 'average' }],
  dimensions: [{ kind: 'column', column: 'device', label: 'device' }],
  ...{ filters: [], having: [], order: [], limit: null },
};
const SQL = 'SELECT device, avg(temperature) FROM data GROUP BY device';
const MEASURES = { humidity: 50.5, pressure: 1000.25, voltage: 3.3, load: 0.5, errors: 3, status: 'ok' };
const table = aTable();
const watch = { onProgress: () => undefined, signal: new AbortController().signal };

async function shared(mongo: string, s3: string): Promise<DeviceRows.Shared> {
  const documents = new MongoDocumentStore(mongo, new SystemClock());
  await documents.open();
  const copies = await mkdtemp(join(tmpdir(), 'bench-copies-'));
  const objects = new S3ObjectStore(s3Address(s3), copies);
  await objects.open();
  return {
    documents,
    objects,
    [Symbol.asyncDispose]: async () => {
      await documents.close();
      await rm(copies, { recursive: true });
    },
  };
}

const common = start.mongo === null ? null : await shared(start.mongo, start.s3);
const open = (): Promise<BenchStore> => (common === null ? openStore() : openStore(common));
/** Where there are two instances, one writes and the other reads. */
const writer = await open();
const reader = common === null ? writer : await open();

let row = 0;

function laterRows(count: number): readonly TypedRow[] {
  return Array.from({ length: count }, () => {
    row += 1;
    return {
      ts: new Date(FIRST_TIME + 400 * DAY_MS + row * 1000),
      device: deviceOf(row),
      temperature: row / 7,
      ...MEASURES,
    };
  });
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}

const insert = (count: number): Promise<unknown> => writer.engine.append(table, laterRows(count));
const plot = (query: PlotQuery, at = reader): Promise<unknown> => at.reader.plot(table, query);
const one = (turn: number): Promise<unknown> => plot({ ...ALL, asset: deviceOf(turn * 7) });
const average = (): Promise<unknown> => reader.reader.analyze(table, AVERAGE, LIMITS);
const statement = (): Promise<unknown> => reader.reader.query(table, SQL, LIMITS);

async function afterInsert(read: () => Promise<unknown>): Promise<number> {
  await insert(1000);
  return timed(read);
}

/** An engine that knows no table yet. */
async function restarted({ process: engine }: BenchStore): Promise<void> {
  const { pid } = engine;
  if (pid !== null) process.kill(pid, 'SIGKILL');
  while (engine.pid === pid || engine.pid === null) await wait(20);
  await engine.request('ping', {}, 2000);
}

const WORK: Readonly<Record<Operation, (turn: number) => Promise<number>>> = {
  import: () => timed(() => writer.engine.load(table, sourceOf(start.csv), watch)),
  'plot of one asset': (turn) => timed(() => one(turn)),
  'plot of an asset’s day': (turn) => timed(() => plot({ ...ALL, ...DAY, asset: deviceOf(turn * 7) })),
  'plot of all assets': () => timed(() => plot({ ...ALL, asset: null })),
  'average by device': () => timed(average),
  'SQL statement': () => timed(statement),
  'insert of 1,000 rows': () => timed(() => insert(1000)),
  'insert of 1 row': () => timed(() => insert(1)),
  'plot after an insert': (turn) => afterInsert(() => one(turn)),
  'average after an insert': () => afterInsert(average),
  'SQL after an insert': () => afterInsert(statement),
  count: () => timed(() => reader.engine.count(table)),
  'first plot of an engine': async (turn) => {
    await restarted(reader);
    return timed(() => one(turn));
  },
  'first plot of an instance': async () => {
    if (common === null) return Number.NaN;
    await using fresh = await open();
    return await timed(() => plot({ ...ALL, asset: deviceOf(7) }, fresh));
  },
};

process.on('message', (order: SubjectOrder) => {
  void (order === 'end' ? end() : answer(order.operation, order.turn));
});

async function answer(operation: Operation, turn: number): Promise<void> {
  const ms = await WORK[operation](turn);
  process.send?.({ ms } satisfies SubjectAnswer);
}

async function end(): Promise<void> {
  for (const store of new Set([writer, reader])) await store[Symbol.asyncDispose]();
  await common?.[Symbol.asyncDispose]();
  process.disconnect();
}

process.send?.({ ms: 0 } satisfies SubjectAnswer);
