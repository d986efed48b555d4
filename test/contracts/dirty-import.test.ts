import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CsvDialect } from '../../src/ports/csv-inspector.js';
import type { LoadSource } from '../../src/ports/row-engine.js';
import { type DirtyFile, dirtyFiles } from './dirty-files.js';
import {
  described,
  type DescribedFile,
  expectedKey,
  importedFrom,
  type ImportedRows,
  keyOfCells,
  typedText,
  unitedSource,
} from './dirty-import.fixture.js';
import { aFolder } from './row-engine.fixture.js';

/** So few that all of their rejected lines are in a report. */
const FILES_AT_ONCE = 20;
const HOME = process.cwd();

let folder: Awaited<ReturnType<typeof aFolder>>;
beforeAll(async () => {
  folder = await aFolder();
});
afterAll(async () => {
  process.chdir(HOME);
  await folder[Symbol.asyncDispose]();
});

interface Outcome {
  readonly name: string;
  readonly columns: readonly string[];
  /** What must be found of the way the file is written. */
  readonly dialect: Partial<CsvDialect>;
  readonly sample: readonly string[];
  readonly rows: number;
  readonly missing: readonly string[];
  readonly rejectedLines: readonly (number | null)[];
}

function wantedOf({ name, expected: { columns, dialect, rows, rejectedLines } }: DirtyFile): Outcome {
  return { name, columns, dialect, sample: rows[0] ?? [], rows: rows.length, missing: [], rejectedLines };
}

/** What became of each file. Takes its rows from those that were imported. */
function outcomeOf({ file, found, path }: DescribedFile, { report }: ImportedRows, left: Map<string, number>): Outcome {
  if (found === null) return wantedOf({ ...file, expected: { columns: [], rows: [], rejectedLines: [], dialect: {} } });
  const asked = Object.keys(file.expected.dialect) as (keyof CsvDialect)[];
  const wanted = file.expected.rows.map((row) => expectedKey(row, found));
  return {
    name: file.name,
    columns: found.columns,
    dialect: Object.fromEntries(asked.map((name) => [name, found.dialect[name]])),
    sample: found.sample,
    rows: report.files.find(({ name }) => name === path)?.rows ?? 0,
    missing: wanted.filter((key) => !takenFrom(left, key)),
    rejectedLines: report.rejectedSample.filter((line) => line.file === path).map(({ line }) => line),
  };
}

function keysOf({ rows }: ImportedRows, { columns }: LoadSource): readonly string[] {
  return rows.map((row) =>
    keyOfCells(
      // All but the time of import.
      row.slice(0, -1).flatMap((cell, index) => {
        const { name, type } = columns[index] ?? { name: '', type: 'text' as const };
        return cell === null ? [] : [[name, typedText(cell, type, '.')] as const];
      }),
    ),
  );
}

function counted(keys: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

function takenFrom(left: Map<string, number>, key: string): boolean {
  const count = left.get(key) ?? 0;
  if (count > 0) left.set(key, count - 1);
  return count > 0;
}

it('imports each file of the collection as it should be, on what was found of it alone', async () => {
  const files = dirtyFiles();
  expect(files.length).toBeGreaterThan(150);
  expect(new Set(files.map(({ name }) => name)).size).toBe(files.length);
  for (let start = 0; start < files.length; start += FILES_AT_ONCE) {
    const some = files.slice(start, start + FILES_AT_ONCE);
    const group = await Promise.all(some.map((file, index) => described(file, folder.path, start + index)));
    const source = unitedSource(group);
    const outcome = await importedFrom(folder.path, source);
    const left = counted(keysOf(outcome, source));
    expect(group.map((one) => outcomeOf(one, outcome, left))).toEqual(some.map(wantedOf));
    expect([...left].filter(([, count]) => count > 0)).toEqual([]);
  }
}, 240_000);
