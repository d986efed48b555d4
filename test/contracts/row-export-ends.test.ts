import { once } from 'node:events';
import { mkdtemp, readdir, readFile, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
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

const TABLE: readonly TableColumn[] = [
  { physical: 'c0', name: 'time', type: 'time' },
  { physical: 'c1', name: 'device', type: 'text' },
  { physical: 'c2', name: 'value', type: 'number' },
  { physical: 'c3', name: 'count', type: 'integer' },
  { physical: 'c4', name: 'on', type: 'boolean' },
  { physical: 'c5', name: 'seen', type: 'time' },
  { physical: 'c6', name: 'note', type: 'text' },
];

/** SQL for one row of the table: what is not said is null. */
function aRow(time: string, device: string, cells: Readonly<Record<string, string>> = {}): string {
  const values: Readonly<Record<string, string>> = { c0: `'${time}'`, c1: `'${device}'`, ...cells };
  return `(${TABLE.map(({ physical, type }) => `CAST(${values[physical] ?? 'NULL'} AS ${STORED_TYPES[type]})`).join(', ')})`;
}

/** Rows of a base, as an import leaves them. */
class ExportBench {
  readonly runs: ExportRuns;

  private constructor(
    readonly folder: string,
    limits: ExportLimits,
  ) {
    this.runs = new ExportRuns(join(folder, 'exports'), limits);
  }

  static async open(limits = PATIENT): Promise<ExportBench> {
    const bench = new ExportBench(await mkdtemp(join(tmpdir(), 'export-test-')), limits);
    await bench.runs.open();
    return bench;
  }

  /** `rows` is a select or values with the table's columns, in the order in which they are to be stored. */
  async base(rows: string, columns = TABLE): Promise<string> {
    const path = join(await mkdtemp(join(this.folder, 'base-')), 'base.duckdb');
    const instance = await DuckDBInstance.create(path);
    const connection = await instance.connect();
    const fields = columns.map(({ physical, type }) => `${physical} ${STORED_TYPES[type]}`).join(', ');
    await connection.run(`CREATE TABLE data (${fields})`);
    await connection.run(`INSERT INTO data ${rows}`);
    await connection.run(
      `CREATE TABLE facts AS FROM (VALUES ('timeField', 'time'), ('metaField', 'device')) t(key, value)`,
    );
    await connection.run(
      'CREATE TABLE assets AS SELECT c1 AS value, min(rowid) AS first_row, max(rowid) AS last_row FROM data GROUP BY ALL',
    );
    connection.closeSync();
    instance.closeSync();
    return path;
  }

  async exported(order: ExportOrder): Promise<string> {
    return text(await this.runs.start(order, () => undefined));
  }
}

function anOrder(base: string, changes: Partial<ExportOrder> = {}): ExportOrder {
  const all = {
    format: 'csv' as const,
    asset: null,
    from: null,
    to: null,
    timeFormats: [['c0', '%Y-%m-%d %H:%M:%S'] as const],
  };
  const keys = { time: columnOf('time'), meta: columnOf('device') };
  return { base, later: null, width: TABLE.length, ...keys, columns: TABLE, ...all, ...changes };
}

function columnOf(name: string): TableColumn {
  const column = TABLE.find((one) => one.name === name);
  if (column === undefined) throw new Error(`no column ${name}`);
  return column;
}

/** Far more than all the buffers on the way hold. */
const MANY = `SELECT TIMESTAMP '2024-01-01' + to_seconds(r), 'd' || r // 1000, r / 7, r, true, NULL, repeat('x', 100) FROM range(300000) t(r)`;

interface Running {
  readonly bench: ExportBench;
  readonly stream: ExportStream;
  readonly ended: Promise<void>;
}

let base: string;
const benches: ExportBench[] = [];
beforeAll(async () => {
  base = await (await aBench()).base(MANY);
});
afterAll(() => Promise.all(benches.map(({ folder }) => rm(folder, { recursive: true, force: true }))));

async function aBench(limits = PATIENT): Promise<ExportBench> {
  const bench = await ExportBench.open(limits);
  benches.push(bench);
  return bench;
}

async function started(limits = PATIENT): Promise<Running> {
  const bench = await aBench(limits);
  return new Promise((resolve, reject) => {
    const ended = new Promise<void>((gone) => {
      bench.runs
        .start(anOrder(base), gone)
        .then((stream) => {
          resolve({ bench, stream, ended });
        })
        .catch(reject);
    });
  });
}

/** The processes that work in a folder of the bench, by name. */
async function processesOf({ folder }: ExportBench): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => '');
    if (!cwd.startsWith(join(folder, 'exports'))) continue;
    found.set((await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')).trim(), Number(pid));
  }
  return found;
}

async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}

async function expectNothingLeft({ bench, ended }: Running): Promise<void> {
  await ended;
  await eventually(
    () => processesOf(bench),
    (left) => left.size === 0,
  );
  expect(await readdir(join(bench.folder, 'exports'))).toEqual([]);
}

describe.skipIf(process.platform !== 'linux')('an export', () => {
  it('waits in little memory for a reader that reads nothing, and is given up in time', async () => {
    const running = await started({ ...PATIENT, stalledMs: 1500 });
    const failed = once(running.stream, 'error');
    const node = (await processesOf(running.bench)).get('node') ?? (await processesOf(running.bench)).get('MainThread');
    expect(node).toBeDefined();
    expect(await memoryOf(node!)).toBeLessThan(600);
    expect(running.stream.readableLength).toBeLessThan(1024 ** 2);
    await expect(failed).resolves.toMatchObject([
      { kind: 'timed_out', message: 'the export was not read any further' },
    ]);
    await expectNothingLeft(running);
  });

  it('breaks with an error when it takes too long', async () => {
    const running = await started({ ...PATIENT, wholeMs: 8000 });
    await expect(once(running.stream, 'error')).resolves.toMatchObject([{ kind: 'timed_out' }]);
    await expectNothingLeft(running);
  });

  it('is refused when there are no rows', async () => {
    const bench = await aBench();
    let told: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => (told = resolve));
    await expect(bench.runs.start(anOrder('/nowhere/base.duckdb'), told)).rejects.toThrow();
    await ended;
    expect(await readdir(join(bench.folder, 'exports'))).toEqual([]);
  });

  it('that fails on its way breaks with an error', async () => {
    const bench = await aBench();
    const broken = await bench.base(
      `SELECT TIMESTAMP '2024-01-01', 'd' || r // 1000, 1, r, true, NULL, if(r < 290000, '1', 'x') FROM range(300000) t(r)`,
    );
    const wrong = TABLE.map((column) =>
      column.name === 'count' ? { ...column, physical: 'CAST(c6 AS INTEGER)' } : column,
    );
    const stream = await bench.runs.start(anOrder(broken, { columns: wrong }), () => undefined);
    stream.resume();
    await expect(once(stream, 'error')).resolves.toHaveLength(1);
  });

  it('of an asset with a zero in its name has its rows alone', async () => {
    const bench = await aBench();
    const odd = aRow('2024-01-01', 'a', { c1: "'a' || chr(0) || 'b'", c3: '9' });
    const two = await bench.base(`VALUES ${aRow('2024-01-01', 'a', { c3: '8' })}, ${odd}`);
    const columns = TABLE.filter(({ name }) => ['device', 'count'].includes(name));
    expect(await bench.exported(anOrder(two, { asset: 'a\0b', columns }))).toBe('device,count\r\na\0b,9\r\n');
  });

  it('of long texts comes in the memory of short ones', async () => {
    const bench = await aBench();
    const text = 'repeat(chr(CAST(97 + r % 20 AS INTEGER)), 400000)';
    const rows = `SELECT TIMESTAMP '2024-01-01' + to_seconds(r), 'a', NULL, r, NULL, NULL, ${text} FROM range(400) t(r)`;
    const columns = TABLE.filter(({ name }) => name === 'note');
    const stream = await bench.runs.start(anOrder(await bench.base(rows), { columns }), () => undefined);
    let bytes = 0;
    for await (const piece of stream) bytes += (piece as Buffer).length;
    expect(bytes).toBe('note\r\n'.length + 400 * 400_002);
  }, 180_000);

  it('leaves nothing that the next service does not remove', async () => {
    const running = await started();
    await once(running.stream, 'readable');
    await running.bench.runs.open();
    expect(await readdir(join(running.bench.folder, 'exports'))).toEqual([]);
    running.stream.destroy();
    await running.ended;
  });
});

describe('turns', () => {
  const [acme, globex, initech] = ['a', 'b', 'c'].map((digit): CompanyId => asId(digit.repeat(24)));

  it('are two for a company and four in all', () => {
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
});
