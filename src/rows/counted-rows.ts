import { writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { damagedRows } from './process-error.js';
import { countsPath } from './row-file-names.js';

/**
 * Notes how many later inserts a file has, after they were stored: of a damaged log the database takes what it can read and says nothing.
 * At once, for beside heavy statements each turn of another thread is waited for longer than these bytes take.
 */
export function noteCount(path: string, rows: number): void {
  try {
    writeFileSync(countsPath(path), `${rows} ${crc32(String(rows))}`);
  } catch {
    // Without a note nothing is compared, and the rows are stored.
  }
}

/** @throws AppError `unavailable` when the file has lost rows. More than noted are those of a process that died before its note. */
export async function assertCounted(path: string, rows: number): Promise<void> {
  const note = await readFile(countsPath(path), 'utf8').catch(() => '');
  const [count = '', sum = ''] = note.split(' ');
  if (note === '' || (String(crc32(count)) === sum && rows >= Number(count))) return;
  throw damagedRows(new Error(`the file of later inserts has ${rows} rows, and its note says ${JSON.stringify(note)}`));
}
