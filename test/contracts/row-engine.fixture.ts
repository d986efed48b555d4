import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CsvDialect, plainDialect } from '../../src/ports/csv-inspector.js';
import type { RowDownloads } from '../../src/ports/row-downloads.js';
import type { LoadFile, LoadSource, LoadWatch, RowEngine } from '../../src/ports/row-engine.js';
import type { RowReader } from '../../src/ports/row-reader.js';
import type { ColumnType, TableRef } from '../../src/ports/table.js';
import { asId } from '../../src/shared/ids.js';
import { rememberingImports } from '../support/remembered-imports.js';

/** A row store that a contract is tried on. */
export interface RowStore extends AsyncDisposable {
  readonly engine: RowEngine;
  readonly reader: RowReader;
  readonly downloads: RowDownloads;
  /** Another datasource with the same rows, as they were imported: much sooner than a further import. */
  readonly copied: (table: TableRef) => Promise<TableRef>;
}

/** A folder that goes with the test. */
export async function aFolder(): Promise<{ readonly path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(tmpdir(), 'rows-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

let tables = 0;

export function aTable(changes: Partial<TableRef> = {}): TableRef {
  const number = (++tables).toString(16).padStart(24, '0');
  return { companyId: asId('a'.repeat(24)), datasourceId: asId(number), generation: 1, visibleFrom: null, ...changes };
}

export const QUIET: LoadWatch = { onProgress: () => undefined, signal: new AbortController().signal };

export const COLUMNS: readonly (readonly [string, ColumnType])[] = [
  ['time', 'time'],
  ['device', 'text'],
  ['value', 'number'],
  ['count', 'integer'],
  ['on', 'boolean'],
  ['note', 'text'],
];

export interface Written {
  readonly name?: string;
  readonly text: string | Buffer;
  readonly dialect?: Partial<CsvDialect>;
  /** The file's own columns; by default those of the table. */
  readonly columns?: readonly string[];
}

/** Writes CSV files into the folder and says how they are to be loaded. */
export async function aSource(
  folder: string,
  files: readonly Written[],
  changes: Partial<LoadSource> = {},
): Promise<LoadSource> {
  const columns = changes.columns ?? COLUMNS.map(([name, type]) => ({ name, type }));
  const written: LoadFile[] = [];
  for (const [index, file] of files.entries()) {
    const path = join(await mkdtemp(join(folder, 'upload-')), 'file.csv');
    await writeFile(path, file.text);
    const own = file.columns ?? columns.map(({ name }) => name);
    const name = file.name ?? `file${index}.csv`;
    written.push({ path, name, dialect: { ...plainDialect(own.length), ...file.dialect }, columns: own });
  }
  return {
    files: written,
    columns,
    timeField: 'time',
    timeFormat: '%Y-%m-%d %H:%M:%S',
    importedAt: new Date('2024-06-01T00:00:00Z'),
    metaField: 'device',
    values: ['value'],
    ...changes,
  };
}

const imports = new WeakMap<RowEngine, Map<string, Promise<TableRef>>>();

/** A table with these rows that is the caller's own: each text is imported once, and what is given away is a copy. */
export async function tableOf({ engine, copied }: RowStore, text: string): Promise<TableRef> {
  const known = imports.get(engine) ?? new Map<string, Promise<TableRef>>();
  imports.set(engine, known);
  const original = known.get(text) ?? imported(engine, text);
  known.set(text, original);
  return copied(await original);
}

async function imported(engine: RowEngine, text: string): Promise<TableRef> {
  const table = aTable();
  await loadedInto(engine, table, text);
  return table;
}

/** Loads rows that only have to be there: what an import makes of them is remembered, for every store of this process. */
export async function loadedInto(
  engine: RowEngine,
  table: TableRef,
  text: string,
  changes: Partial<LoadSource> = {},
): Promise<void> {
  await using folder = await aFolder();
  const source = await aSource(folder.path, [{ text }], changes);
  await rememberingImports(() => engine.load(table, source, QUIET));
}

export const HEADER = 'time,device,value,count,on,note\n';

/** `minutes` rows a minute apart for each device; the value is the minute. */
export function minutes(count: number, devices: readonly string[] = ['a', 'b']): string {
  const lines = Array.from({ length: count }, (_, minute) => {
    const time = new Date(Date.UTC(2024, 0, 1) + minute * 60_000).toISOString().slice(0, 19).replace('T', ' ');
    return devices.map((device) => `${time},${device},${minute},${minute},true,fine\n`).join('');
  });
  return HEADER + lines.join('');
}

export function at(iso: string): Date {
  return new Date(iso);
}
