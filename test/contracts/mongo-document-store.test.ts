import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { MongoDocumentStore } from '../../src/adapters/mongo/mongo-document-store.js';
import { ManualClock } from '../support/manual-clock.js';
import { aDatabase, dropDatabase, mongodbServer } from '../support/mongodb.js';
import { documentStoreContract } from './document-store.contract.js';
import { ACME, NOTES, aNote } from './document-store.kinds.js';

const server = mongodbServer;

describe.skipIf(server === undefined)('MongoDocumentStore', () => {
  documentStoreContract(async () => {
    const uri = aDatabase();
    const clock = new ManualClock();
    const store = new MongoDocumentStore(uri, clock);
    await store.open();
    return {
      store,
      clock,
      close: async () => {
        await store.close();
        await dropDatabase(uri);
      },
    };
  });
});

/** A way to the server that a test can block: everything that is sent stays on it. */
async function blockableWay(): Promise<{ readonly uri: string; block(): void; close(): void }> {
  const target = new URL(server ?? '');
  const sockets: Socket[] = [];
  const way = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    for (const socket of [near, far]) socket.on('error', () => undefined);
    sockets.push(near, far);
    near.pipe(far).pipe(near);
  });
  const port = await listen(way);
  return {
    uri: `mongodb://127.0.0.1:${port}/test-${randomBytes(6).toString('hex')}`,
    block: () => {
      for (const socket of sockets) socket.unpipe().pause();
      way.removeAllListeners('connection');
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      way.close();
    },
  };
}

async function listen(way: Server): Promise<number> {
  way.listen(0, '127.0.0.1');
  await once(way, 'listening');
  return (way.address() as AddressInfo).port;
}

/** A port that nothing listens on any more. */
async function freePort(): Promise<number> {
  const way = createServer();
  const port = await listen(way);
  way.close();
  await once(way, 'close');
  return port;
}

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

describe.skipIf(server === undefined)('MongoDocumentStore when its server falls silent or goes', () => {
  it('notices soon when it is asked whether it is there', async () => {
    const way = await blockableWay();
    const store = new MongoDocumentStore(way.uri, new ManualClock());
    await store.open();
    await store.check();
    way.block();
    const begun = performance.now();
    await expect(store.check()).rejects.toMatchObject({ kind: 'unavailable', retryAfter: 5 });
    expect(performance.now() - begun).toBeLessThan(15_000);
    way.close();
    await store.close();
  });

  it('refuses what it is asked, and works again when the server is back', async () => {
    const way = await blockableWay();
    const store = new MongoDocumentStore(way.uri, new ManualClock());
    await store.open();
    const notes = store.tenantCollection(NOTES).of(ACME);
    const note = aNote();
    await notes.insert(note);
    way.close();
    await expect(notes.get(note.id)).rejects.toMatchObject({ kind: 'unavailable', retryAfter: 5 });
    await expect(notes.insert(aNote())).rejects.toMatchObject({ kind: 'unavailable' });
    await store.close();

    const uri = new URL(new URL(way.uri).pathname, server).href;
    const again = new MongoDocumentStore(uri, new ManualClock());
    await again.open();
    expect((await again.tenantCollection(NOTES).of(ACME).get(note.id))?.id).toBe(note.id);
    await again.close();
    await dropDatabase(uri);
  });
});
