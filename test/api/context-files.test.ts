import { request } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { DocumentStore } from '../../src/ports/document-store.js';
import { IdSource } from '../../src/ports/id-source.js';
import { ObjectStore } from '../../src/ports/object-store.js';
import { CONTEXT_FILES } from '../../src/features/context-files/context-file.schema.js';
import { DocumentSweeper } from '../../src/features/context-files/files/document-files.js';
import { eventually } from '../support/eventually.js';
import { storedObjects } from '../support/stored-objects.js';
import { startTestApi } from '../support/test-api.js';
import type { TestClient, TestResponse } from '../support/test-client.js';
import { aDocx, aPdf, listed, processed, putBody, putFiles, type ListedFile } from './context-files.builder.js';

const MIB = 1024 * 1024;
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const TEXT = { name: 'a.txt', content: 'Something to read.' };

const api = await startTestApi({ environment: { RATE_LIMIT: '0' } });
const ada = await api.signIn('acme');
afterAll(() => api[Symbol.asyncDispose]());

afterEach(async () => {
  await api.drain();
  for (const { id } of await listed(ada)) await ada.delete(`/secure/contextfiles/${id}?permanent=true`);
});

/** The names of the company's stored documents, and of whatever is half written. */
async function stored(client: TestClient = ada): Promise<readonly string[]> {
  const folders = [join(client.companyId, 'documents'), 'parts'];
  const names = await Promise.all(folders.map((folder) => storedObjects(api.dataDir, folder)));
  return names.flat();
}

async function expectNothingKept(): Promise<void> {
  expect(await listed(ada)).toEqual([]);
  await eventually(stored, (names) => names.length === 0, 5_000);
}

describe('a request with context files', () => {
  it('is refused whole when one of its files is of another type, naming that file', async () => {
    const { status, body } = await putFiles(ada, [TEXT, { name: 'picture.txt', content: PNG }, TEXT]);
    expect(status).toBe(415);
    expect(body).toMatchObject({
      error: true,
      message: 'invalid input: unsupported file type image/png',
      details: [{ field: 'files', problem: expect.stringContaining('picture.txt') as string }],
    });
    await expectNothingKept();
  });

  it('goes by content, not by name or declared type', async () => {
    const form = new FormData();
    form.append('files', new Blob([await aPdf(['A page.'])], { type: 'text/plain' }), 'really.docx');
    form.append('files', new Blob([aDocx([{ text: 'A paragraph.' }])], { type: 'image/png' }), 'no-ending');
    const { status, body } = await putBody(ada, form);
    expect(status, JSON.stringify(body)).toBe(200);
    expect((body['files'] as { metadata: { type: string } }[]).map(({ metadata }) => metadata.type)).toEqual([
      'application/pdf',
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    ]);
  });

  it.each([
    ['no file', [], 'files', 'the form field files must hold a file'],
    ['a file under another field', [TEXT], 'attachment', 'the form field files must hold a file'],
    ['an empty file', [TEXT, { name: 'nothing.txt', content: '' }], 'files', 'nothing.txt is empty'],
  ])('is refused with %s', async (_name, files, field, message) => {
    const { status, body } = await putFiles(ada, files, field);
    expect({ status, body }).toMatchObject({ status: 400, body: { error: true, message } });
    expect(body['details']).toHaveLength(1);
    await expectNothingKept();
  });

  it('takes 20 files under either name of its field, and is refused with more', async () => {
    const files = Array.from({ length: 21 }, (_, n) => ({ name: `${n}.txt`, content: `File ${n}.` }));
    expect(await putFiles(ada, files)).toMatchObject({
      status: 400,
      body: { message: 'the form field files may hold up to 20 files' },
    });
    await expectNothingKept();
    const form = new FormData();
    form.append('comment', 'passed over');
    for (const { name, content } of files.slice(1)) form.append('file', new Blob([content]), name);
    const { status, body } = await putBody(ada, form);
    expect(status, JSON.stringify(body)).toBe(200);
    expect((body['files'] as ListedFile[]).map(({ filename }) => filename)).toEqual(
      files.slice(1).map(({ name }) => name),
    );
    await api.drain();
    expect((await listed(ada)).every(({ metadata }) => metadata.status === 'ready')).toBe(true);
  }, 90_000);

  it('is refused when a file is over 50 MiB, naming it, and takes one of exactly 50 MiB', async () => {
    const large = { name: 'large.txt', content: new Uint8Array(50 * MIB + 1).fill(97) };
    const { status, body } = await putFiles(ada, [TEXT, large]);
    expect({ status, body }).toMatchObject({
      status: 413,
      body: {
        message: 'the file is larger than 52428800 bytes',
        details: [{ field: 'files', problem: 'large.txt is larger than 52428800 bytes' }],
      },
    });
    await expectNothingKept();
    const fits = { name: 'fits.txt', content: large.content.subarray(1) };
    expect((await putFiles(ada, [fits])).status).toBe(200);
  });

  it('is refused before it is read when it announces more than 20 files can have', async () => {
    const { status } = await putRaw({ 'content-length': String(2 * 1024 * MIB) }, '');
    expect(status).toBe(413);
  });

  it.each([
    ['JSON', { 'content-type': 'application/json' }, '{}', 415],
    ['no boundary', { 'content-type': 'multipart/form-data' }, 'x', 400],
    [
      'no end',
      { 'content-type': 'multipart/form-data; boundary=a' },
      '--a\r\ncontent-disposition: form-data; name="files"; filename="x.txt"\r\n\r\nabc',
      400,
    ],
    [
      'a field that would be a prototype',
      { 'content-type': 'multipart/form-data; boundary=a' },
      '--a\r\ncontent-disposition: form-data; name="__proto__"; filename="x.txt"\r\n\r\nabc\r\n--a--\r\n',
      400,
    ],
    [
      'a part without a file name',
      { 'content-type': 'multipart/form-data; boundary=a' },
      '--a\r\ncontent-disposition: form-data; name="files"\r\ncontent-type: application/octet-stream\r\n\r\nabc\r\n--a--\r\n',
      400,
    ],
  ])('is refused with %s', async (_name, headers, body, status) => {
    const refused = await putBody(ada, body, headers);
    expect(refused).toMatchObject({ status, body: { error: true, message: expect.any(String) as string } });
    await expectNothingKept();
  });

  it('leaves nothing when its sender goes away in the middle of the second file', async () => {
    const part = (name: string): string =>
      `--a\r\ncontent-disposition: form-data; name="files"; filename="${name}"\r\n\r\n`;
    const sender = request(`${api.url}/api/v1/secure/contextfiles`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${String(ada.token)}`, 'content-type': 'multipart/form-data; boundary=a' },
    });
    sender.on('error', () => undefined);
    sender.write(`${part('1.txt')}The first is whole.\r\n${part('2.txt')}${'The second is not. '.repeat(10_000)}`);
    // The first is stored before the second is broken off.
    await eventually(stored, (names) => names.length === 2, 10_000);
    sender.destroy();
    await expectNothingKept();
  });
});

describe('a company with many context files', () => {
  it('has to delete some before it can add more than 1,000', async () => {
    const companyId = await api.companyId('acme');
    const files = api.get(DocumentStore).tenantCollection(CONTEXT_FILES).of(companyId);
    const [one] = await processed(api, ada, [TEXT]);
    const original = (await files.get(String(one?.id)))!;
    const ids = api.get(IdSource);
    const copies = Array.from({ length: 998 }, (_, n): typeof original => ({
      ...original,
      id: ids.next(),
      storageKey: `copy-${n}`,
    }));
    await Promise.all(copies.map((copy) => files.insert(copy)));
    expect((await putFiles(ada, [TEXT, TEXT])).status).toBe(409);
    expect(await stored()).toHaveLength(1);
    expect((await putFiles(ada, [TEXT])).status).toBe(200);
    const { status, body } = await putFiles(ada, [TEXT]);
    expect({ status, body }).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('1000') as string },
    });
    await api.drain();
    await files.remove({ storageKey: { contains: 'copy-' } });
  }, 60_000);
});

describe('deleting a context file', () => {
  it('takes its creator or a manager, and waits for the processing', async () => {
    const manager = await api.signIn('acme', { role: 'manager' });
    const { body } = await putFiles(ada, [TEXT, { ...TEXT, name: 'b.txt' }]);
    const [one, two] = (body['files'] as ListedFile[]).map(({ id }) => id);
    const remove = (id: string | undefined, by = ada): Promise<TestResponse> =>
      by.delete(`/secure/contextfiles/${String(id)}?permanent=true`);
    expect(await remove(one)).toMatchObject({ status: 409, body: { message: 'file is still processing' } });
    await api.drain();
    expect((await remove(one)).status).toBe(200);
    expect((await remove(one)).status).toBe(404);
    expect((await remove(two, manager)).body).toMatchObject({ error: false, message: 'context file deleted' });
    await expectNothingKept();
  });
});

describe('what a died process left', () => {
  it('is swept when no record names it, and only then', async () => {
    await processed(api, ada, [TEXT]);
    const key = { companyId: await api.companyId('acme'), area: 'documents', name: 'orphan' } as const;
    await api.get(ObjectStore).write(key, Readable.from(['nobody knows me']), 100);
    expect(await stored()).toHaveLength(2);
    await api.get(DocumentSweeper).sweep(new Date(Date.now() - 60_000));
    expect(await stored()).toHaveLength(2);
    await api.get(DocumentSweeper).sweep(new Date(Date.now() + 60_000));
    expect(await stored()).not.toContain('orphan');
    expect(await stored()).toHaveLength(1);
  });
});

/** A request whose headers lie about its body. */
function putRaw(headers: Record<string, string>, body: string): Promise<{ readonly status: number }> {
  return new Promise((resolve, reject) => {
    const sender = request(`${api.url}/api/v1/secure/contextfiles`, {
      method: 'PUT',
      headers: {
        authorization: `Bearer ${String(ada.token)}`,
        'content-type': 'multipart/form-data; boundary=a',
        ...headers,
      },
    });
    sender.on('error', reject);
    sender.on('response', (response) => {
      resolve({ status: response.statusCode ?? 0 });
      sender.destroy();
    });
    sender.write(`--a\r\n${body}`);
  });
}
