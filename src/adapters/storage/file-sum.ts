import { createReadStream } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { AppError } from '../../shared/app-error.js';
import { codeOf, storageError } from './storage-error.js';

const READ_AT_ONCE = 1024 ** 2;

/** A name that no object can have. */
function sumPath(path: string): string {
  return `${path}~crc32`;
}

/** Keeps the CRC-32 of a file's bytes beside it. */
export async function noteSum(path: string, sum: number): Promise<void> {
  await writeFile(sumPath(path), String(sum), { mode: 0o600, flush: true });
}

export async function removeSum(path: string): Promise<void> {
  await rm(sumPath(path), { force: true });
}

/** To be called before the file itself is moved there. */
export async function moveSum(path: string, to: string): Promise<void> {
  await rename(sumPath(path), sumPath(to));
}

/**
 * Reads the file to its end. One without a sum was written by an earlier version, and nothing is compared.
 *
 * @throws AppError `unavailable`, saying `what` is damaged.
 */
export async function assertSound(path: string, what: string): Promise<void> {
  const noted = await notedSum(path);
  if (noted === null) return;
  let sum = 0;
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: READ_AT_ONCE }))
      sum = crc32(chunk as Buffer, sum);
  } catch (error) {
    throw storageError(error);
  }
  if (String(sum) === noted) return;
  const wayBack = 'restore the data folder from a backup, or upload it again (docs/operations.md)';
  throw new AppError('unavailable', `${what} is damaged: ${wayBack}`, { cause: `${path} has the checksum ${sum}` });
}

async function notedSum(path: string): Promise<string | null> {
  try {
    return await readFile(sumPath(path), 'latin1');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw storageError(error);
  }
}
