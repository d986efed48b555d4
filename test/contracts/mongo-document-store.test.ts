import type { Socket } from 'node:net';
import type { Connection } from 'mongoose';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MongoDocumentStore, openConnection } from '../../src/adapters/mongo/mongo-document-store.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { ManualClock } from '../support/manual-clock.js';
import { aDatabase, dropDatabase, mongodbServer } from '../support/mongodb.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { documentStoreContract } from './document-store.contract.js';
import { ACME, aNote, NOTES } from './document-store.kinds.js';

describe.skipIf(mongodbServer === undefined)('MongoDocumentStore', () => {
  documentStoreContract(async () => {
    const uri = aDatabase();
    const clock = new ManualClock();
    const store = new MongoDocumentStore(uri, clock);
    await store.open();
    const close = async (): Promise<void> => {
      await store.close();
      await dropDatabase(uri);
    };
    return { store, clock, close };
  });
});

async function refusalOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => null,
    (error: unknown) => error,
  );
}

describe('MongoDocumentStore without its server', () => {
  it('refuses to open soon, and does not tell the address', async () => {
    const uri = `mongodb://someone:s3cret@127.0.0.1:${await freePort()}/db`;
    const store = new MongoDocumentStore(uri, new ManualClock());
    const begun = performance.now();
    const refusal = await refusalOf(store.open());
    expect(refusal).toMatchObject({ name: 'AppError', kind: 'unavailable', retryAfter: 5 });
    expect(performance.now() - begun).toBeLessThan(15_000);
    expect(String(refusal)).not.toMatch(/s3cret|someone|127\.0\.0\.1/);
  });

  it('refuses a connection string that is none, without repeating it', async () => {
    for (const uri of ['mongodb://someone:s3cret@', 'mongodb://a:s3cr%et@host/x', 'mongodb://h/?retries=s3cret']) {
      const refusal = await refusalOf(new MongoDocumentStore(uri, new ManualClock()).open());
      expect(refusal).toMatchObject({ name: 'AppError', kind: 'unavailable' });
      expect(JSON.stringify(refusal) + String(refusal)).not.toMatch(/s3cr/);
    }
  });

  it('says so to whoever asks before it is open', async () => {
    const store = new MongoDocumentStore('mongodb://127.0.0.1:1/db', new ManualClock());
    await expect(store.check()).rejects.toMatchObject({ kind: 'unavailable' });
    await expect(store.collection(NOTES).get('x')).rejects.toMatchObject({ kind: 'unavailable', retryAfter: 5 });
  });
});

describe.skipIf(mongodbServer === undefined)('MongoDocumentStore when its server falls silent or goes', () => {
  it('notices soon when it is asked whether it is there', async () => {
    const way = await TcpProxy.open(aDatabase());
    const store = new MongoDocumentStore(way.url, new ManualClock());
    await store.open();
    await store.check();
    way.stall();
    way.stallAfter(0);
    const begun = performance.now();
    await expect(store.check()).rejects.toMatchObject({ kind: 'unavailable', retryAfter: 5 });
    expect(performance.now() - begun).toBeLessThan(15_000);
    await way.close();
    await store.close();
  });

  it('refuses what it is asked, and works again when the server is back', async () => {
    const uri = aDatabase();
    const way = await TcpProxy.open(uri);
    const store = new MongoDocumentStore(way.url, new ManualClock());
    await store.open();
    const notes = store.tenantCollection(NOTES).of(ACME);
    const note = aNote();
    await notes.insert(note);
    way.cut();
    await expect(notes.get(note.id)).rejects.toMatchObject({ kind: 'unavailable', retryAfter: 5 });
    await expect(notes.insert(aNote())).rejects.toMatchObject({ kind: 'unavailable' });
    way.mend();
    await expect.poll(() => notes.get(note.id).catch(() => null)).toMatchObject({ id: note.id });
    await store.close();
    await way.close();
    await dropDatabase(uri);
  });
});

/** What the driver keeps to itself, as far as a test needs it to break a socket at the worst moment. */
interface Insides {
  readonly topology: { readonly s: { readonly servers: ReadonlyMap<string, Server> } };
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
    await expect.poll(() => [...server().pool.checkedOut].some(({ socket }) => socket.writableNeedDrain)).toBe(true);
    for (const { socket } of server().pool.checkedOut) socket.destroy();
    expect(await write).toSatisfy(isNetworkError);
  });

  it('goes on looking for the server', async () => {
    await ping();
    const { monitor } = server();
    expect(monitor.connection).not.toBeNull();
    monitor.connection?.socket.destroy();
    monitor.monitorId._executeAndReschedule();
    await expect.poll(() => monitor.monitorId.isExecutionInProgress).toBe(false);
    monitor.monitorId._executeAndReschedule();
    await expect.poll(() => server().description.type).not.toBe('Unknown');
    expect(monitor.connection?.socket.destroyed).toBe(false);
  });
});

function isNetworkError(end: unknown): boolean {
  return end instanceof Error && end.name.startsWith('MongoNetwork');
}

function isOk(end: unknown): boolean {
  return !(end instanceof Error);
}
