import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { DuckDBInstance } from '@duckdb/node-api';
import { type ExportLimits, type ExportOrder, ExportRuns } from '../../src/rows/export/export-runs.js';
import type { TableColumn } from '../../src/plan/plan-columns.js';
import { STORED_TYPES } from '../../src/rows/table-shape.js';

export const PATIENT: ExportLimits = { wholeMs: 60_000, stalledMs: 60_000 };

export const TABLE: readonly TableColumn[] = [
  { physical: 'c0', name: 'time', type: 'time' },
  { physical: 'c1', name: 'device', type: 'text' },
  { physical: 'c2', name: 'value', type: 'number' },
  { physical: 'c3', name: 'count', type: 'integer' },
  { physical: 'c4', name: 'on', type: 'boolean' },
  { physical: 'c5', name: 'seen', type: 'time' },
  { physical: 'c6', name: 'note', type: 'text' },
];

/** SQL for one row of the table: what is not said is null. */
export function aRow(time: string, device: string, cells: Readonly<Record<string, string>> = {}): string {
  const values: Readonly<Record<string, string>> = { c0: `'${time}'`, c1: `'${device}'`, ...cells };
  return `(${TABLE.map(({ physical, type }) => `CAST(${values[physical] ?? 'NULL'} AS ${STORED_TYPES[type]})`).join(', ')})`;
}

/** Rows of a base, as an import leaves them. */
export class ExportBench {
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
    return textOf(await this.runs.start(order, () => undefined));
  }
}

export function anOrder(base: string, changes: Partial<ExportOrder> = {}): ExportOrder {
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

export async function textOf(stream: Readable): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of stream) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString();
}
