import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storedObjects } from '../support/stored-objects.js';
import { startTestApi, type TestApi } from '../support/test-api.js';
import type { TestClient } from '../support/test-client.js';

let api: TestApi;
let ada: TestClient;
beforeAll(async () => {
  api = await startTestApi({ environment: { UPLOAD_MAX_BYTES: '2000000' } });
  ada = await api.signIn('acme');
});
afterAll(() => api[Symbol.asyncDispose]());

describe('a file that can not be used is refused with a sentence, and nothing of it is left', () => {
  it.each([
    ['bytes', Buffer.from(Array.from({ length: 4000 }, (_, index) => (index * 7919) % 256))],
    ['gzip of gzip', gzipSync(gzipSync('a,b\n1,2\n'))],
  ])('%s', async (_name, content) => {
    const { status, body } = await ada.upload(content);
    expect(status).toBe(400);
    expect(body).toMatchObject({ error: true, message: expect.stringMatching(/^[a-z].{10,}/i) as string });
    expect(await storedObjects(api.dataDir)).toEqual([]);
  });

  it('one that is no table by name', async () => {
    expect(await ada.upload('a,b\n1,2', 'rows.docx')).toMatchObject({ status: 415, body: { error: true } });
    expect(await storedObjects(api.dataDir)).toEqual([]);
  });

  it('one that is too large, announced or not', async () => {
    const { status, body } = await ada.upload(`a,b\n${'1,2\n'.repeat(600_000)}`);
    expect({ status, body }).toMatchObject({ status: 413, body: { error: true } });
    expect(await storedObjects(api.dataDir)).toEqual([]);
  });

  it('a form without a file, and another field', async () => {
    expect(await ada.upload('a,b\n1,2', 'rows.csv', 'other')).toMatchObject({ status: 400, body: { error: true } });
    expect(await ada.post('/secure/datasource/upload', {})).toMatchObject({ status: 415, body: { error: true } });
  });
});

describe('a config that does not fit the file', () => {
  it('is refused, and the upload can be used again', async () => {
    const { body: upload } = await ada.upload('device,at,value\nd1,2024-01-01,1\nd2,2024-01-02,2\n');
    const body = { name: 'x', type: 'csv', filename: upload['filename'] };
    for (const config of [
      { metafield: 'nope' },
      { metafield: 'device', timefield: 'at', granularity: 'years' },
      { metafield: 'device', timefield: 'at', lifespan: -1 },
    ]) {
      expect(await ada.put('/secure/datasource', { ...body, config })).toMatchObject({
        status: 400,
        body: { error: true },
      });
    }
    const config = { metafield: 'device', timefield: 'at' };
    expect(await ada.put('/secure/datasource', { ...body, config })).toMatchObject({ status: 200 });
    expect(await ada.put('/secure/datasource', { ...body, config })).toMatchObject({ status: 404 });
    await api.drain();
  });
});

describe('rows that do not fit', () => {
  it('fail the import when there is not one that does: a sentence, no rows, no file', async () => {
    const { body: upload } = await ada.upload(`device,at,value\n${',2024-01-01,1\n'.repeat(20)}`);
    const { body } = await ada.put('/secure/datasource', {
      name: 'hopeless',
      type: 'csv',
      filename: upload['filename'],
      config: { metafield: 'device', timefield: 'at' },
    });
    await api.drain();
    const id = String(body['datasource_id']);
    const { body: found } = await ada.get(`/secure/datasource?id=${id}`);
    expect(found['datasource']).toMatchObject({ updating: false, doc_count: 0, import: { status: 'failed' } });
    const { error } = (found['datasource'] as { import: { error: string } }).import;
    expect(error).toMatch(/device|metafield|meta/i);
    expect((await storedObjects(api.dataDir)).filter((name) => name.startsWith(id))).toEqual([]);
  });
});
