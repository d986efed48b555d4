import { chmod, stat } from 'node:fs/promises';
import { isRecord } from '../../shared/json.js';

// Imported first by every entry: what the process and its children write is for its owner alone, whatever the shell allows that started it.
process.umask(0o077);

/** Shuts a folder that is there already to everybody else. False: it belongs to somebody else, and stays as it is. */
export async function makePrivate(folder: string): Promise<boolean> {
  try {
    if (((await stat(folder)).mode & 0o077) !== 0) await chmod(folder, 0o700);
    return true;
  } catch (error) {
    // One that is not there will be made private; one that can't be used is told by who uses it.
    return !(isRecord(error) && error['code'] === 'EPERM');
  }
}
