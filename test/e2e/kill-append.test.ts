import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { ServiceProcess, signIn, WITH_ADMIN } from '../support/service-process.js';
import type { TestClient } from '../support/test-client.js';
import { notApplicable, SHARED_SERVERS } from '../support/way.js';

const ROWS = 20_000;
/** In a file that is added; half of them have keys that are there already. */
const MORE = 20_000;
/** Milliseconds after the answer. */
const MOMENTS = process.env['TEST_LONG'] === '1' ? Array.from({ length: 60 }, (_, at) => at * 50) : [0, 900];

function csv(from: number, count: number): string {
  const lines = Array.from({ length: count }, (_, row) => {
    const at = new Date(Date.UTC(2024, 0, 1) + (from + row) * 1000).toISOString().slice(0, 19);
    return `${from + row},device-${row % 50},${at},${row % 1000}`;
  });
  return ['id,device,at,value', ...lines].join('\n');
}

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'das-kill-append-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function start(): Promise<{ readonly service: ServiceProcess; readonly client: TestClient }> {
  const service = await ServiceProcess.start({ DATA_DIR: folder, ...WITH_ADMIN });
  return { service, client: await signIn(service) };
}

interface Look {
  readonly updating: boolean;
  readonly doc_count: number;
  readonly import: object;
}

function settled(client: TestClient, id: string): Promise<Look> {
  return eventually(
    async () => (await client.get(`/secure/datasource?id=${id}`)).body['datasource'] as Look,
    ({ updating }) => !updating,
    90_000,
  );
}

async function countOf(client: TestClient, id: string): Promise<number> {
  const query = 'SELECT count(*) FROM data';
  const { status, body } = await client.post('/secure/data/query', { datasource_id: id, query });
  expect({ status, message: body['message'] }).toMatchObject({ status: 200 });
  return (body['rows'] as [[number]])[0][0];
}

async function upload(client: TestClient, text: string): Promise<string> {
  return String((await client.upload(text)).body['filename']);
}

const elsewhere = notApplicable(SHARED_SERVERS, 'it kills the process at the files of its own engines');

describe.skipIf(elsewhere)(`after each of ${MOMENTS.length} kills while a file is added`, () => {
  it(
    'the earlier rows are whole, and the file is added once',
    async () => {
      let { service, client } = await start();
      const config = { is_timeseries: true, timefield: 'at', metafield: 'device' };
      const first = { name: 'Killed', type: 'csv', filename: await upload(client, csv(0, ROWS)), config };
      const id = String((await client.put('/secure/datasource', first)).body['datasource_id']);
      await settled(client, id);
      let [rows, nextId] = [ROWS, ROWS];
      for (const [round, moment] of MOMENTS.entries()) {
        // Half of the ids are there already: with keys they are replaced, without keys they are there twice.
        const keys = round % 2 === 0 ? ['id'] : [];
        const filename = await upload(client, csv(nextId - MORE / 2, MORE));
        const { status } = await client.post('/secure/datasource/append', { datasource_id: id, filename, keys });
        expect(status).toBe(200);
        await new Promise((wake) => setTimeout(wake, moment));
        await service.kill();

        ({ service, client } = await start());
        const after = rows + (keys.length > 0 ? MORE / 2 : MORE);
        // Whatever is done by now: all or nothing.
        expect([rows, after]).toContain(await countOf(client, id));
        const replaced = keys.length > 0 ? MORE / 2 : 0;
        expect(await settled(client, id)).toMatchObject({
          doc_count: after,
          import: { status: 'ready', rows: MORE, added: MORE - replaced, replaced },
        });
        expect(await countOf(client, id)).toBe(after);
        rows = after;
        nextId += MORE / 2;
      }
      await service.stop();
    },
    60_000 + MOMENTS.length * 60_000,
  );
});
