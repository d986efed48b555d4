import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { ManualClock } from '../support/manual-clock.js';
import { ADMIN, ServiceProcess, signIn, WITH_ADMIN } from '../support/service-process.js';
import { startTestApi } from '../support/test-api.js';
import { TestClient } from '../support/test-client.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';

const ROWS = 20_000;
const KILLS = process.env['TEST_LONG'] === '1' ? 40 : 1;
/** A fetch of so many rows and its import are done by then. */
const LATEST_KILL_MS = 2_400;

/** Every generation is known by its one value, so that half of one would be seen. */
function csvOf(generation: number): string {
  const lines = Array.from({ length: ROWS + generation }, (_, row) => {
    const at = new Date(Date.UTC(2024, 0, 1, 0, 0, row)).toISOString().slice(0, 19);
    return `device-${row % 50},${at},${generation}`;
  });
  return `device,at,value\n${lines.join('\n')}\n`;
}

interface Datasource {
  readonly updating: boolean;
  readonly doc_count: number;
  readonly import: { readonly status: string };
}

let folder: string;
let files: WebhookReceiver;
let running: ServiceProcess | null = null;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'das-places-kill-'));
  files = await WebhookReceiver.start('127.0.0.1');
});
afterEach(async () => {
  await running?.[Symbol.asyncDispose]();
  await files[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const VARIABLES = {
  PLACE_NETWORKS: '127.0.0.1',
  JWT_SECRET: randomBytes(32).toString('hex'),
  ...WITH_ADMIN,
};

/** By the clock of this service it was made one and a half days ago, to be fetched every day: its turn has come when the next one starts. */
async function madeEarlier(): Promise<string> {
  const clock = new ManualClock(new Date(Date.now() - 36 * 3_600_000));
  await using api = await startTestApi({ dataDir: folder, environment: VARIABLES, clock });
  const ada = await TestClient.signIn(api.url, ADMIN.email, ADMIN.password);
  const place = { kind: 'https', address: `https://127.0.0.1:${files.port}/rows.csv`, ca: files.certificate.cert };
  const { filename } = (await ada.post('/secure/datasource/fetch', place)).body;
  const config = { metafield: 'device', timefield: 'at', values: ['value'] };
  const { body } = await ada.put('/secure/datasource', { name: 'Killed', type: 'csv', filename, config });
  await api.drain();
  const id = String(body['datasource_id']);
  expect(await ada.patch('/secure/datasource/place', { id, every_minutes: 1440 })).toMatchObject({ status: 200 });
  return id;
}

async function start(): Promise<{ readonly service: ServiceProcess; readonly ada: TestClient }> {
  const service = await ServiceProcess.start({ DATA_DIR: folder, ...VARIABLES });
  running = service;
  return { service, ada: await signIn(service) };
}

function sends(generation: number): void {
  const text = csvOf(generation);
  files.answer = (response) => response.end(text);
}

async function settled(ada: TestClient, id: string): Promise<Datasource> {
  return eventually(
    async () => (await ada.get(`/secure/datasource?id=${id}`)).body['datasource'] as Datasource,
    ({ updating }) => !updating,
    60_000,
  );
}

describe('a service that is killed while it fetches again', () => {
  it(
    'has the rows before or the rows after, whole, and ends with those after',
    { timeout: 180_000 + KILLS * 60_000 },
    async () => {
      sends(0);
      const id = await madeEarlier();
      sends(1);
      let { service, ada } = await start();
      for (let generation = 1; generation <= KILLS; generation += 1) {
        sends(generation);
        // The first one is the schedule's.
        if (generation > 1) expect(await ada.post('/secure/datasource/refetch', { id })).toMatchObject({ status: 200 });
        await new Promise((resolve) => setTimeout(resolve, (generation * LATEST_KILL_MS) / (KILLS + 1)));
        await service.kill();

        ({ service, ada } = await start());
        const query = 'SELECT min(value), max(value), count(*) FROM data';
        const { body } = await ada.post('/secure/data/query', { datasource_id: id, query });
        const whole = [generation - 1, generation].map((each) => [each, each, ROWS + each]);
        expect(whole).toContainEqual((body['rows'] as unknown[])[0]);
        expect(await settled(ada, id)).toMatchObject({ doc_count: ROWS + generation, import: { status: 'ready' } });
      }

      // What the kills left is swept at the next start.
      await service.kill();
      await start();
      const left = await readdir(join(folder, 'objects'), { recursive: true });
      expect(left.filter((name) => /uploads\/[^/]+\.csv/.test(name))).toEqual([]);
    },
  );
});
