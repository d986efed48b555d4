import { createConnection, type Connection } from 'mongoose';
import { AppError } from '../../shared/app-error.js';
import { endWritesWithTheirSocket } from './driver-writes.js';

const ANSWER_WITHIN_MS = 2_000;

/**
 * Opens a connection of its own to the server, on which every write is acknowledged by a majority.
 *
 * @throws AppError `unavailable` after about two seconds when the server is not there.
 */
export async function openConnection(uri: string): Promise<Connection> {
  endWritesWithTheirSocket();
  const connection = createConnection();
  // The driver goes on by itself; each question that fails says so to whoever asked.
  connection.on('error', () => undefined);
  try {
    await connection.openUri(uri, {
      serverSelectionTimeoutMS: ANSWER_WITHIN_MS,
      connectTimeoutMS: ANSWER_WITHIN_MS,
      // A server that has fallen silent is given up after this time and the one above.
      heartbeatFrequencyMS: 5_000,
      socketTimeoutMS: 60_000,
      writeConcern: { w: 'majority' },
      bufferCommands: false,
      autoIndex: false,
      autoCreate: false,
    });
    return connection;
  } catch (error) {
    // A connection that was never open has nothing to close but its timers.
    await connection.destroy().catch(() => undefined);
    throw notReached(error);
  }
}

/** The driver waits for an answer far longer than somebody who asks whether the server is there: two seconds have to do. */
export async function withinTime(answer: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`no answer within ${ANSWER_WITHIN_MS} ms`));
    }, ANSWER_WITHIN_MS);
  });
  try {
    await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Without the driver's own message where it may repeat a part of the address. */
function notReached(error: unknown): AppError {
  const isForm =
    error instanceof Error &&
    ['MongoParseError', 'MongoInvalidArgumentError', 'TypeError', 'URIError'].includes(error.name);
  if (isForm) return new AppError('unavailable', "MONGODB_URI can't be used: it is no valid connection string");
  const reason = error instanceof Error ? error.name : 'unknown';
  return new AppError('unavailable', `the document store can't be reached (${reason})`, { retryAfter: 5 });
}
