import { Redis } from 'ioredis';

/** Keys of one installation stand together, in one slot of a cluster. */
export const KEY_PREFIX = '{analytics}';

const LONGEST_WAIT_MS = 2000;
const CONNECT_MS = 5000;
const COMMAND_MS = 2000;
/** Longer than any command blocks. */
const SILENT_MS = 15_000;

/**
 * A connection that comes back by itself, for as long as the service lives.
 *
 * `patient`: commands wait for it, as those have to that block; otherwise they fail after two seconds.
 */
export function connectRedis(url: string, name: string, patient = false): Redis {
  const manner = patient
    ? { maxRetriesPerRequest: null, socketTimeout: SILENT_MS }
    : { maxRetriesPerRequest: null, commandTimeout: COMMAND_MS };
  const connection = new Redis(url, {
    ...manner,
    connectionName: name,
    connectTimeout: CONNECT_MS,
    retryStrategy: (times) => Math.min(50 * 2 ** Math.min(times, 10), LONGEST_WAIT_MS),
  });
  // Without a listener an error would end the process; commands tell of it themselves.
  connection.on('error', () => undefined);
  return connection;
}
