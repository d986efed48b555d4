import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { ASSET_KEY } from '../../src/rows/base-file.js';
import { Importer } from '../../src/rows/import/importer.js';
import { DRAFT_FILE, DRAFT_SPILL } from '../../src/rows/row-files.js';
import { describeCsv } from '../../src/rows/inspect/inspect-csv.js';
import type { CsvDescription } from '../../src/ports/csv-inspector.js';
import type { LoadFile, LoadReport, LoadSource } from '../../src/ports/row-engine.js';
import type { ColumnType } from '../../src/ports/table.js';
import { isNullMarker } from '../../src/shared/null-markers.js';
import { plainNumber } from '../../src/shared/number-notation.js';
import type { DirtyFile } from './dirty-files.js';

/** A file of the collection as it was found to be written; null: it can't be used. */
export interface DescribedFile {
  readonly file: DirtyFile;
  readonly path: string;
  readonly found: CsvDescription | null;
}

export async function described(file: DirtyFile, folder: string, index: number): Promise<DescribedFile> {
  const path = join(folder, `${index}.csv`);
  await writeFile(path, file.content);
  const found = await describeCsv(path).catch((error: unknown) => {
    if ((error as { kind?: unknown }).kind === 'invalid_input') return null;
    throw error;
  });
  return { file, path, found };
}

/** The name of a column in a table that files of different columns share: by its place and its type. */
function sharedName(index: number, type: ColumnType): string {
  return `${String(index).padStart(4, '0')} ${type}`;
}

/** Many files as one import: columns of one place and type are one column. The time of import is time and metadata field. */
export function unitedSource(files: readonly DescribedFile[]): LoadSource {
  const loaded: LoadFile[] = [];
  const columns = new Map<string, ColumnType>();
  for (const { path, found } of files) {
    if (found === null) continue;
    const own = found.types.map((type, index) => ({ name: sharedName(index, type), type }));
    for (const { name, type } of own) columns.set(name, type);
    loaded.push({ path, name: path, dialect: found.dialect, columns: own.map(({ name }) => name) });
  }
  const made = { name: 'imported at', type: 'time' as const };
  return {
    files: loaded,
    columns: [...[...columns].map(([name, type]) => ({ name, type })), made],
    ...{ timeField: made.name, metaField: made.name, timeFormat: null, values: [] },
    importedAt: new Date('2024-06-01T00:00:00Z'),
  };
}

/** Cells by the name of their shared column, so that rows of different files can be told from each other. */
export function keyOfCells(cells: readonly (readonly [column: string, value: string])[]): string {
  const filled = cells.filter(([, value]) => value !== '');
  return JSON.stringify([...filled].sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** What a row of the file must become. */
export function expectedKey(row: readonly string[], { dialect, types }: CsvDescription): string {
  return keyOfCells(
    row.map((text, index) => {
      const type = types[index] ?? 'text';
      return [sharedName(index, type), typedText(text, type, dialect.decimal)] as const;
    }),
  );
}

/** A value as text, the same for values that are the same. Codes with leading zeros are no numbers. */
export function typedText(text: string, type: ColumnType, decimal: '.' | ','): string {
  if (type !== 'text' && isNullMarker(text)) return '';
  if (type === 'integer' || type === 'number') return numberText(text, decimal);
  return type === 'time' ? timeText(text) : text;
}

function numberText(text: string, decimal: '.' | ','): string {
  const plain = /^[+-]?0\d/.test(text) ? null : plainNumber(text, decimal);
  return plain === null ? text : String(Number(plain));
}

function timeText(text: string): string {
  const time = new Date(
    /Z|[+-]\d\d:?\d\d$/.test(text.slice(10)) || text.length === 10 ? text : `${text.replace(' ', 'T')}Z`,
  );
  return Number.isNaN(time.getTime()) ? text : time.toISOString();
}

export interface ImportedRows {
  readonly report: LoadReport;
  /** As text, by all columns. */
  readonly rows: readonly (readonly (string | null)[])[];
}

/** Imports in this process, which stays in the import's folder. */
export async function importedFrom(folder: string, source: LoadSource, memoryMb = 512): Promise<ImportedRows> {
  const own = await mkdtemp(join(folder, 'job-'));
  await mkdir(join(own, DRAFT_SPILL));
  process.chdir(own);
  const order = { source: { ...source, importedAt: source.importedAt.toISOString() }, kept: null, memoryMb };
  const report = await new Importer(order, 1).run();

  const instance = await DuckDBInstance.create(DRAFT_FILE, { access_mode: 'READ_ONLY' });
  const connection = await instance.connect();
  const reader = await connection.runAndReadAll(
    `SELECT CAST(COLUMNS(* EXCLUDE (${ASSET_KEY})) AS VARCHAR) FROM data ORDER BY ALL`,
  );
  connection.closeSync();
  instance.closeSync();
  return { report, rows: reader.getRows().map((row) => row.map((cell) => (cell === null ? null : String(cell)))) };
}
