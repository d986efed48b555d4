import { open, type FileHandle } from 'node:fs/promises';
import { AppError } from '../../shared/app-error.js';
import { codeOf, storageError } from '../storage/storage-error.js';

/** Opens an archive for reading. @throws AppError `not_found` when it was removed meanwhile, `unavailable` when the disk does not answer. */
export async function openFile(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'r');
  } catch (error) {
    if (codeOf(error) === 'ENOENT')
      throw new AppError('not_found', 'the archive is not there any more', { cause: error });
    throw storageError(error);
  }
}
