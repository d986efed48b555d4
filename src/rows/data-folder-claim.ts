import { DuckDBInstance } from '@duckdb/node-api';
import type { StorageConfig } from '../config/app-config.js';
import { AppError, messageOf } from '../shared/app-error.js';
import { fileExists, RowFiles } from './row-files.js';
import { quotedText } from './sql-text.js';

/**
 * Keeps services off a data folder as long as it is held, without writing to it. The kernel gives it back when the process dies.
 *
 * @throws AppError `unavailable` when a service runs on the folder.
 */
export async function claimDataFolder({ dataDir }: Pick<StorageConfig, 'dataDir'>): Promise<AsyncDisposable> {
  const { lock } = new RowFiles(dataDir);
  // A folder on which no service has ever run has no lock, and nobody to be kept off.
  if (!(await fileExists(lock))) return { [Symbol.asyncDispose]: () => Promise.resolve() };
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const release = (): Promise<void> => {
    connection.closeSync();
    instance.closeSync();
    return Promise.resolve();
  };
  try {
    await connection.run(`ATTACH ${quotedText(lock)} AS claim (READ_ONLY)`);
  } catch (error) {
    await release();
    if (!/lock/i.test(messageOf(error))) throw error;
    throw new AppError('unavailable', `the service is running on ${dataDir}: stop it first`, { cause: error });
  }
  return { [Symbol.asyncDispose]: release };
}
