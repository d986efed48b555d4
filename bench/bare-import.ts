import { fork } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { childEntry } from '../src/adapters/processes/child-entry.js';

/** DuckDB's bare import of a file, in a process of its own; without one, the start of the process alone. */
export async function bareImport(folder: string, file?: string, hasBadRows = false): Promise<void> {
  const output = `${folder}/bare.duckdb`;
  const { path, execArgv } = childEntry(import.meta.url, './bare-import.process');
  const args = file === undefined ? [] : [file, output, String(hasBadRows)];
  const [code] = (await once(fork(path, args, { execArgv: [...execArgv] }), 'exit')) as [number];
  if (code !== 0) throw new Error('the bare import failed');
  await rm(output, { force: true });
}
