import { Redis } from 'ioredis';
import { AppError } from '../../shared/app-error.js';

/** Keys of one installation stand together, in one slot of a cluster. */
export const KEY_PREFIX = '{analytics}';

export interface RedisOptions {
  readonly url: string;
  /** Tells apart what shares a Redis; part of every key. */
  readonly installation: string;
  /** Of this instance; no other has it. */
  readonly origin: string;
}

const LONGEST_WAIT_MS = 2000;
const CONNECT_MS = 5000;
const COMMAND_MS = 2000;
/** Longer than any command blocks. */
const SILENT_MS = 15_000;

interface ConnectionManner {
  /** Commands wait for Redis, as those have to that block. */
  readonly patient?: boolean;
  /** How long others may take before they fail; 2 seconds. */
  readonly commandMs?: number;
  /** Begins every key that a command names. */
  readonly keyPrefix?: string;
}

/** A connection that comes back by itself, for as long as the service lives. */
export function connectRedis(
  url: string,
  name: string,
  { patient = false, commandMs = COMMAND_MS, keyPrefix = '' }: ConnectionManner = {},
): Redis {
  const connection = new Redis(url, {
    ...(patient ? { socketTimeout: SILENT_MS } : { commandTimeout: commandMs }),
    maxRetriesPerRequest: null,
    keyPrefix,
    connectionName: name,
    connectTimeout: CONNECT_MS,
    retryStrategy: (times) => Math.min(50 * 2 ** Math.min(times, 10), LONGEST_WAIT_MS),
  });
  // Without a listener an error would end the process; commands tell of it themselves.
  connection.on('error', () => undefined);
  return connection;
}

/** @throws AppError `unavailable` when Redis does not answer. */
export async function asked<T>(question: () => Promise<T>): Promise<T> {
  try {
    return await question();
  } catch (error) {
    throw new AppError('unavailable', 'Redis is not there', { cause: error });
  }
}
