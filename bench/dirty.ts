/**
 * How well dirty files are read on automatic detection alone, against DuckDB's own `read_csv(...)` of the same files: `npx tsx bench/dirty.ts`
 *
 * Each file gets up to ten points: one when it is loaded at all, and precision, recall and F1 (each 0 to 1) of its header, its records and its cells
 * against what should have come out.
 */
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { type DirtyFile, dirtyFiles } from '../test/contracts/dirty-files.js';
import { described, type DescribedFile, importedFrom, unitedSource } from '../test/contracts/dirty-import.fixture.js';
import { aFolder } from '../test/contracts/row-engine.fixture.js';
import { mean } from './timing.js';

const WORST_SHOWN = 20;
const MOST_POINTS = 10;

/** What a program made of a file. */
interface Loaded {
  readonly header: readonly string[];
  readonly records: readonly (readonly (string | null)[])[];
}

interface Scored {
  readonly file: DirtyFile;
  readonly ours: number;
  readonly baseline: number;
}

/** A value as text, the same for values that are the same: 1.50 and 1.5, a day and its midnight. */
function plainText(value: string | null): string {
  const text = value ?? '';
  if (/^[+-]?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text)) return String(Number(text));
  return /^\d{4}-\d{2}-\d{2} 00:00:00$/.test(text) ? text.slice(0, 10) : text;
}

function counted(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

/** Precision, recall and F1 added up: how much of what came out is right, and how much of what is right came out. */
function agreement(found: readonly string[], wanted: readonly string[]): number {
  if (found.length === 0 && wanted.length === 0) return 3;
  const left = counted(wanted);
  let right = 0;
  for (const [text, count] of counted(found)) right += Math.min(count, left.get(text) ?? 0);
  if (right === 0) return 0;
  const [precision, recall] = [right / found.length, right / wanted.length];
  return precision + recall + (2 * precision * recall) / (precision + recall);
}

/** Points of a file; null: it was not loaded. */
function pointsOf(loaded: Loaded | null, { expected }: DirtyFile): number {
  const isUnusable = expected.columns.length === 0;
  if (loaded === null) return isUnusable ? MOST_POINTS : 0;
  if (isUnusable) return loaded.records.length === 0 ? MOST_POINTS : 0;
  const [found, wanted] = [plainRows(loaded.records), plainRows(expected.rows)];
  return (
    1 +
    agreement(loaded.header, expected.columns) +
    agreement(found.map(keyOf), wanted.map(keyOf)) +
    agreement(found.flat(), wanted.flat())
  );
}

function plainRows(rows: Loaded['records']): readonly (readonly string[])[] {
  return rows.map((row) => row.map(plainText));
}

function keyOf(row: readonly string[]): string {
  return JSON.stringify(row);
}

async function importedByUs({ found, path, file }: DescribedFile, folder: string): Promise<Loaded | null> {
  if (found === null) return null;
  const source = unitedSource([{ found, path, file }]);
  try {
    return { header: found.columns, records: (await importedFrom(folder, source)).rows.map((row) => row.slice(0, -1)) };
  } catch (error) {
    // A table without rows is none to import, but its header was read.
    return (error as Error).message === 'the file has no rows' ? { header: found.columns, records: [] } : null;
  }
}

async function loadedByDuckDb(connection: DuckDBConnection, path: string): Promise<Loaded | null> {
  try {
    const reader = await connection.runAndReadAll(`SELECT CAST(COLUMNS(*) AS VARCHAR) FROM read_csv('${path}')`);
    // It counts the columns that it names itself from 0.
    const header = reader.columnNames().map((name, index) => (/^column\d+$/.test(name) ? `column${index + 1}` : name));
    return { header, records: reader.getRows().map((row) => row.map((cell) => (cell === null ? null : String(cell)))) };
  } catch {
    return null;
  }
}

const home = process.cwd();
await using folder = await aFolder();
const instance = await DuckDBInstance.create(':memory:', { autoinstall_known_extensions: 'false' });
const connection = await instance.connect();
const scores: Scored[] = [];
for (const [index, file] of dirtyFiles().entries()) {
  const one = await described(file, folder.path, index);
  const ours = pointsOf(await importedByUs(one, folder.path), file);
  scores.push({ file, ours, baseline: pointsOf(await loadedByDuckDb(connection, one.path), file) });
}
process.chdir(home);
const [own, bare] = [mean(scores.map(({ ours }) => ours)), mean(scores.map(({ baseline }) => baseline))];
console.log(`${scores.length} files: ${own.toFixed(3)} points, DuckDB ${bare.toFixed(3)}`);
const worst = scores.filter(({ ours }) => ours < MOST_POINTS - 1e-9).sort((one, other) => one.ours - other.ours);
console.log(`${worst.length} files lack points, the worst first:`);
for (const { file, ours } of worst.slice(0, WORST_SHOWN)) console.log(`  ${ours.toFixed(3)}  ${file.name}`);
