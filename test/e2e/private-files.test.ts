import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { putFiles } from '../api/context-files.builder.js';
import { eventually } from '../support/eventually.js';
import { ServiceProcess, signIn, WITH_ADMIN } from '../support/service-process.js';
import type { TestClient } from '../support/test-client.js';

const CSV = [
  'device,at,value',
  ...Array.from({ length: 400 }, (_, row) => `d${row % 4},2024-01-01 0${row % 10}:00:${(row % 50) + 10},${row}`),
  'd1,no time at all,1',
].join('\n');

let folder: string;
let before: number;
beforeAll(async () => {
  // What most shells allow.
  before = process.umask(0o022);
  folder = await mkdtemp(join(tmpdir(), 'das-private-'));
  await chmod(folder, 0o755);
});
afterAll(async () => {
  process.umask(before);
  await rm(folder, { recursive: true, force: true });
});

async function openToOthers(): Promise<readonly string[]> {
  const found: string[] = [];
  for (const name of ['.', ...(await readdir(folder, { recursive: true }))]) {
    // What is gone meanwhile is open to nobody.
    const mode = await stat(join(folder, name)).then(
      (entry) => entry.mode & 0o077,
      () => 0,
    );
    if (mode !== 0) found.push(`${name} ${mode.toString(8)}`);
  }
  return found;
}

async function everyKindOfWork(client: TestClient): Promise<void> {
  const { body: upload } = await client.upload(CSV);
  const { body } = await client.put('/secure/datasource', {
    ...{ name: 'Private', type: 'csv', filename: upload['filename'] },
    config: { is_timeseries: true, timefield: 'at', metafield: 'device' },
  });
  const id = String(body['datasource_id']);
  await eventually(
    async () => (await client.get(`/secure/datasource?id=${id}`)).body['datasource'] as { doc_count: number },
    ({ doc_count: rows }) => rows === 400,
  );
  const data = [{ device: 'd1', at: '2024-01-02 00:00:00', value: '1' }];
  expect(await client.patch('/secure/datasource/insert', { datasource_id: id, data })).toMatchObject({ status: 200 });
  expect(await putFiles(client, [{ name: 'a.txt', content: 'The pump is serviced.' }])).toMatchObject({ status: 200 });
  const { body: conversation } = await client.post('/secure/assistant/conversation', { title: 'x', datasource_id: id });
  const asked = await client.post('/secure/assistant/chat', {
    conversation_id: conversation['id'],
    message: 'show a bar chart of the average value by device',
  });
  expect(asked.body['response']).toMatchObject({ visualization: expect.stringMatching(/\.png$/) as unknown });
  expect(await client.bytes(`/secure/datasource/export?id=${id}`)).toMatchObject({ status: 200 });
}

it('everything in the data folder is for its owner alone, whatever the shell allows that starts the service', async () => {
  await using service = await ServiceProcess.start({ DATA_DIR: folder, ...WITH_ADMIN });
  await everyKindOfWork(await signIn(service));
  expect(await openToOthers()).toEqual([]);
  await service.stop();
  expect(await openToOthers()).toEqual([]);
  const areas = (await readdir(folder, { recursive: true })).join('\n');
  expect(areas).toMatch(/^jwt-secret$/m);

  const other = join(folder, 'made by the command');
  const admin = ['dist/admin.js', 'company:create', '--name', 'Acme'];
  const env = { PATH: process.env['PATH'], DATA_DIR: other, LOG_LEVEL: 'fatal' };
  await promisify(execFile)(process.execPath, admin, { env });
  expect((await readdir(other)).length).toBeGreaterThan(0);
  expect(await openToOthers()).toEqual([]);
}, 120_000);
