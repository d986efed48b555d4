import { once } from 'node:events';
import { mkdtemp, readdir, readFile, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TableColumn } from '../../src/plan/plan-columns.js';
import {
  type ExportLimits,
  type ExportOrder,
  ExportRuns,
  type ExportStream,
  ExportTurns,
} from '../../src/rows/export/export-runs.js';
import { STORED_TYPES } from '../../src/rows/table-shape.js';
import { asId, type CompanyId } from '../../src/shared/ids.js';
import { eventually } from '../support/eventually.js';

const PATIENT: ExportLimits = { wholeMs: 60_000, stalledMs: 60_000 };
const [TIME, DEVICE, COUNT, NOTE]: readonly [TableColumn, TableColumn, TableColumn, TableColumn] = [
  { physical: 'c0', name: 'time', type: 'time' },
  { physical: 'c1', name: 'device', type: 'text' },
  { physical: 'c2', name: 'count', type: 'integer' },
  { physical: 'c3', name: 'note', type: 'text' },
];
const TABLE = [TIME, DEVICE, COUNT, NOTE];
/** Far more than all the buffers on the way hold. */
const MANY = `SELECT TIMESTAMP '2024-01-01' + to_seconds(r), 'd' || r // 1000, r, repeat('x', 100) FROM range(300000) t(r)`;

let home: string;
let base: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'export-test-'));
  base = await baseOf(MANY);
});
afterAll(() => rm(home, { recursive: true, force: true }));

/** A base of these rows, as an import leaves it. */
async function baseOf(rows: string): Promise<string> {
  const path = join(await mkdtemp(join(home, 'base-')), 'base.duckdb');
  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  await connection.run(
    `CREATE TABLE data (${TABLE.map(({ physical, type }) => `${physical} ${STORED_TYPES[type]}`).join(', ')});
     INSERT INTO data ${rows};
     CREATE TABLE facts AS FROM (VALUES ('timeField', 'time'), ('metaField', 'device')) t(key, value);
     CREATE TABLE assets AS SELECT c1 AS value, min(rowid) AS first_row, max(rowid) AS last_row FROM data GROUP BY ALL`,
  );
  connection.closeSync();
  instance.closeSync();
  return path;
}

interface Bench {
  readonly runs: ExportRuns;
  /** In which the exports work. */
  readonly folder: string;
}

async function aBench(limits = PATIENT): Promise<Bench> {
  const folder = join(await mkdtemp(join(home, 'bench-')), 'exports');
  const runs = new ExportRuns(folder, limits);
  await runs.open();
  return { runs, folder };
}

function anOrder(path: string, columns: readonly TableColumn[] = TABLE): ExportOrder {
  const all = { format: 'csv', asset: null, from: null, to: null, timeFormats: [] } as const;
  return { base: path, later: null, width: TABLE.length, time: TIME, meta: DEVICE, columns, ...all };
}

interface Running extends Bench {
  readonly stream: ExportStream;
  readonly ended: Promise<void>;
}

async function started(limits = PATIENT): Promise<Running> {
  const bench = await aBench(limits);
  const { promise: ended, resolve: end } = withResolver();
  return { ...bench, stream: await bench.runs.start(anOrder(base), end), ended };
}

function withResolver(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}

/** The processes that work in the folder, by name. */
async function processesIn(folder: string): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => '');
    if (!cwd.startsWith(folder)) continue;
    found.set((await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')).trim(), Number(pid));
  }
  return found;
}

async function expectNothingLeft({ folder, ended }: Running): Promise<void> {
  await ended;
  await eventually(
    () => processesIn(folder),
    (left) => left.size === 0,
  );
  expect(await readdir(folder)).toEqual([]);
}

describe.skipIf(process.platform !== 'linux')('an export', () => {
  it('waits in little memory for a reader that reads nothing, and is given up in time', async () => {
    const running = await started({ ...PATIENT, stalledMs: 1500 });
    const failed = once(running.stream, 'error');
    const processes = await processesIn(running.folder);
    const status = await readFile(`/proc/${processes.get('node') ?? processes.get('MainThread')}/status`, 'utf8');
    expect(Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024).toBeLessThan(600);
    expect(running.stream.readableLength).toBeLessThan(1024 ** 2);
    const given = { kind: 'timed_out', message: 'the export was not read any further' };
    await expect(failed).resolves.toMatchObject([given]);
    await expectNothingLeft(running);
  });

  it('breaks with an error when it takes too long', async () => {
    const running = await started({ ...PATIENT, wholeMs: 5000 });
    await expect(once(running.stream, 'error')).resolves.toMatchObject([{ kind: 'timed_out' }]);
    await expectNothingLeft(running);
  });

  it.each(['rows', 'folder'])('that can not be begun without its %s is over, and keeps nobody’s turn', async (gone) => {
    const { runs, folder } = await aBench();
    if (gone === 'folder') await rm(folder, { recursive: true });
    const { promise: ended, resolve: end } = withResolver();
    await expect(runs.start(anOrder(gone === 'rows' ? '/nowhere/base.duckdb' : base), end)).rejects.toThrow();
    await ended;
    if (gone === 'rows') expect(await readdir(folder)).toEqual([]);
  });

  it('that fails on its way breaks with an error', async () => {
    const broken = await baseOf(
      `SELECT TIMESTAMP '2024-01-01', 'd' || r // 1000, r, if(r < 290000, '1', 'x') FROM range(300000) t(r)`,
    );
    const wrong = [TIME, DEVICE, { ...COUNT, physical: 'CAST(c3 AS INTEGER)' }, NOTE];
    const stream = await (await aBench()).runs.start(anOrder(broken, wrong), () => undefined);
    stream.resume();
    await expect(once(stream, 'error')).resolves.toHaveLength(1);
  });

  it('of long texts comes in the memory of short ones', async () => {
    const text = 'repeat(chr(CAST(97 + r % 20 AS INTEGER)), 400000)';
    const rows = `SELECT TIMESTAMP '2024-01-01' + to_seconds(r), 'a', r, ${text} FROM range(400) t(r)`;
    const stream = await (await aBench()).runs.start(anOrder(await baseOf(rows), [NOTE]), () => undefined);
    let bytes = 0;
    for await (const piece of stream) bytes += (piece as Buffer).length;
    expect(bytes).toBe('note\r\n'.length + 400 * 400_002);
  });

  it('leaves nothing that the next service does not remove', async () => {
    const { runs, folder, stream, ended } = await started();
    await once(stream, 'readable');
    await runs.open();
    expect(await readdir(folder)).toEqual([]);
    stream.destroy();
    await ended;
  });
});

it('turns are two for a company and four in all', () => {
  const [acme, globex, initech] = ['a', 'b', 'c'].map((digit): CompanyId => asId(digit.repeat(24)));
  const turns = new ExportTurns();
  const first = turns.take(acme!);
  turns.take(acme!);
  expect(() => turns.take(acme!)).toThrow('your company has 2 exports running');
  turns.take(globex!);
  turns.take(globex!);
  expect(() => turns.take(initech!)).toThrow('other exports are running');
  first();
  first();
  expect(() => turns.take(globex!)).toThrow('your company has 2 exports running');
  turns.take(initech!);
  expect(() => turns.take(acme!)).toThrow('other exports are running');
});
