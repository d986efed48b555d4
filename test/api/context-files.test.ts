import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import { DocumentReader } from '../../src/ports/document-reader.js';
import { DocumentStore } from '../../src/ports/document-store.js';
import { IdSource } from '../../src/ports/id-source.js';
import { ObjectStore } from '../../src/ports/object-store.js';
import { CONTEXT_FILES } from '../../src/features/context-files/context-file.schema.js';
import { DocumentSweeper } from '../../src/features/context-files/files/document-files.js';
import { asId, type CompanyId } from '../../src/shared/ids.js';
import { eventually } from '../support/eventually.js';
import { storedObjects } from '../support/stored-objects.js';
import type { TestClient, TestResponse } from '../support/test-client.js';
import { theService } from './a-service.js';
import {
  type AFile,
  aDocx,
  aPdf,
  listed,
  processed,
  putBody,
  putFiles,
  type ListedFile,
} from './context-files.builder.js';

const MIB = 1024 * 1024;
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const LARGE = new Uint8Array(50 * MIB + 1).fill(97);
const TEXT = { name: 'a.txt', content: 'Something to read.' };

const FORM = { 'content-type': 'multipart/form-data; boundary=a' };
const part = (name: string, text: string): string => `--a\r\ncontent-disposition: form-data; ${name}\r\n\r\n${text}`;

const api = await theService();
const ada = await api.signIn('acme');

/** The names of the company's stored documents, and of whatever is half written. */
async function stored(client: TestClient): Promise<readonly string[]> {
  const folders = [join(client.companyId, 'documents'), 'parts'];
  const names = await Promise.all(folders.map((folder) => storedObjects(api.dataDir, folder)));
  return names.flat();
}

async function expectNothingKept(): Promise<void> {
  expect(await listed(ada)).toEqual([]);
  await eventually(
    () => stored(ada),
    (names) => names.length === 0,
    5_000,
  );
}

describe('a request with context files', () => {
  const TWENTY = Array.from({ length: 20 }, (_, n) => ({ name: `${n}.txt`, content: `File ${n}.` }));

  it.each<[string, readonly AFile[], string, number, string]>([
    ['without a file', [], 'files', 400, 'the form field files must hold a file'],
    ['with a file under another field', [TEXT], 'attachment', 400, 'the form field files must hold a file'],
    ['with an empty file', [TEXT, { name: 'no.txt', content: '' }], 'files', 400, 'no.txt is empty'],
    ['with 21 files', [TEXT, ...TWENTY], 'files', 400, 'the form field files may hold up to 20 files'],
    ['with a picture', [TEXT, { name: 'picture.txt', content: PNG }, TEXT], 'files', 415, 'picture.txt'],
    ['with a file over 50 MiB', [TEXT, { name: 'large.txt', content: LARGE }], 'files', 413, 'large.txt is larger'],
  ])('is refused whole %s, which it names', async (_name, files, field, status, problem) => {
    const { body, status: answered } = await putFiles(ada, files, field);
    expect({ answered, body }).toMatchObject({ answered: status, body: { error: true } });
    expect(JSON.stringify(body)).toContain(problem);
    expect(body['details']).toHaveLength(1);
    await expectNothingKept();
  });

  it.each<[string, Record<string, string>, string, number]>([
    ['JSON', { 'content-type': 'application/json' }, '{}', 415],
    ['no boundary', { 'content-type': 'multipart/form-data' }, 'x', 400],
    ['no end', FORM, part('name="files"; filename="x.txt"', 'abc'), 400],
    ['a field that would be a prototype', FORM, part('name="__proto__"; filename="x.txt"', 'abc\r\n--a--\r\n'), 400],
    ['a part without a file name', FORM, part('name="files"', 'abc\r\n--a--\r\n'), 400],
  ])('is refused with %s', async (_name, headers, body, status) => {
    const refused = await putBody(ada, body, headers);
    expect(refused).toMatchObject({ status, body: { error: true, message: expect.any(String) as string } });
    await expectNothingKept();
  });

  it('is refused before it is read when it announces more than 20 files can have', async () => {
    const sender = putRaw({ 'content-length': String(2 * 1024 * MIB) });
    sender.write('--a\r\n');
    const [{ statusCode }] = (await once(sender, 'response')) as [IncomingMessage];
    sender.destroy();
    expect(statusCode).toBe(413);
  });

  it('leaves nothing when its sender goes away in the middle of the second file', async () => {
    const sender = putRaw();
    sender.write(`${part('name="files"; filename="1.txt"', 'The first is whole.')}\r\n`);
    sender.write(part('name="files"; filename="2.txt"', 'The second is not. '.repeat(10_000)));
    // The first is stored before the second is broken off.
    await eventually(
      () => stored(ada),
      (names) => names.length === 2,
      10_000,
    );
    sender.destroy();
    await expectNothingKept();
  });

  it('takes 20 files under either name of its field, of up to 50 MiB, by their content and not by name or declared type', async () => {
    const bob = await api.signIn('globex');
    const reader = api.get(DocumentReader);
    const read = reader.read.bind(reader);
    // What stands in the texts does not matter here, and each takes a process to read.
    using _texts = vi
      .spyOn(reader, 'read')
      .mockImplementation(async (path, type, signal) =>
        type === 'text/plain' ? [{ text: 'Read.', page: null, heading: null }] : read(path, type, signal),
      );
    const form = new FormData();
    form.append('comment', 'passed over');
    form.append('files', new Blob([await aPdf(['A page.'])], { type: 'text/plain' }), 'really.docx');
    form.append('file', new Blob([aDocx([{ text: 'A paragraph.' }])], { type: 'image/png' }), 'no-ending');
    form.append('file', new Blob([LARGE.subarray(1)]), 'fits.txt');
    for (const { name, content } of TWENTY.slice(3)) form.append('file', new Blob([content]), name);
    const { status, body } = await putBody(bob, form);
    expect(status, JSON.stringify(body)).toBe(200);
    const taken = body['files'] as { filename: string; metadata: { type: string } }[];
    const names = ['really.docx', 'no-ending', 'fits.txt', ...TWENTY.slice(3).map(({ name }) => name)];
    expect(taken.map(({ filename }) => filename)).toEqual(names);
    expect(taken.slice(0, 2).map(({ metadata }) => metadata.type)).toEqual([
      'application/pdf',
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    ]);
    await api.drain();
    const states = (await listed(bob)).map(({ metadata }) => metadata.status);
    expect(states).toEqual(Array.from({ length: 20 }, () => 'ready'));
  }, 90_000);
});

it('a company has to delete some context files before it can add more than 1,000', async () => {
  const cleo = await api.signIn('initech');
  const files = api.get(DocumentStore).tenantCollection(CONTEXT_FILES).of(asId(cleo.companyId));
  const [one] = await processed(api, cleo, [TEXT]);
  const original = (await files.get(asId(one!.id)))!;
  const copies = Array.from({ length: 998 }, (_, n) => ({
    ...original,
    id: api.get(IdSource).next<typeof original.id>(),
    storageKey: `copy-${n}`,
  }));
  await Promise.all(copies.map((copy) => files.insert(copy)));
  const full = { status: 409, body: { message: expect.stringContaining('1000') as string } };
  expect(await putFiles(cleo, [TEXT, TEXT])).toMatchObject(full);
  expect(await stored(cleo)).toHaveLength(1);
  expect(await putFiles(cleo, [TEXT])).toMatchObject({ status: 200 });
  expect(await putFiles(cleo, [TEXT])).toMatchObject(full);
}, 60_000);

it('deleting a context file takes its creator or a manager, and waits for the processing', async () => {
  const manager = await api.signIn('acme', { role: 'manager' });
  const { body } = await putFiles(ada, [TEXT, { ...TEXT, name: 'b.txt' }]);
  const [one, two] = (body['files'] as ListedFile[]).map(({ id }) => id);
  const remove = (id: string | undefined, by = ada): Promise<TestResponse> =>
    by.delete(`/secure/contextfiles/${String(id)}?permanent=true`);
  expect(await remove(one)).toMatchObject({ status: 409, body: { message: 'file is still processing' } });
  await api.drain();
  expect(await remove(one)).toMatchObject({ status: 200 });
  expect(await remove(one)).toMatchObject({ status: 404 });
  expect(await remove(two, manager)).toMatchObject({ status: 200, body: { error: false } });
  await expectNothingKept();
});

it('what a died process left is swept when no record names it, and only then', async () => {
  const dora = await api.signIn('umbrella');
  await processed(api, dora, [TEXT]);
  const key = { companyId: asId<CompanyId>(dora.companyId), area: 'documents', name: 'orphan' } as const;
  await api.get(ObjectStore).write(key, Readable.from(['nobody knows me']), 100);
  await api.get(DocumentSweeper).sweep(new Date(Date.now() - 60_000));
  expect(await stored(dora)).toHaveLength(2);
  await api.get(DocumentSweeper).sweep(new Date(Date.now() + 60_000));
  const left = await stored(dora);
  expect(left).toHaveLength(1);
  expect(left).not.toContain('orphan');
});

/** A request of which what is written is sent. */
function putRaw(headers: Record<string, string> = {}): ClientRequest {
  const sender = request(`${api.url}/api/v1/secure/contextfiles`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${String(ada.token)}`, ...FORM, ...headers },
  });
  return sender.on('error', () => undefined);
}
