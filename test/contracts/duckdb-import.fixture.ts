import { mkdir, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { ASSET_KEY } from '../../src/rows/base-file.js';
import { Importer } from '../../src/rows/import/importer.js';
import { DRAFT_FILE, DRAFT_SPILL } from '../../src/rows/row-files.js';
import type { LoadReport, LoadSource } from '../../src/ports/row-engine.js';
import type { ColumnType } from '../../src/ports/table.js';
import { aFolder, aSource, type Written } from './row-engine.fixture.js';

export interface Imported {
  readonly report: LoadReport;
  /** All rows as text, by time. */
  readonly rows: () => Promise<readonly (readonly (string | null)[])[]>;
}

export interface ImportBench {
  readonly imported: (files: readonly Written[], changes?: Partial<LoadSource>) => Promise<Imported>;
}

/** Imports in this process. An import works in its own folder, which is left again after each test. */
export function importBench(memoryMb = 512): ImportBench {
  const home = process.cwd();
  let folder: Awaited<ReturnType<typeof aFolder>>;
  beforeAll(async () => {
    folder = await aFolder();
  });
  afterEach(() => {
    process.chdir(home);
  });
  afterAll(() => folder[Symbol.asyncDispose]());

  return {
    imported: async (files, changes = {}) => {
      const source = await aSource(folder.path, files, changes);
      const own = await mkdtemp(join(folder.path, 'job-'));
      await mkdir(join(own, DRAFT_SPILL));
      process.chdir(own);
      const order = { source: { ...source, importedAt: source.importedAt.toISOString() }, kept: null, memoryMb };
      return { report: await new Importer(order, 1).run(), rows: () => rowsIn(join(own, DRAFT_FILE)) };
    },
  };
}

async function rowsIn(path: string): Promise<readonly (readonly (string | null)[])[]> {
  const instance = await DuckDBInstance.create(path, { access_mode: 'READ_ONLY' });
  const connection = await instance.connect();
  const reader = await connection.runAndReadAll(
    `SELECT CAST(COLUMNS(* EXCLUDE (${ASSET_KEY})) AS VARCHAR) FROM data ORDER BY ALL`,
  );
  connection.closeSync();
  instance.closeSync();
  return reader.getRows().map((row) => row.map((cell) => (cell === null ? null : String(cell))));
}

export function typed(...columns: readonly (readonly [string, ColumnType])[]): Pick<LoadSource, 'columns'> {
  return { columns: columns.map(([name, type]) => ({ name, type })) };
}

export const SMALL = typed(['time', 'time'], ['device', 'text'], ['value', 'number']);

export const GOOD = '2024-01-01 00:00:00,a,1.5,1,true,x';
