import { strToU8, zipSync } from 'fflate';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { ObjectStore } from '../../src/ports/object-store.js';
import { eventually } from '../support/eventually.js';
import { RawUpload, statusOf } from '../support/raw-upload.js';
import { storedObjects } from '../support/stored-objects.js';
import { startTestApi, type TestApi } from '../support/test-api.js';
import type { TestClient } from '../support/test-client.js';
import { importingDatasource } from './world.builder.js';

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;
const LINE = 'd1,2024-01-01 00:00:00,1\n';

/** About so many bytes of rows. */
function rows(bytes: number): string {
  return `device,at,value\n${LINE.repeat(Math.ceil(bytes / LINE.length))}`;
}

/** What an upload of this length is told before any of it is sent; 0: nothing, it may go on. */
async function refusalOf(client: TestClient, announced: number): Promise<number> {
  const upload = new RawUpload(client, '', { announced });
  const answer = await Promise.race([upload.answer, new Promise<string>((wake) => setTimeout(wake, 300, ''))]);
  await upload.cut();
  return statusOf(answer);
}

const storedFiles = (api: TestApi): Promise<readonly string[]> => storedObjects(api.dataDir);

/** Begins an upload, and waits until it was let in: before that, another could be in its place. */
async function letIn(api: TestApi, upload: RawUpload, sent: number): Promise<void> {
  const before = (await storedFiles(api)).length;
  await upload.send(0, sent);
  await eventually(
    async () => (await storedFiles(api)).length,
    (files) => files > before,
  );
}

it('on a disk that is nearly full an upload must fit beside the others of its company, which keep nobody else waiting', async () => {
  await using api = await startTestApi();
  // The real one has as much room as others leave it.
  api.get(ObjectStore).check = () => Promise.resolve({ freeBytes: 400 * MIB });
  const ada = await api.signIn('acme');
  // Before a byte of it is sent; what is over the limit of all uploads is told that.
  const large = await new RawUpload(ada, '', { announced: 3 * GIB }).answer;
  expect(statusOf(large)).toBe(507);
  expect(large).toContain('no room left on the storage');
  expect(statusOf(await new RawUpload(ada, '', { announced: 11 * GIB }).answer)).toBe(413);

  const first = new RawUpload(ada, rows(1000), { announced: 250 * MIB });
  await letIn(api, first, 500);
  const second = (): Promise<number> => refusalOf(ada, 250 * MIB);
  await eventually(second, (status) => status === 507);
  expect(await refusalOf(await api.signIn('globex'), 250 * MIB)).toBe(0);
  await first.cut();
  await eventually(second, (status) => status === 0);
});

it('on a disk without any room beside the reserve nothing is taken, whether its length is known or not', async () => {
  await using api = await startTestApi({ environment: { STORAGE_RESERVE_MB: '1000000' } });
  const ada = await api.signIn('acme');
  expect(await ada.upload(rows(1000))).toMatchObject({ status: 507, body: { error: true } });
  const upload = new RawUpload(ada, rows(1000), { announced: null });
  await upload.send();
  expect(statusOf(await upload.answer)).toBe(507);
  expect(await storedFiles(api)).toEqual([]);
});

describe('a company with a quota', async () => {
  const BIG = rows(700_000);
  const api = await startTestApi({ environment: { STORAGE_QUOTA_GIB: '0.001' } });
  afterAll(() => api[Symbol.asyncDispose]());
  afterEach(() => api.drain());

  let companies = 0;
  const aCompany = (): Promise<TestClient> => api.signIn(`company-${(companies += 1)}`);

  it('is told what is used and allowed when an upload would be too much, and gets its room back', async () => {
    const ada = await aCompany();
    const first = await ada.upload(BIG);
    expect(first.status).toBe(200);
    const message =
      "no room left for this upload: 683.6 KiB of 1 MiB are used by the company's uploads and datasources, with those in the bin";
    expect(await ada.upload(BIG)).toMatchObject({ status: 507, body: { message } });
    expect(await ada.upload(rows(200_000))).toMatchObject({ status: 200 });
    expect(await (await aCompany()).upload(BIG)).toMatchObject({ status: 200 });
    await ada.delete('/secure/datasource/upload', { filename: first.body['filename'] });
    expect(await ada.upload(BIG)).toMatchObject({ status: 200 });
  });

  it('has a datasource counted until it is gone, also while it is being imported and in the bin', async () => {
    const ada = await aCompany();
    const id = await importingDatasource(ada, BIG);
    expect(await ada.upload(BIG)).toMatchObject({ status: 507 });
    await api.drain();
    expect(await ada.upload(BIG)).toMatchObject({ status: 507 });
    await ada.delete('/secure/datasource', { id });
    expect(await ada.upload(BIG)).toMatchObject({ status: 507 });
    expect(await ada.delete(`/secure/bin/${id}`)).toMatchObject({ status: 200 });
    expect(await ada.upload(BIG)).toMatchObject({ status: 200 });
  });

  it('has an archive counted as what is in it', async () => {
    const ada = await aCompany();
    const zipped = zipSync({ 'a.csv': strToU8(rows(600_000)), 'b.csv': strToU8(rows(600_000)) });
    expect(zipped.length).toBeLessThan(100_000);
    expect(await ada.upload(zipped, 'a.zip')).toMatchObject({ status: 507 });
    expect(await ada.upload(zipSync({ 'a.csv': strToU8(rows(600_000)) }), 'a.zip')).toMatchObject({ status: 200 });
    expect(await ada.upload(rows(600_000))).toMatchObject({ status: 507 });
  });

  it('can not get past it with uploads of unknown length at once', async () => {
    const before = (await storedFiles(api)).length;
    const ada = await aCompany();
    const uploads = Array.from({ length: 4 }, () => new RawUpload(ada, BIG, { announced: null }));
    await Promise.all(uploads.map((upload) => upload.send()));
    const statuses = (await Promise.all(uploads.map(({ answer }) => answer))).map(statusOf).sort();
    expect([[200, 507, 507, 507].join(), [507, 507, 507, 507].join()]).toContain(statuses.join());
    expect((await storedFiles(api)).length - before).toBe(statuses.filter((status) => status === 200).length);
    expect(await ada.upload(rows(900_000))).toMatchObject({ status: statuses.includes(200) ? 507 : 200 });
  });
});
