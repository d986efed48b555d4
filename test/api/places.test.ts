import { gzipSync } from 'node:zlib';
import { afterAll, expect, it } from 'vitest';
import { DocumentStore } from '../../src/ports/document-store.js';
import { ObjectStore } from '../../src/ports/object-store.js';
import { DATASOURCES } from '../../src/features/datasource/datasource.schema.js';
import { FetchScheduler } from '../../src/features/datasource/places/fetch.scheduler.js';
import { UploadSweeper } from '../../src/features/datasource/upload/upload.sweeper.js';
import { UPLOADS } from '../../src/features/datasource/upload/upload.schema.js';
import type { DatasourceId } from '../../src/shared/ids.js';
import { rememberingImports } from '../support/remembered-imports.js';
import type { TestResponse } from '../support/test-client.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { aService } from './a-service.js';
import { aDatasourceBody, insert, look as lookAs } from './world.builder.js';

const MINUTE = 60_000;
/** 64 MiB of nothing in 64 KiB. */
const BOMB = gzipSync(Buffer.alloc(64 * 1024 ** 2));
const SECRET = 'Bearer secret-of-the-place';

function csvOf(rows: number, columns = 'device,at,temperature,note'): string {
  const width = columns.split(',').length;
  const lines = Array.from({ length: rows }, (_, hour) => {
    const at = new Date(Date.UTC(2024, 0, 1, hour)).toISOString().slice(0, 19).replace('T', ' ');
    return [`d${hour % 2}`, at, `${hour}.5`, 'dry', 'new'].slice(0, width).join(',');
  });
  return [columns, ...lines].join('\n');
}

interface Place {
  readonly next_fetch_at: string | null;
  readonly fetches: readonly Record<string, unknown>[];
}

interface Datasource {
  readonly doc_count: number;
  readonly place: Place;
}

const log: string[] = [];
const environment = { PLACE_NETWORKS: '127.0.0.1', LOG_LEVEL: 'trace' };
const api = await aService({ environment, onLog: (line) => log.push(line) });
const server = await WebhookReceiver.start('127.0.0.1');
let ada = await api.signIn('acme', { role: 'manager' });
const [bob, eve] = [await api.signIn('acme'), await api.signIn('globex', { role: 'manager' })];
afterAll(() => server[Symbol.asyncDispose]());

const AT = `https://127.0.0.1:${server.port}`;
const place = (more: object = {}): object => ({
  kind: 'https',
  address: `${AT}/files/sales.csv?token=secret-in-address`,
  secret: SECRET,
  ca: server.certificate.cert,
  ...more,
});
const fetchIt = (by = ada, more: object = {}): Promise<TestResponse> =>
  by.post('/secure/datasource/fetch', place(more));
const refetch = (id: string, by = ada): Promise<TestResponse> => by.post('/secure/datasource/refetch', { id });
const change = (id: string, to: object): Promise<TestResponse> => ada.patch('/secure/datasource/place', { id, ...to });
const look = (id: string): Promise<Datasource> => lookAs(ada, id) as Promise<unknown> as Promise<Datasource>;
/** Of the rows that are read. */
const countOf = async (id: string): Promise<unknown> =>
  (await ada.post('/secure/data/plot', { datasource_id: id, value: 'temperature' })).body['total'];
const sends = (content: string | Buffer): void => {
  server.answer = (response) => response.end(content);
};

const created = ({ filename }: TestResponse['body']): Promise<string> =>
  rememberingImports(async () => {
    const { status, body } = await ada.put('/secure/datasource', aDatasourceBody(String(filename)));
    expect(status).toBe(200);
    await api.drain();
    return String(body['datasource_id']);
  });
async function made(rows: number): Promise<string> {
  sends(csvOf(rows));
  return created((await fetchIt()).body);
}
async function refetched(id: string): Promise<Datasource> {
  expect(await refetch(id)).toMatchObject({ status: 200 });
  await rememberingImports(() => api.drain());
  return look(id);
}

it('a datasource from a place is described as an upload is, made as from a file, its company’s own, and keeps its secrets', async () => {
  sends(csvOf(48));
  const { status, body } = await fetchIt(bob);
  expect([status, body]).toMatchObject([
    200,
    {
      file: 'sales.csv',
      columns: [['device', 'at', 'temperature', 'note']],
      types: [['text', 'time', 'number', 'text']],
    },
  ]);
  const id = await made(48);
  expect(server.received.at(-1)).toMatchObject({
    path: '/files/sales.csv?token=secret-in-address',
    headers: { authorization: SECRET },
  });
  expect(await look(id)).toMatchObject({
    doc_count: 48,
    files: ['sales.csv'],
    place: {
      ...{ kind: 'https', address: `${AT}/files/sales.csv?…`, every_minutes: null, fetching: false },
      fetches: [{ status: 'done', rows_before: 0, rows_after: 48, columns_added: [], columns_gone: [] }],
    },
  });
  await refetched(id);

  expect(await eve.put('/secure/datasource', aDatasourceBody(String(body['filename'])))).toMatchObject({ status: 404 });
  expect(await refetch(id, bob)).toMatchObject({ status: 403 });
  const uploaded = await created((await ada.upload(csvOf(48))).body);
  expect(await refetch(uploaded)).toMatchObject({ status: 409 });

  const records = [
    ...(await api.get(DocumentStore).tenantCollection(DATASOURCES).ofAll().find({})),
    ...(await api.get(DocumentStore).tenantCollection(UPLOADS).ofAll().find({})),
  ];
  const shown = [JSON.stringify(records), JSON.stringify(await look(id)), ...log].join('\n');
  expect(shown).toContain(id);
  expect(shown).not.toContain('secret-of-the-place');
  expect(shown).not.toContain('secret-in-address');
});

it('a datasource from a place is fetched again as a whole and tells what changed, and keeps its rows while the file is the same', async () => {
  let [etag, text]: [string, string | Buffer] = ['"1"', csvOf(48)];
  server.answer = (response, { headers }) =>
    headers['if-none-match'] === etag ? response.writeHead(304).end() : response.writeHead(200, { etag }).end(text);
  const id = await created((await fetchIt()).body);
  const unchanged = { status: 'unchanged', error: null, rows_before: 48, rows_after: 48 };
  expect(await refetched(id)).toMatchObject({
    ...{ doc_count: 48, updating: false, import: { status: 'ready', rows: 48, error: null } },
    place: { fetching: false, fetches: [unchanged, { status: 'done' }] },
  });
  const otherTable = /(?:timefield|metafield) is \w+, which is not a column/;
  for (const [tag, file, reason] of [
    ['"2"', 'a,b\n1,2\n', otherTable],
    // A file that could not be used is asked for again.
    ['"2"', 'a,b\n1,2\n', otherTable],
    ['"3"', BOMB, /unpacks to more than 200 times its size/],
  ] as const) {
    [etag, text] = [tag, file];
    const { place: tried, ...kept } = await refetched(id);
    const failed = { status: 'failed', error: expect.stringMatching(reason) as string, rows_after: 48 };
    expect(tried.fetches[0]).toMatchObject(failed);
    expect(kept).toMatchObject({ doc_count: 48, updating: false, import: { status: 'ready', rows: 48, error: null } });
    expect(await countOf(id)).toBe(48);
  }
  [etag, text] = ['"4"', csvOf(60, 'device,at,temperature,note,sensor')];
  const changed = { status: 'done', rows_before: 48, rows_after: 60, columns_added: ['sensor'], columns_gone: [] };
  expect((await refetched(id)).place.fetches[0]).toMatchObject(changed);
  expect((await refetched(id)).place.fetches[0]).toMatchObject({ status: 'unchanged', rows_after: 60 });
  // Who asks with another secret, or elsewhere, may be given another file.
  const move = (more: object): Promise<TestResponse> => change(id, { address: `${AT}/other.csv`, ...more });
  expect(await move({})).toMatchObject({ status: 400, body: { details: [{ field: 'secret' }] } });
  expect(await move({ address: 'ftp://example.com/' })).toMatchObject({ status: 400 });
  expect(await move({ secret: 'Bearer another' })).toMatchObject({ status: 200 });
  text = `${csvOf(20, 'device,at,temperature')}\nd1,yesterday,3`;
  const shrunk = { status: 'done', rows_before: 60, rows_after: 20, rejected: 1, columns_gone: ['note', 'sensor'] };
  const { place: fetched, ...then } = await refetched(id);
  expect([then, fetched.fetches[0]]).toMatchObject([{ doc_count: 20, updating: false }, shrunk]);
  expect(server.received.at(-1)).toMatchObject({ path: '/other.csv', headers: { authorization: 'Bearer another' } });
  expect(await countOf(id)).toBe(20);
});

it('numbers that come again and can be read either way are written as before', async () => {
  const table = (figure: string): string => `device;at;temperature\nd1;2024-01-01 00:00:00;${figure}\n`;
  sends(table('1,5'));
  const id = await created((await fetchIt()).body);
  sends(table('1.234'));
  await refetched(id);
  const { body } = await ada.post('/secure/data/plot', { datasource_id: id, value: 'temperature' });
  expect(body['data']).toMatchObject([{ value: 1234 }]);
});

it('a datasource from a place is read while it is fetched, takes no other rows, and can be stopped', async () => {
  const id = await made(48);
  server.answer = (response) => void response.writeHead(200).write(csvOf(10));
  expect(await refetch(id)).toMatchObject({
    body: { datasource: { updating: true, place: { fetching: true } } },
  });
  expect(await refetch(id)).toMatchObject({ status: 409 });
  expect(await countOf(id)).toBe(48);
  expect(await ada.patch('/secure/datasource', { id, name: 'Renamed' })).toMatchObject({ status: 200 });
  expect(await insert(ada, id, [{ device: 'd1', at: '2024-01-02 00:00:00', temperature: 1 }])).toMatchObject({
    status: 409,
    body: { message: /^the rows of this datasource are fetched from a place/ },
  });
  await expect.poll(() => server.received.length).toBeGreaterThan(0);
  expect(await ada.delete('/secure/datasource/refetch', { id })).toMatchObject({ status: 200 });
  await api.drain();
  expect(await look(id)).toMatchObject({
    ...{ name: 'Renamed', doc_count: 48, updating: false, import: { status: 'ready' } },
    place: { fetching: false, fetches: [{ status: 'stopped' }, {}] },
  });
  expect(await ada.delete('/secure/datasource/refetch', { id })).toMatchObject({ status: 409 });
  await expect.poll(() => server.sockets.size).toBe(0);
});

it('a datasource from a place leaves no file of a fetch that died before its datasource took it', async () => {
  const id = await made(10);
  const uploads = api.get(DocumentStore).tenantCollection(UPLOADS).ofAll();
  sends(csvOf(12));
  const [waiting, died] = [await fetchIt(), await fetchIt()].map(({ body }) => String(body['filename']));
  await uploads.update({ storageKey: died ?? '' }, { set: { replaces: id as DatasourceId } });

  await api.get(UploadSweeper).removeOrphans(new Date(Date.now() + MINUTE));
  const files = new Set<string>();
  for await (const { key } of api.get(ObjectStore).list('uploads')) files.add(key.name);
  expect([files.has(waiting ?? ''), files.has(died ?? '')]).toEqual([true, false]);
  expect(await uploads.find({ storageKey: died ?? '' })).toEqual([]);
});

it.each([
  [{ address: 'http://example.com/' }, /^address must be like https/],
  [{ address: 'https://ada:pw@example.com/' }, /^address must not hold a user or a password/],
  [{ query: 'SELECT 1' }, /^query is for databases/],
  [{ secret: 'a\nb' }, /^secret must be/],
  [{ tls: false }, /^tls can be false/],
  [{ kind: 's3', address: 's3://bucket/key', user: 'id', secret: '' }, /^secret and user belong together/],
  [{ kind: 'postgresql', address: 'postgresql://host/db' }, /^query is required/],
  [{ address: 'https://169.254.169.254/' }, /not on the public internet/],
])('a datasource from a place is refused as %j', async (more, message) => {
  expect(await fetchIt(ada, more)).toMatchObject({ status: 400, body: { message } });
});

it('a datasource from a place is a database for managers alone', async () => {
  const database = { kind: 'postgresql', address: 'postgresql://127.0.0.1:1/shop', query: 'SELECT 1', user: 'ada' };
  expect(await fetchIt(bob, database)).toMatchObject({ status: 403 });
  expect((await fetchIt(ada, database)).status).not.toBe(403);
});

it('a datasource from a place is fetched at its turns, once, and keeps the rows before for who reads them a while', async () => {
  const id = await made(48);
  const scheduler = api.get(FetchScheduler);
  expect(await change(id, { every_minutes: 3 })).toMatchObject({ status: 400 });
  expect(await change(id, { every_minutes: 10 })).toMatchObject({ status: 200 });
  const due = new Date((await look(id)).place.next_fetch_at ?? 0).getTime();
  expect(due - api.clock.now().getTime()).toBeGreaterThan(9 * MINUTE);
  sends(csvOf(50));
  await scheduler.tick();
  await api.drain();
  expect((await look(id)).doc_count).toBe(48);

  api.clock.advance(25 * MINUTE);
  await Promise.all([scheduler.tick(), scheduler.tick()]);
  await api.drain();
  // A token does not live as long.
  ada = await api.signIn('acme', { role: 'manager' });
  const then = await look(id);
  expect([then.doc_count, then.place.fetches.length]).toEqual([50, 2]);
  expect(new Date(then.place.next_fetch_at ?? 0).getTime()).toBe(due + 20 * MINUTE);

  const generations = async (): Promise<ReadonlySet<string | undefined>> => {
    const found = new Set<string | undefined>();
    for await (const { key } of api.get(ObjectStore).list('rows')) {
      if (key.name.startsWith(id)) found.add(key.name.split('.')[1]);
    }
    return found;
  };
  expect(await generations()).toEqual(new Set(['1', '2']));
  await change(id, { every_minutes: 0 });
  api.clock.advance(16 * MINUTE);
  await scheduler.tick();
  expect(await generations()).toEqual(new Set(['2']));
  ada = await api.signIn('acme', { role: 'manager' });
  const at = { days: ['mon', 'fri'], time: '08:00', time_zone: 'Europe/Berlin' };
  expect((await change(id, { at })).body).toMatchObject({ datasource: { place: { every_minutes: null, at } } });
  expect((await look(id)).place.next_fetch_at).toMatch(/T0[67]:00:00.000Z$/);
  expect((await change(id, { every_minutes: 0 })).body).toMatchObject({
    datasource: { place: { every_minutes: null, next_fetch_at: null } },
  });
});
