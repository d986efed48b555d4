import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { ServiceProcess } from '../support/service-process.js';
import { TestClient } from '../support/test-client.js';

const KILLS = 12;
const ROWS = 60_000;
const SIGN_IN = { email: 'ada@example.com', password: 'a-long-password' };

const CSV = [
  'device,at,value',
  ...Array.from({ length: ROWS }, (_, row) => {
    const at = new Date(Date.UTC(2024, 0, 1, 0, 0, row)).toISOString().slice(0, 19);
    return `device-${row % 50},${at},${row % 1000}`;
  }),
].join('\n');

/** Drafts, part files, and uploads that are rows by now. */
const LEFT_OVER = /importing|job\.|\.part|objects\/.*\/uploads\/.+/;

interface DatasourceState {
  readonly id: string;
  readonly updating: boolean;
  readonly doc_count: number;
  readonly import: { readonly status: string; readonly error: string | null };
}

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'das-kill-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function start(): Promise<ServiceProcess> {
  return ServiceProcess.start({
    DATA_DIR: folder,
    BOOTSTRAP_EMAIL: SIGN_IN.email,
    BOOTSTRAP_PASSWORD: SIGN_IN.password,
    LOGIN_RATE_LIMIT: '0',
  });
}

async function datasources(client: TestClient): Promise<readonly DatasourceState[]> {
  const { body } = await client.get('/secure/datasources?page_size=100');
  return body['datasources'] as DatasourceState[];
}

async function create(client: TestClient): Promise<string> {
  const { body: upload } = await client.upload(CSV);
  const { body } = await client.put('/secure/datasource', {
    name: 'Killed',
    type: 'csv',
    filename: upload['filename'],
    config: { is_timeseries: true, timefield: 'at', metafield: 'device' },
  });
  return String(body['datasource_id']);
}

async function conversationOn(client: TestClient, datasource: string): Promise<string> {
  const { body } = await client.post('/secure/assistant/conversation', { title: 'x', datasource_id: datasource });
  return String(body['id']);
}

/** Asks without waiting: the answer is cut by the kill. */
async function askInVain(client: TestClient, conversation: string): Promise<void> {
  await client
    .post('/secure/assistant/chatstream', { conversation_id: conversation, message: 'average value by device' })
    .catch(() => undefined);
}

describe(`after each of ${KILLS} kills during an import and a chat`, () => {
  it('nothing is stuck, and nothing that was acknowledged is lost', async () => {
    const acknowledged: string[] = [];
    let conversation: string | null = null;
    for (let round = 0; round <= KILLS; round += 1) {
      await using service = await start();
      const client = await TestClient.signIn(service.url, SIGN_IN.email, SIGN_IN.password);

      const settled = await eventually(
        () => datasources(client),
        (all) => all.every(({ updating }) => !updating),
        90_000,
      );
      expect(settled.map(({ id }) => id).sort()).toEqual([...acknowledged].sort());
      for (const datasource of settled) {
        expect(datasource).toMatchObject({ doc_count: ROWS, import: { status: 'ready', error: null } });
      }
      if (conversation !== null) {
        const { body } = await client.get(`/secure/assistant/conversation/${conversation}`);
        expect(body['conversation']).toMatchObject({ status: 'ready' });
      }
      const ready = settled[0];
      if (ready !== undefined) conversation ??= await conversationOn(client, ready.id);
      if (round === KILLS) break;

      acknowledged.push(await create(client));
      if (conversation !== null) await askInVain(client, conversation);
      // Each kill meets the import at another moment.
      await new Promise((wake) => setTimeout(wake, round * 45));
      await service.kill();
    }
  }, 240_000);

  it('no half-made file is left', async () => {
    await using service = await start();
    const client = await TestClient.signIn(service.url, SIGN_IN.email, SIGN_IN.password);
    await eventually(
      () => datasources(client),
      (all) => all.every(({ updating }) => !updating),
      90_000,
    );
    // What was imported last is cleared away a moment after it is ready.
    await eventually(
      async () => (await readdir(folder, { recursive: true })).filter((name) => LEFT_OVER.test(name)),
      (left) => left.length === 0,
    );
    await service.stop();
  }, 120_000);

  it('a cut answer is in the history, as failed or as answered', async () => {
    await using service = await start();
    const client = await TestClient.signIn(service.url, SIGN_IN.email, SIGN_IN.password);
    const { body } = await client.get('/secure/assistant/conversations');
    const [conversation] = body['conversations'] as { _id: string }[];
    const { body: page } = await client.get(`/secure/assistant/history?conversation_id=${conversation!._id}`);
    const history = page['history'] as { role: string; response?: { response: string; error?: string } }[];
    expect(history.length).toBeGreaterThan(2);
    for (const { response } of history.filter(({ role }) => role === 'assistant')) {
      expect(response!.error === undefined ? response!.response : response!.error).toMatch(/\w/);
    }
    await service.stop();
  }, 60_000);
});
