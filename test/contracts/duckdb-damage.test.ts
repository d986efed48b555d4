import { readFile, rm, writeFile } from 'node:fs/promises';
import { text as textOf } from 'node:stream/consumers';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RowFile } from '../../src/rows/row-objects.js';
import { ROW_BATCHES, ROW_TABLES } from '../../src/rows/row-table.schema.js';
import { type DuckDbStore, openBeside, openDuckDb } from './duckdb-store.fixture.js';
import { aTable, at, COLUMNS, loadedInto, minutes, tableOf } from './row-engine.fixture.js';

const SEED = Number(process.env['TEST_SEED'] ?? 20_261_122);
const RUNS = process.env['TEST_LONG'] === '1' ? 200 : 1;
const LIMITS = { maxRows: 10, timeoutMs: 10_000 };
const SENTENCE =
  'the rows of this datasource are damaged: restore them from a backup, or import the file again (docs/operations.md)';
/** So many that later rows become a part. */
const BASE_MINUTES = 100_001;
const FILES = ['base', 'part'] as const;
type Victim = (typeof FILES)[number];

const table = aTable();
let store: DuckDbStore;
let paths: Readonly<Record<Victim, string>>;
let sound: Readonly<Record<Victim, Buffer>>;
let answers: Readonly<Record<string, unknown>>;

beforeAll(async () => {
  store = await openDuckDb();
  await loadedInto(store.engine, table, minutes(BASE_MINUTES));
  const append = (value: number): Promise<unknown> =>
    store.engine.append(table, [{ time: at('2024-06-01T00:00:00Z'), device: 'c', value }]);
  for (let value = 0; value < 200; value += 1) await append(value);
  await store.engine.compact(table, new AbortController().signal);
  for (let value = 0; value < 8; value += 1) await append(value);
  answers = await answersOf(store);
  await store.process.stop();
  const records = store.documents.tenantCollection(ROW_TABLES).of(table.companyId);
  const [record] = await records.find({ datasourceId: table.datasourceId });
  const pathOf = (file: RowFile | null | undefined): string =>
    store.objects.placeOf({ companyId: table.companyId, area: 'rows', name: file?.name ?? '' }) ?? '';
  paths = { base: pathOf(record?.base), part: pathOf(record?.part) };
  sound = { base: await readFile(paths.base), part: await readFile(paths.part) };
}, 120_000);
afterAll(() => store[Symbol.asyncDispose]());

/** Each of what can be asked of rows, and what came of it. */
async function answersOf({ engine, reader, downloads }: DuckDbStore): Promise<Record<string, unknown>> {
  const plot = { asset: null, from: null, to: null, column: 'value', points: 100 };
  const order = {
    asset: null,
    from: at('2024-03-09T00:00:00Z'),
    to: null,
    columns: COLUMNS.map(([name]) => name),
    timeFormats: [],
  };
  const asked: Record<string, () => Promise<unknown>> = {
    check: async () => (await engine.check(), 'up'),
    count: () => engine.count(table),
    plot: () => reader.plot(table, plot),
    profile: () => reader.profile(table),
    metadata: () => reader.distinctMetadata(table, { search: '', skip: 0, limit: 10 }),
    query: async () => (await reader.query(table, 'SELECT count(*), sum(value) FROM data', LIMITS)).rows,
    export: async () => (await textOf(await downloads.exportRows(table, order, 'csv'))).length,
  };
  const answered: Record<string, unknown> = {};
  for (const [name, ask] of Object.entries(asked)) {
    answered[name] = await ask().catch((error: unknown) => error);
  }
  return answered;
}

/** What another instance answers when the file is this; null: when it is gone. */
async function answersWith(victim: Victim, bytes: Buffer | null): Promise<Readonly<Record<string, unknown>>> {
  if (bytes === null) await rm(paths[victim]);
  else await writeFile(paths[victim], bytes);
  try {
    await using other = await openBeside(store);
    return await answersOf(other);
  } finally {
    await writeFile(paths[victim], sound[victim]);
  }
}

/** Each answer is the sentence or what it was; whether one was the sentence. */
function expectToldOrSame(given: Readonly<Record<string, unknown>>): boolean {
  const refusal = { name: 'AppError', kind: 'unavailable', message: SENTENCE };
  let told = false;
  for (const [name, answer] of Object.entries(given)) {
    if (answer instanceof Error) expect(answer, name).toMatchObject(refusal);
    else expect(answer, name).toEqual(answers[name]);
    told ||= answer instanceof Error;
  }
  return told;
}

describe('rows in damaged files', () => {
  it('are answered when the files are sound', () => {
    expect(Object.values(answers).filter((answer) => answer instanceof Error)).toEqual([]);
    expect(answers['count']).toBe(2 * BASE_MINUTES + 208);
  });

  it.each(FILES)(
    'are answered as before or refused with a sentence after 400 flipped bytes in the %s',
    async (victim) => {
      const flips = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 1, max: 255 })), { minLength: 400, maxLength: 400 });
      const property = fc.asyncProperty(flips, async (all) => {
        const bytes = Buffer.from(sound[victim]);
        for (const [where, by] of all) bytes[where % bytes.length]! ^= by;
        expect(expectToldOrSame(await answersWith(victim, bytes))).toBe(true);
      });
      await fc.assert(property, { seed: SEED, numRuns: RUNS });
    },
    600_000,
  );

  it.each([
    ['half of the base', 'base', 'half'],
    ['the base', 'base', 'none'],
    ['all that is in the part', 'part', 'empty'],
  ] as const)(
    'are refused with a sentence when %s is gone',
    async (_, victim, left) => {
      const whole = sound[victim];
      const bytes = { half: whole.subarray(0, whole.length / 2), empty: Buffer.alloc(0), none: null }[left];
      expect(expectToldOrSame(await answersWith(victim, bytes))).toBe(true);
    },
    120_000,
  );
});

it('later rows are refused with a sentence when a document of them can not be read, or is lost', async () => {
  const own = await tableOf(store, minutes(5));
  for (let value = 0; value < 3; value += 1)
    await store.engine.append(own, [{ time: at('2024-06-01T00:00:00Z'), device: 'c', value }]);
  const records = store.documents.tenantCollection(ROW_TABLES).of(own.companyId);
  const [{ load } = { load: '' }] = await records.find({ datasourceId: own.datasourceId });
  const batches = store.documents.tenantCollection(ROW_BATCHES).of(own.companyId);
  const middle = { load, number: 2 };
  const refusal = { kind: 'unavailable', message: SENTENCE };
  await using other = await openBeside(store);

  await batches.update(middle, { set: { data: 'z' } });
  await expect(other.reader.profile(own)).rejects.toMatchObject(refusal);
  expect(await batches.remove(middle)).toBe(1);
  await using third = await openBeside(store);
  await expect(third.engine.count(own)).rejects.toMatchObject(refusal);
  await expect(third.engine.append(own, [{ time: at('2024-06-01T00:00:00Z'), device: 'c' }])).rejects.toMatchObject(
    refusal,
  );
});
