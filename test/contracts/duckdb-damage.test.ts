import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DuckDbRowEngine } from '../../src/rows/duckdb-row-engine.js';
import { DuckDbRowReader } from '../../src/rows/duckdb-row-reader.js';
import { EngineProcess } from '../../src/rows/engine-client.js';
import { SandboxPool } from '../../src/rows/sandbox-pool.js';
import { type DuckDbStore, openDuckDb, storageIn } from './duckdb-store.fixture.js';
import { aSource, aTable, at, minutes, QUIET, type RowStore } from './row-engine.fixture.js';

const SEED = Number(process.env['TEST_SEED'] ?? 20_261_122);
const RUNS = process.env['TEST_LONG'] === '1' ? 200 : 6;
const SENTENCE =
  'the rows of this datasource (its files in rows/) are damaged: restore the data folder from a backup, or import the file again (docs/operations.md)';
const LOG = 'delta.1.1.duckdb.wal';
const FILES = ['base.1.0.duckdb', 'delta.1.1.duckdb', LOG, 'delta.1.1.duckdb.rows'];

const table = aTable();
let store: DuckDbStore;
let folder: string;
let sound: ReadonlyMap<string, Buffer>;
let answers: Readonly<Record<string, unknown>>;

beforeAll(async () => {
  store = await openDuckDb();
  await store.engine.load(table, await aSource(store.folder, [{ text: minutes(4_000) }]), QUIET);
  for (let value = 0; value < 8; value += 1)
    await store.engine.append(table, [{ time: at('2024-02-01T00:00:00Z'), device: 'c', value }]);
  answers = await answersOf(store);
  folder = store.files.folder(table.companyId, table.datasourceId);
  const read = FILES.map(async (name) => [name, await readFile(join(folder, name))] as const);
  sound = new Map(await Promise.all(read));
  await store.process.stop();
}, 60_000);
afterAll(() => store[Symbol.asyncDispose]());

/** Each of what can be asked of rows, and what came of it. */
async function answersOf({ engine, reader }: Pick<RowStore, 'engine' | 'reader'>): Promise<Record<string, unknown>> {
  const plot = { asset: null, from: null, to: null, column: 'value', points: 100 };
  const asked: Record<string, () => Promise<unknown>> = {
    check: async () => (await engine.check(), 'up'),
    count: () => engine.count(table),
    plot: () => reader.plot(table, plot),
    profile: () => reader.profile(table),
    metadata: () => reader.distinctMetadata(table, { search: '', skip: 0, limit: 10 }),
    query: async () => (await reader.query(table, 'SELECT count(*), sum(value) FROM data', LIMITS)).rows,
  };
  const answered: Record<string, unknown> = {};
  for (const [name, ask] of Object.entries(asked)) {
    answered[name] = await ask().catch((error: unknown) => error);
  }
  return answered;
}
const LIMITS = { maxRows: 10, timeoutMs: 10_000 };

/** What another engine answers when one of the files is this. */
async function answersWith(victim: string, bytes: Buffer): Promise<Readonly<Record<string, unknown>>> {
  for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true });
  for (const [name, whole] of sound) await writeFile(join(folder, name), name === victim ? bytes : whole);
  const engine = new EngineProcess(storageIn(store.folder));
  const sandbox = new SandboxPool({ tempDir: join(store.folder, 'sandbox') });
  await engine.start();
  try {
    const rows = new DuckDbRowEngine(engine, store.files, storageIn(store.folder));
    return await answersOf({ engine: rows, reader: new DuckDbRowReader(engine, store.files, sandbox) });
  } finally {
    await sandbox.stop();
    await engine.stop();
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
  it('are answered when the files are sound', async () => {
    expect(Object.values(answers).filter((answer) => answer instanceof Error)).toEqual([]);
    expect(answers['count']).toBe(8_008);
    expect(expectToldOrSame(await answersWith('none', Buffer.alloc(0)))).toBe(false);
  });

  it.each(FILES)(
    'are answered as before or refused with a sentence after 400 flipped bytes in %s',
    async (victim) => {
      const flips = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 1, max: 255 })), { minLength: 400, maxLength: 400 });
      const property = fc.asyncProperty(flips, async (all) => {
        const bytes = Buffer.from(sound.get(victim)!);
        for (const [where, by] of all) bytes[where % bytes.length]! ^= by;
        expect(expectToldOrSame(await answersWith(victim, bytes))).toBe(true);
      });
      await fc.assert(property, { seed: SEED, numRuns: RUNS });
    },
    600_000,
  );

  it.each(FILES.slice(0, 3))('are refused with a sentence when half of %s is gone', async (victim) => {
    const whole = sound.get(victim)!;
    expect(expectToldOrSame(await answersWith(victim, whole.subarray(0, whole.length / 2)))).toBe(true);
    expect(expectToldOrSame(await answersWith(victim, Buffer.alloc(0)))).toBe(true);
  });
});
