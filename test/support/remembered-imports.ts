import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import type { LoadReport, LoadWatch } from '../../src/ports/row-engine.js';
import { type ImportOrder, runImport as runAnew } from '../../src/rows/jobs.js';
import { DRAFT_FILE, DRAFT_REJECTS } from '../../src/rows/row-files.js';

export { runCompaction } from '../../src/rows/jobs.js';

const MOST_BYTES = 1024 ** 2;

interface Made {
  readonly report: LoadReport;
  /** By their names in the draft's folder. */
  readonly files: readonly (readonly [string, Buffer])[];
}

const made = new LRUCache<string, Made>({ max: 30 });
let asked = 0;

/**
 * While this works, what an import process makes of a file is remembered for as long as this process lives: for the same file, read in
 * the same way, it is copied from then on instead of made again. All else of an import is done each time.
 */
export async function rememberingImports<T>(work: () => Promise<T>): Promise<T> {
  asked += 1;
  try {
    return await work();
  } finally {
    asked -= 1;
  }
}

/** What the row engine calls in tests instead of the one in `src/rows/jobs.ts`: see `vitest.config.ts`. */
export async function runImport(folder: string, order: ImportOrder, watch: LoadWatch): Promise<LoadReport> {
  const key = asked > 0 ? await keyOf(order) : null;
  if (key === null) return runAnew(folder, order, watch);
  const known = made.get(key);
  if (known === undefined) {
    const report = await runAnew(folder, order, watch);
    const files = await Promise.all([DRAFT_FILE, DRAFT_REJECTS].map((name) => fileIn(folder, name)));
    made.set(key, { report, files: files.flat() });
    return report;
  }
  for (const [name, bytes] of known.files) await writeFile(join(folder, name), bytes, { mode: 0o600 });
  watch.signal.throwIfAborted();
  watch.onProgress({ percent: 100, rows: known.report.rows });
  return structuredClone(known.report);
}

/** Null: it is made of more than small files. */
async function keyOf({ source, kept, memoryMb }: ImportOrder): Promise<string | null> {
  if (kept !== null) return null;
  const contents = await Promise.all(source.files.map(({ path }) => readFile(path)));
  if (contents.reduce((sum, { length }) => sum + length, 0) > MOST_BYTES) return null;
  const files = source.files.map((file, index) => ({ ...file, path: hashOf(contents[index]!) }));
  // It becomes rows only where the file has no times.
  const importedAt = source.timeFormat === null ? source.importedAt : '';
  return hashOf(JSON.stringify([{ ...source, files, importedAt }, memoryMb]));
}

async function fileIn(folder: string, name: string): Promise<Made['files']> {
  return readFile(join(folder, name)).then(
    (bytes) => [[name, bytes]],
    () => [],
  );
}

function hashOf(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
