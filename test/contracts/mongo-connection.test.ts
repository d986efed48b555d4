import type { Socket } from 'node:net';
import type { Connection } from 'mongoose';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openConnection } from '../../src/adapters/mongo/mongo-document-store.js';
import { eventually } from '../support/eventually.js';
import { aDatabase, mongodbServer } from '../support/mongodb.js';
import { TcpProxy } from '../support/tcp-proxy.js';

/** What the driver keeps to itself, as far as a test needs it to break a socket at the worst moment. */
interface Insides {
  readonly topology: {
    readonly s: { readonly servers: ReadonlyMap<string, Server> };
  };
}
interface Server {
  readonly description: { readonly type: string };
  readonly pool: { readonly connections: Iterable<DriverConnection>; readonly checkedOut: Iterable<DriverConnection> };
  readonly monitor: {
    readonly connection: DriverConnection | null;
    readonly monitorId: { _executeAndReschedule(): void; readonly isExecutionInProgress: boolean };
  };
}
interface DriverConnection {
  readonly socket: Socket;
}

describe.skipIf(mongodbServer === undefined)('a connection to MongoDB whose socket closes under a write', () => {
  let way: TcpProxy;
  let connection: Connection;
  beforeEach(async () => {
    way = await TcpProxy.open(aDatabase());
    connection = await openConnection(way.url);
  });
  afterEach(async () => {
    await connection.close();
    await way.close();
  });

  const server = (): Server => [...(connection.getClient() as unknown as Insides).topology.s.servers.values()][0]!;
  const ping = (): Promise<unknown> => connection.db!.command({ ping: 1 });
  const endOf = (answer: Promise<unknown>): Promise<unknown> => answer.catch((error: unknown) => error);

  it('answers what is asked at that moment, or refuses it, and what is asked next', async () => {
    await ping();
    for (const { socket } of server().pool.connections) socket.destroy();
    expect(await endOf(ping())).toSatisfy((end: unknown) => isNetworkError(end) || isOk(end));
    expect(await eventually(() => endOf(ping()), isOk)).toMatchObject({ ok: 1 });
  });

  it('refuses a large write that had not gone through', async () => {
    await ping();
    way.stall();
    const write = endOf(connection.db!.collection('large').insertOne({ text: 'x'.repeat(12_000_000) }));
    await eventually(
      () => [...server().pool.checkedOut].some(({ socket }) => socket.writableNeedDrain),
      (isWaiting) => isWaiting,
    );
    for (const { socket } of server().pool.checkedOut) socket.destroy();
    expect(await write).toSatisfy(isNetworkError);
  });

  it('goes on looking for the server', async () => {
    await ping();
    const { monitor } = server();
    expect(monitor.connection).not.toBeNull();
    monitor.connection?.socket.destroy();
    monitor.monitorId._executeAndReschedule();
    await eventually(
      () => monitor.monitorId.isExecutionInProgress,
      (isAsking) => !isAsking,
    );
    monitor.monitorId._executeAndReschedule();
    await eventually(
      () => server().description.type,
      (type) => type !== 'Unknown',
    );
    expect(monitor.connection?.socket.destroyed).toBe(false);
  });
});

function isNetworkError(end: unknown): boolean {
  return end instanceof Error && end.name.startsWith('MongoNetwork');
}

function isOk(end: unknown): boolean {
  return !(end instanceof Error);
}
