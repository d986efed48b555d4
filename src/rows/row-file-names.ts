import { join } from 'node:path';

const DATABASE = /^(base|delta)\.(\d+)\.(\d+)\.duckdb(?:\.wal|\.rows)?$/;
const EXPORT = /^delta\.(\d+)\.(\d+)\.(\d+)\.parquet(?:\.tmp)?$/;
/** Before there were compactions, a generation had one base and one file of later inserts. */
const SINGLE = /^(base|delta)\.(\d+)\.duckdb(\.wal)?$/;
const GENERATION = /^(?:base|delta|rejects)\.(\d+)\./;

/** What lies in a datasource's folder for one generation. */
export interface GenerationFiles {
  /** Up to which delta the base that is read holds the later inserts; null: there is no base. */
  readonly merged: number | null;
  /** Numbers of the later inserts' files that the base does not hold, in their order. */
  readonly deltas: readonly number[];
  /** Bases that a newer one has taken the place of. */
  readonly oldBases: readonly string[];
  /** Files, and logs, of later inserts that the base holds. */
  readonly oldDeltas: readonly string[];
}

/** A base holds what was imported, and of the later inserts all files up to the number `merged`. */
export function basePath(folder: string, generation: number, merged: number): string {
  return join(folder, `base.${generation}.${merged}.duckdb`);
}

/** Later inserts, one file after the other from 1. */
export function deltaPath(folder: string, generation: number, number: number): string {
  return join(folder, `delta.${generation}.${number}.duckdb`);
}

/** How many rows are known to be in a file of later inserts. */
export function countsPath(delta: string): string {
  return `${delta}.rows`;
}

/** Where the later inserts lie for a process that can't open their files: as many rows as its name says, beside that base. */
export function exportPath(folder: string, generation: number, merged: number, rows: number): string {
  return join(folder, `delta.${generation}.${merged}.${rows}.parquet`);
}

/** Sorts out a generation's files by their names: a base has its name only when it is complete, and the highest is the one that is read. */
export function generationFiles(names: readonly string[], generation: number): GenerationFiles {
  const all = names.flatMap((name) => {
    const [, kind, of, number] = DATABASE.exec(name) ?? [];
    return Number(of) === generation ? [{ name, kind, number: Number(number) }] : [];
  });
  const bases = all.filter(({ kind }) => kind === 'base');
  const deltas = all.filter(({ kind }) => kind === 'delta');
  const merged = bases.length === 0 ? null : Math.max(...bases.map(({ number }) => number));
  const held = merged ?? 0;
  return {
    merged,
    deltas: deltas
      .filter(({ name, number }) => number > held && name.endsWith('.duckdb'))
      .map(({ number }) => number)
      .sort((one, other) => one - other),
    oldBases: bases.filter(({ number }) => number !== merged).map(({ name }) => name),
    oldDeltas: deltas.filter(({ number }) => number <= held).map(({ name }) => name),
  };
}

/** The generation's bases that hold later inserts. */
export function mergedBases(names: readonly string[], generation: number): readonly string[] {
  return names.filter((name) => {
    const [, kind, of, merged] = DATABASE.exec(name) ?? [];
    return kind === 'base' && Number(of) === generation && merged !== '0';
  });
}

/** The name by which a file of an older version of the service is known now; null: it has it already. */
export function presentName(name: string): string | null {
  const [, kind, generation, log = ''] = SINGLE.exec(name) ?? [];
  if (kind === undefined || generation === undefined) return null;
  return `${kind}.${generation}.${kind === 'base' ? 0 : 1}.duckdb${log}`;
}

/** Which generation a file belongs to; null: to none. */
export function generationOf(name: string): number | null {
  const digits = GENERATION.exec(name)?.[1];
  return digits === undefined ? null : Number(digits);
}

export function isExport(name: string): boolean {
  return EXPORT.test(name);
}

/** The generation's exports, the newest first. */
export function exportsOf(names: readonly string[], generation: number): readonly string[] {
  const found = names.flatMap((name) => {
    const [, of, merged, rows] = EXPORT.exec(name) ?? [];
    return Number(of) === generation ? [{ name, merged: Number(merged), rows: Number(rows) }] : [];
  });
  return found.sort((one, other) => other.merged - one.merged || other.rows - one.rows).map(({ name }) => name);
}
