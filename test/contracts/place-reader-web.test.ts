import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setInterval as ticks } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import S3rver from 's3rver';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Place } from '../../src/ports/place-reader.js';
import { NameServer } from '../support/name-server.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { aPlace, aReader, aReaderHere, fetched, PATIENT, refusal } from './place-reader.fixture.js';

const MODIFIED = 'Wed, 21 Oct 2026 07:28:00 GMT';
const CSV = 'day,store,sales\n2026-01-01,Berlin,3\n';

describe('a place on the web', () => {
  let server: WebhookReceiver;
  beforeAll(async () => {
    server = await WebhookReceiver.start('127.0.0.1', 'files.example');
  });
  afterAll(() => server[Symbol.asyncDispose]());

  const at = (path: string, more: Partial<Place> = {}): Place =>
    aPlace({ kind: 'https', address: `https://127.0.0.1:${server.port}${path}`, ca: server.certificate.cert, ...more });

  it('is read byte by byte, with what it asks for', async () => {
    server.answer = (response) => response.end(CSV);
    expect(await fetched(at('/sales.csv?day=1', { secret: 'Bearer abc' }))).toMatchObject({ text: CSV, written: null });
    const { path, headers } = server.received.at(-1) ?? {};
    expect([path, headers?.authorization]).toEqual(['/sales.csv?day=1', 'Bearer abc']);
  });

  it('is not sent again while it says that it is the same, and then is', async () => {
    let version = '"1"';
    server.answer = (response, { headers }) => {
      const isSame = headers['if-none-match'] === version && headers['if-modified-since'] === MODIFIED;
      if (isSame) return response.writeHead(304).end();
      return response.writeHead(200, { etag: version, 'last-modified': MODIFIED }).end(CSV);
    };
    const place = at('/sales.csv');
    const first = await fetched(place, aReaderHere());
    expect(first.version).toEqual({ etag: '"1"', lastModified: MODIFIED });
    expect(await aReader().openChanged(place, first.version!, PATIENT)).toBeNull();
    version = '"2"';
    const changed = await aReader().openChanged(place, first.version!, PATIENT);
    expect(changed?.version).toMatchObject({ etag: '"2"' });
    changed?.source.destroy();
    // Nobody has asked for that.
    server.answer = (response) => response.writeHead(304).end();
    expect(await refusal(place, aReader())).toMatchObject({ message: 'the place answered 304' });
  });

  it('may send for longer than it may take to begin', async () => {
    let goOn = (): void => undefined;
    server.answer = (response) => {
      response.write(CSV.slice(0, 9));
      goOn = () => void response.end(CSV.slice(9));
    };
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const { source } = await aReaderHere().open(at('/sales.csv'), PATIENT);
      vi.advanceTimersByTime(3_600_000);
      goOn();
      expect(await text(source)).toBe(CSV);
    } finally {
      vi.useRealTimers();
    }
  });

  it('is not unpacked on the way', async () => {
    const packed = gzipSync(CSV);
    server.answer = (response) => response.setHeader('content-encoding', 'gzip').end(packed);
    expect((await fetched(at('/sales.csv'), aReaderHere())).bytes.equals(packed)).toBe(true);
    server.answer = (response) => response.setHeader('content-encoding', 'br').end(packed);
    expect(await refusal(at('/sales.csv'))).toMatchObject({ message: /encoding .* br$/ });
  });

  it('is followed where it sends us, without credentials to others, and not for ever', async () => {
    await using other = await WebhookReceiver.start('files.example');
    await using names = await NameServer.start(() => '127.0.0.1');
    const ca = `${server.certificate.cert}${other.certificate.cert}`;
    server.answer = (response, { url }) =>
      url === '/moved'
        ? response.writeHead(302, { location: '/there' }).end()
        : response.writeHead(307, { location: `https://files.example:${other.port}/end` }).end();
    other.answer = (response) => response.end(CSV);
    const reader = aReaderHere({ nameServers: [names.address] });
    expect((await fetched(at('/moved', { secret: 'Bearer abc', ca }), reader)).text).toBe(CSV);
    expect(server.received.at(-1)).toMatchObject({ path: '/there', headers: { authorization: 'Bearer abc' } });
    expect(other.received.at(-1)?.headers.authorization).toBeUndefined();
    server.answer = (response) => response.writeHead(302, { location: '/again' }).end();
    expect(await refusal(at('/'))).toMatchObject({ message: 'the place redirects more than 5 times' });
  });

  it.each([
    ['https://169.254.169.254/latest/meta-data/', 'the place is not on the public internet'],
    ['https://[::1]/', 'the place is not on the public internet'],
    ['http://example.com/', 'the place redirects to an address without https'],
  ])('does not lead to %s', async (location, message) => {
    server.answer = (response) => response.writeHead(302, { location }).end();
    expect(await refusal(at('/'))).toMatchObject({ kind: 'invalid_input', message });
  });

  it('is asked under the address that was checked, whatever its name means a moment later', async () => {
    await using names = await NameServer.start((_, time) => (time === 0 ? '127.0.0.1' : '127.0.0.2'));
    server.answer = (response) => response.end(CSV);
    const place = at('', { address: `https://files.example:${server.port}/` });
    expect((await fetched(place, aReaderHere({ nameServers: [names.address] }))).text).toBe(CSV);
    expect(names.asked).toEqual(['files.example']);
    expect(await refusal(place, aReaderHere({ nameServers: [names.address] }))).toMatchObject({
      message: 'the place is not on the public internet',
    });
  });

  it('is refused on this machine unless the operator allows it, and with metadata of clouds never', async () => {
    const message = 'the place is not on the public internet';
    expect(await refusal(at('/'), aReaderHere({ networks: [] }))).toMatchObject({ message });
    const metadata = at('/', { address: 'https://169.254.169.254/' });
    expect(await refusal(metadata, aReaderHere({ networks: ['0.0.0.0/0'] }))).toMatchObject({ message });
  });

  it('needs a certificate of its name that is trusted', async () => {
    expect(await refusal(at('/', { ca: '' }))).toMatchObject({
      kind: 'invalid_input',
      message: "the place can't be reached: DEPTH_ZERO_SELF_SIGNED_CERT",
    });
    await using names = await NameServer.start(() => '127.0.0.1');
    const misnamed = at('/', { address: `https://other.example:${server.port}/` });
    expect(await refusal(misnamed, aReaderHere({ nameServers: [names.address] }))).toMatchObject({
      message: "the place can't be reached: ERR_TLS_CERT_ALTNAME_INVALID",
    });
  });

  it.each<[string, WebhookReceiver['answer'], object]>([
    [
      '404',
      (to) => to.writeHead(404).end('secret words'),
      { kind: 'invalid_input', message: 'the place answered 404' },
    ],
    ['503', (to) => to.writeHead(503).end('secret words'), { kind: 'unavailable', message: 'the place answered 503' }],
    [
      'half of it',
      (to) => to.writeHead(200, { 'content-length': '1000' }).write(CSV, () => to.destroy()),
      { kind: 'unavailable', message: /broke off/ },
    ],
  ])('that answers %s is told', async (_, answer, told) => {
    server.answer = answer;
    expect(await refusal(at('/'), aReader())).toMatchObject(told);
  });

  it('that never ends is ended with its process, as soon as nobody reads on', async () => {
    server.answer = (response) => void response.writeHead(200).write(CSV);
    const stop = new AbortController();
    const { source } = await aReader().open(at('/'), stop.signal);
    source.once('data', () => {
      stop.abort(new Error('enough'));
    });
    await expect(source.toArray()).rejects.toThrow('enough');
    await expect.poll(() => server.sockets.size).toBe(0);
    const piece = Buffer.alloc(64 * 1024, 'x');
    server.answer = (response) => void pipeline(Readable.from(repeated(piece)), response).catch(() => undefined);
    const endless = await aReader().open(at('/'), new AbortController().signal);
    for await (const chunk of endless.source) if ((chunk as Buffer).length > 0) break;
    await expect.poll(() => server.sockets.size).toBe(0);
  });

  it('that drips is given up when its time is over', async () => {
    const end = new AbortController();
    const dripping = ticks(50, 'x', { signal: end.signal });
    server.answer = (response) => void pipeline(dripping, response).catch(() => undefined);
    expect(await refusal(at('/'), aReader({ timeoutMs: 1500 }))).toMatchObject({ kind: 'timed_out' });
    end.abort();
  });
});

function* repeated(piece: Buffer): Generator<Buffer> {
  for (;;) yield piece;
}

describe('a place in a bucket', () => {
  let folder: string;
  let storage: S3rver;
  let front: Server;
  let endpoint: string;
  const authorizations: (string | undefined)[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'places-s3-'));
    const configureBuckets = [{ name: 'sales', configs: [] }];
    storage = new S3rver({ port: 0, address: '127.0.0.1', silent: true, directory: folder, configureBuckets });
    await storage.run();
    const answer = storage.callback();
    front = createServer((request, response) => {
      authorizations.push(request.headers.authorization);
      void answer(request, response);
    }).listen(0, '127.0.0.1');
    await new Promise((ready) => front.once('listening', ready));
    const { port } = front.address() as AddressInfo;
    endpoint = `127.0.0.1:${port}`;
  });
  afterAll(async () => {
    front.closeAllConnections();
    front.close();
    await storage.close();
    await rm(folder, { recursive: true, force: true });
  });

  const inBucket = (path: string, more: Partial<Place> = {}): Place => {
    const key = { user: 'S3RVER', secret: 'S3RVER', tls: false };
    return aPlace({ kind: 's3', address: `s3+http://${endpoint}/${path}`, ...key, ...more });
  };

  it('is read with the key that it is given, and not sent again while it is the same', async () => {
    const put = (body: string) => fetch(`http://${endpoint}/sales/2026/days%20of%20may.csv`, { method: 'PUT', body });
    await put(CSV);
    const place = inBucket('sales/2026/days%20of%20may.csv');
    const { text, version } = await fetched(place, aReaderHere());
    expect(text).toBe(CSV);
    expect(authorizations.at(-1)).toMatch(/Credential=S3RVER/);
    expect(version).toMatchObject({ etag: expect.stringMatching(/^"\w+"$/) as unknown, lastModified: null });
    expect(await aReader().openChanged(place, version!, PATIENT)).toBeNull();
    await put(`${CSV}more`);
    const changed = await aReader().openChanged(place, version!, PATIENT);
    expect(changed?.version?.etag).not.toBe(version!.etag);
    changed?.source.destroy();
  });

  it('says what is wrong', async () => {
    const none = { kind: 'invalid_input', message: 'the storage answered 404: NoSuchKey' };
    expect(await refusal(inBucket('sales/nothing'))).toMatchObject(none);
    const wrong = { kind: 'invalid_input', message: /answered 403/ };
    expect(await refusal(inBucket('sales/2026', { secret: 'wrong' }))).toMatchObject(wrong);
    expect(await refusal(inBucket('sales'))).toMatchObject({ message: 'the address names no object of the bucket' });
  });

  it('is refused where the operator allows nothing, by address and by name', async () => {
    const nobody = aReaderHere({ networks: [] });
    expect(await refusal(inBucket('sales/x'), nobody)).toMatchObject({
      message: 'the place must be asked with encryption',
    });
    await using names = await NameServer.start(() => '169.254.169.254');
    const named = inBucket('sales/x', { address: 's3+https://storage.example/sales/x', tls: true });
    expect(await refusal(named, aReaderHere({ nameServers: [names.address] }))).toMatchObject({
      message: 'the place is not on the public internet',
    });
  });
});
