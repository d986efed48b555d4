import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { aDatasourceBody, importedDatasource } from '../api/world.builder.js';
import { RawUpload, statusOf } from '../support/raw-upload.js';
import { SmallDisk } from '../support/small-disk.js';
import { startTestApi, type TestApi } from '../support/test-api.js';
import type { TestClient, TestResponse } from '../support/test-client.js';
import { notApplicable, SHARED_SERVERS } from '../support/way.js';

const MIB = 1024 ** 2;
const elsewhere = notApplicable(SHARED_SERVERS, 'what is stored is on the disks of servers');
const disk = elsewhere ? null : SmallDisk.mount(64);

const FEW = 'device,at,value\nd1,2024-01-01 00:00:00,1\nd2,2024-01-01 01:00:00,2\n';
/** 4 MiB. */
const MANY = `device,at,value,note\n${Array.from({ length: 40_000 }, (_, row) => {
  const at = new Date(Date.UTC(2024, 0, 1, 0, 0, row)).toISOString().slice(0, 19).replace('T', ' ');
  return `device-${row % 50},${at},${row},${Math.sin(row)}${'x'.repeat(50)}`;
}).join('\n')}\n`;

describe.skipIf(disk === null)('on a disk that is full', () => {
  let api: TestApi;
  let ada: TestClient;
  let old: string;

  beforeAll(async () => {
    api = await startTestApi({ dataDir: disk!.path, environment: { STORAGE_RESERVE_MB: '0' } });
    ada = await api.signIn('acme');
    old = await importedDatasource(api, ada, FEW);
  });
  afterEach(() => disk!.empty());
  afterAll(async () => {
    await api[Symbol.asyncDispose]();
    await disk![Symbol.asyncDispose]();
  });

  async function uploadedFiles(): Promise<readonly string[]> {
    const all = await readdir(join(disk!.path, 'objects'), { recursive: true, withFileTypes: true });
    return all.filter((entry) => entry.isFile() && !entry.name.endsWith('~crc32')).map(({ name }) => name);
  }

  async function valuesOf(id: string): Promise<readonly number[]> {
    const { status, body } = await ada.post('/secure/data/plot', { datasource_id: id, value: 'value', points: 10_000 });
    expect(status).toBe(200);
    return (body['data'] as { value: number }[]).map(({ value }) => value);
  }

  async function look(id: string): Promise<unknown> {
    return (await ada.get(`/secure/datasource?id=${id}`)).body['datasource'];
  }

  function insert(id: string, value: number, rows = 20): Promise<TestResponse> {
    const row = { device: 'd1', at: '2024-02-01 00:00:00', value };
    return ada.patch('/secure/datasource/insert', { datasource_id: id, data: Array.from({ length: rows }, () => row) });
  }

  it('an upload is refused or broken off, without a trace, and goes when there is room', async () => {
    const before = await uploadedFiles();
    await disk!.fill(2 * MIB);
    expect(await ada.upload(MANY)).toMatchObject({ status: 507, body: { message: 'no room left on the storage' } });
    const unknown = new RawUpload(ada, MANY, { announced: null });
    await unknown.send();
    expect(statusOf(await unknown.answer)).toBe(507);
    expect(await uploadedFiles()).toEqual(before);
    expect(await disk!.freeBytes()).toBeGreaterThan(MIB);

    await disk!.empty();
    const { status, body } = await ada.upload(MANY);
    expect(status).toBe(200);
    await ada.delete('/secure/datasource/upload', { filename: body['filename'] });
  });

  it('an import fails with a sentence, leaves nothing, and the rows of others are still read', async () => {
    const { body: upload } = await ada.upload(MANY);
    await disk!.fill(1.5 * MIB);
    const { status, body } = await ada.put('/secure/datasource', aDatasourceBody(String(upload['filename'])));
    expect(status).toBe(200);
    const id = String(body['datasource_id']);
    expect(await valuesOf(old)).toEqual([1, 2]);
    const error = expect.stringMatching(/no room|not enough room|space/) as string;
    const failed = { updating: false, doc_count: 0, import: { status: 'failed', error } };
    await expect.poll(() => look(id)).toMatchObject(failed);
    await api.drain();
    const kept = await readdir(join(disk!.path, 'objects', ada.companyId, 'rows'));
    expect(kept.map((name) => name.split('.')[0])).toEqual([old]);
    expect(await readdir(join(disk!.path, 'rows', 'work'))).toEqual([]);
    expect(await valuesOf(old)).toEqual([1, 2]);

    await disk!.empty();
    const again = await importedDatasource(api, ada, MANY);
    expect(await look(again)).toMatchObject({ doc_count: 40_000, import: { status: 'ready' } });
    await ada.delete('/secure/datasource', { id: again, permanent: true });
    await ada.delete('/secure/datasource', { id, permanent: true });
    await api.drain();
  });

  it('insertions are refused, every acknowledged row is there once, and they go on when there is room', async () => {
    const id = await importedDatasource(api, ada, FEW);
    const acknowledged: number[] = [];
    const add = async (value: number): Promise<number> => {
      const { status } = await insert(id, value);
      if (status === 200) acknowledged.push(value);
      return status;
    };
    for (let value = 10; value < 15; value += 1) expect(await add(value)).toBe(200);
    await disk!.fill();
    const statuses: number[] = [];
    for (let value = 15; value < 400 && statuses.filter((status) => status !== 200).length < 5; value += 1) {
      statuses.push(await add(value));
      await disk!.fill();
    }
    expect(statuses.filter((status) => status !== 200).length).toBe(5);
    expect(statuses.every((status) => [200, 503, 507].includes(status))).toBe(true);

    await disk!.empty();
    await expect.poll(() => add(1000)).toBe(200);
    const stored = await valuesOf(id);
    for (const value of acknowledged) expect(stored.filter((one) => one === value)).toHaveLength(20);
    // A batch that was refused is there whole or not at all.
    for (const value of new Set(stored.slice(2))) expect(stored.filter((one) => one === value).length % 20).toBe(0);
    await expect.poll(() => look(id)).toMatchObject({ doc_count: stored.length });
  });

  it('documents are refused, those that were acknowledged are there, and they are written again when there is room', async () => {
    const create = (name: string): Promise<TestResponse> =>
      ada.post('/secure/agent/task', { name, prompt: 'x'.repeat(8_000), datasources: [old] });
    const namesOfTasks = async (): Promise<readonly string[]> => {
      const { status, body } = await ada.get('/secure/agent/tasks?page_size=100');
      expect(status).toBe(200);
      return (body['tasks'] as { name: string }[]).map(({ name }) => name);
    };
    const acknowledged: string[] = [];
    const refused: number[] = [];
    await disk!.fill();
    for (let number = 0; number < 90 && refused.length < 5; number += 1) {
      const { status } = await create(`task ${number}`);
      if (status === 200) acknowledged.push(`task ${number}`);
      else refused.push(status);
      await disk!.fill();
    }
    expect(refused).toHaveLength(5);
    expect(refused.every((status) => status === 503 || status === 507)).toBe(true);
    expect([...(await namesOfTasks())].sort()).toEqual([...acknowledged].sort());

    await disk!.empty();
    expect(await create('room again')).toMatchObject({ status: 200 });
    expect(await namesOfTasks()).toContain('room again');
  });
});
