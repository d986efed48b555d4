import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import { mongo } from 'mongoose';

type WriteCommand = (this: DriverConnection, command: unknown, options: { signal?: AbortSignal }) => Promise<void>;

interface DriverConnection {
  readonly socket: Socket;
  writeCommand: WriteCommand;
  onError(error: Error): void;
}

interface DriverModule {
  readonly Connection?: { readonly prototype: Partial<DriverConnection> };
}

const mended = new WeakSet<object>();

/**
 * Lets every write of the driver end with its socket.
 *
 * The driver (mongodb 7.8 and 7.9, `Connection.writeCommand`) waits for the socket's 'drain' when a write was not taken
 * at once, and a socket that closes without an error never drains. Whatever was being written then hangs for ever: an
 * insert, or the question of the driver's own monitor, after which the server is never looked for again.
 */
export function endWritesWithTheirSocket(): void {
  const connection = driverConnection();
  if (mended.has(connection)) return;
  mended.add(connection);
  const { writeCommand } = connection;
  connection.writeCommand = function (command, options) {
    return untilClosed(this, options.signal, () => writeCommand.call(this, command, options));
  };
}

async function untilClosed(
  connection: DriverConnection,
  signal: AbortSignal | undefined,
  write: () => Promise<void>,
): Promise<void> {
  const { socket } = connection;
  if (socket.destroyed) throw lost(connection);
  let onClose: () => void = () => undefined;
  const closed = new Promise<never>((_resolve, reject) => {
    onClose = () => {
      reject(lost(connection));
    };
    socket.once('close', onClose);
  });
  try {
    await Promise.race([write(), closed]);
  } catch (error) {
    throw isBreak(error, socket, signal) ? lost(connection, error) : error;
  } finally {
    socket.off('close', onClose);
  }
}

/** What Node says of a broken socket, the driver passes on as it is, and takes it for no error of the network. */
function isBreak(error: unknown, socket: Socket, signal: AbortSignal | undefined): boolean {
  return socket.destroyed && signal?.aborted !== true && !(error instanceof mongo.MongoError);
}

function lost(connection: DriverConnection, cause?: unknown): mongo.MongoNetworkError {
  const error = new mongo.MongoNetworkError('the connection was closed', cause instanceof Error ? { cause } : {});
  connection.onError(error);
  return error;
}

/** The driver that mongoose uses; the class is no part of what it exports. */
function driverConnection(): DriverConnection {
  const ofMongoose = createRequire(createRequire(import.meta.url).resolve('mongoose'));
  const { Connection } = ofMongoose('mongodb/lib/cmap/connection.js') as DriverModule;
  if (Connection?.prototype.writeCommand === undefined) {
    throw new Error('The MongoDB driver has changed: see whether src/adapters/mongo/driver-writes.ts is still needed');
  }
  return Connection.prototype as DriverConnection;
}
