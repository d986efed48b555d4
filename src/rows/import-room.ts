import type { LoadSource } from '../ports/row-engine.js';
import { AppError } from '../shared/app-error.js';
import { sizeOf } from './row-files.js';

/** The file itself, what the sort puts aside, and something to spare, as a part of the CSV files. */
const ROOM = 1.5;
/** A file in another encoding is first written again. */
const ROOM_CONVERTED = 3;

/**
 * The bytes that an import of the files needs beside them.
 *
 * @throws AppError `invalid_input` when there is no file, or one is gone.
 */
export async function roomFor({ files }: Pick<LoadSource, 'files'>): Promise<number> {
  if (files.length === 0) throw new AppError('invalid_input', 'there is no file to import');
  let needed = 0;
  for (const { path, name, dialect } of files) {
    const size = await sizeOf(path);
    if (size === null) throw new AppError('invalid_input', `the file ${name} is not there any more`);
    needed += size * (/^utf-?8$/i.test(dialect.encoding) ? ROOM : ROOM_CONVERTED);
  }
  return needed;
}
