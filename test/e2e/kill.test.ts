import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UploadSweeper } from '../../src/features/datasource/upload/upload.sweeper.js';
import { eventually } from '../support/eventually.js';
import { RawUpload } from '../support/raw-upload.js';
import { ServiceProcess, signIn, WITH_ADMIN } from '../support/service-process.js';
import { startTestApi } from '../support/test-api.js';
import type { TestClient } from '../support/test-client.js';
import { notApplicable, SHARED_SERVERS } from '../support/way.js';

const KILLS = process.env['TEST_LONG'] === '1' ? 250 : 2;
const SEED = Number(process.env['TEST_SEED'] ?? 20_261_120);
/** By then all that a round begins is done. */
const LATEST_KILL_MS = 1_000;
const ROWS = 10_000;

const CSV = [
  'device,at,value',
  ...Array.from({ length: ROWS }, (_, row) => {
    const at = new Date(Date.UTC(2024, 0, 1, 0, 0, row)).toISOString().slice(0, 19);
    return `device-${row % 50},${at},${row % 1000}`;
  }),
].join('\n');

/** The datasource that a file of rows belongs to. */
const OWNER = /rows\/([0-9a-f]{24})[.]\d+[.]/;
/** Drafts, part files, and uploads that are rows by now. */
const LEFT_OVER = /importing|job\.|\.part|objects\/.*\/uploads\/.+/;

interface DatasourceState {
  readonly id: string;
  readonly updating: boolean;
  readonly doc_count: number;
  readonly import: { readonly status: string; readonly error: string | null };
}

/** Each part of the time has a kill. */
function momentIn(part: number): fc.Arbitrary<number> {
  const [min, max] = [part, part + 1].map((end) => Math.floor((end * LATEST_KILL_MS) / KILLS));
  return fc.noBias(fc.integer({ min: min!, max: max! }));
}

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'das-kill-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function start(): Promise<ServiceProcess> {
  return ServiceProcess.start({ DATA_DIR: folder, ...WITH_ADMIN });
}

async function settledDatasources(client: TestClient): Promise<readonly DatasourceState[]> {
  return eventually(
    async () => (await client.get('/secure/datasources?page_size=100')).body['datasources'] as DatasourceState[],
    (all) => all.every(({ updating }) => !updating),
    90_000,
  );
}

/** What was promised by answers that arrived; what was asked without an answer may have been done or not. */
class Promises {
  /** Datasources that must be there. */
  readonly there = new Set<string>();
  readonly deleted = new Set<string>();
  /** Uploads that must still be usable. */
  readonly uploads: string[] = [];
  /** On a datasource that is never deleted. */
  conversation: { readonly id: string; readonly datasource: string } | null = null;

  expectKept(all: readonly DatasourceState[]): void {
    const ids = new Set(all.map(({ id }) => id));
    expect([...this.there].filter((id) => !ids.has(id))).toEqual([]);
    expect([...this.deleted].filter((id) => ids.has(id))).toEqual([]);
    for (const datasource of all) {
      expect(datasource).toMatchObject({ doc_count: ROWS, import: { status: 'ready', error: null } });
      // From now on its owner has seen it.
      this.there.add(datasource.id);
    }
  }
}

async function createFrom(client: TestClient, upload: string, promises: Promises): Promise<void> {
  const { status, body } = await client.put('/secure/datasource', {
    ...{ name: 'Killed', type: 'csv', filename: upload },
    config: { is_timeseries: true, timefield: 'at', metafield: 'device' },
  });
  expect(status).toBe(200);
  promises.there.add(String(body['datasource_id']));
}

async function upload(client: TestClient): Promise<string> {
  const { status, body } = await client.upload(CSV);
  expect(status).toBe(200);
  return String(body['filename']);
}

async function remove(client: TestClient, promises: Promises): Promise<void> {
  const id = [...promises.there].find((known) => known !== promises.conversation?.datasource);
  if (id === undefined || promises.there.size < 3) return;
  // Unless it is answered it may be there or not.
  promises.there.delete(id);
  expect((await client.delete('/secure/datasource', { id, permanent: true })).status).toBe(200);
  promises.deleted.add(id);
}

/** One that is never whole. */
async function sendSlowly(client: TestClient): Promise<void> {
  const sending = new RawUpload(client, CSV);
  for (let sent = 0; sent < sending.length - 100_000 && !sending.socket.destroyed; sent += 50_000) {
    await sending.send(sent, sent + 50_000);
    await new Promise((wake) => setTimeout(wake, 10));
  }
  await sending.answer;
}

async function ask(client: TestClient, { conversation }: Promises): Promise<void> {
  if (conversation === null) return;
  const question = { conversation_id: conversation.id, message: 'average value by device' };
  await client.post('/secure/assistant/chatstream', question);
}

/** Whoever got no answer was promised nothing. */
async function unlessCut(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!(error instanceof TypeError)) throw error;
  });
}

/** All that is going on when the power fails. */
function everythingAtOnce(client: TestClient, promises: Promises): Promise<unknown> {
  const known = promises.uploads.pop();
  const works = [
    known === undefined
      ? upload(client).then((key) => createFrom(client, key, promises))
      : createFrom(client, known, promises),
    upload(client).then((key) => promises.uploads.push(key)),
    remove(client, promises),
    sendSlowly(client),
  ];
  return Promise.all(works.map(unlessCut));
}

async function converse(client: TestClient, promises: Promises): Promise<void> {
  const [datasource] = promises.there;
  if (promises.conversation !== null || datasource === undefined) return;
  const { body } = await client.post('/secure/assistant/conversation', { title: 'x', datasource_id: datasource });
  promises.conversation = { id: String(body['id']), datasource };
}

/** A cut answer is in the history, as failed or as answered. */
async function expectCutAnswers(client: TestClient, { conversation }: Promises): Promise<void> {
  const { body } = await client.get(`/secure/assistant/history?conversation_id=${String(conversation?.id)}`);
  const history = body['history'] as { role: string; response?: { response: string; error?: string } }[];
  expect(history.length).toBeGreaterThan(2);
  for (const { response } of history.filter(({ role }) => role === 'assistant')) {
    expect(response!.error ?? response!.response).toMatch(/\w/);
  }
}

/** All that was stored of rows and uploads. */
async function storedFiles(): Promise<readonly string[]> {
  const all = await readdir(folder, { recursive: true, withFileTypes: true });
  return all.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}

const elsewhere = notApplicable(
  SHARED_SERVERS,
  'it kills the process at the files of its own engines; chaos.test.ts kills instances that share servers',
);

describe.skipIf(elsewhere)(`after each of ${KILLS} kills during imports, uploads, deletions and chats`, () => {
  const promises = new Promises();

  it(
    'nothing is stuck, and nothing that was acknowledged is lost',
    async () => {
      // The latest first, so that the earliest find something that is there.
      const all = fc.tuple(...Array.from({ length: KILLS }, (_, round) => momentIn(KILLS - 1 - round)));
      const [moments = []] = fc.sample(all, { numRuns: 1, seed: SEED });
      console.info(`the moments of the kills: TEST_SEED=${SEED}`);
      for (let round = 0; round <= KILLS; round += 1) {
        await using service = await start();
        const client = await signIn(service);
        promises.expectKept(await settledDatasources(client));
        if (promises.conversation !== null) {
          const { body } = await client.get(`/secure/assistant/conversation/${promises.conversation.id}`);
          expect(body['conversation']).toMatchObject({ status: 'ready' });
        }
        if (round === KILLS) {
          await expectCutAnswers(client, promises);
          break;
        }
        // However slow the machine is, there is a conversation that each kill cuts.
        if (round === 0) {
          await createFrom(client, await upload(client), promises);
          promises.expectKept(await settledDatasources(client));
        }
        await converse(client, promises);
        // However slow the machine is, one deletion is answered.
        if (round === KILLS - 1) {
          while (promises.there.size < 3) await createFrom(client, await upload(client), promises);
          await remove(client, promises);
        }
        const asked = unlessCut(ask(client, promises));
        const going = everythingAtOnce(client, promises);
        await new Promise((wake) => setTimeout(wake, moments[round]));
        // However slow the machine is, two questions have been taken.
        if (round < 2) await asked;
        await service.kill();
        await Promise.all([going, asked]);
      }
      expect(promises.deleted.size).toBeGreaterThan(0);
    },
    120_000 + KILLS * 60_000,
  );

  it('no half-made file is left, and after a day no upload that nobody used', async () => {
    const old = new Date(Date.now() - 2 * 86_400_000);
    for (const path of await storedFiles()) await utimes(path, old, old);
    await using api = await startTestApi({ dataDir: folder });
    await api.drain();
    api.clock.advance(25 * 3_600_000);
    await api.get(UploadSweeper).sweep();
    expect((await storedFiles()).filter((name) => LEFT_OVER.test(name))).toEqual([]);
    await eventually(
      async () => [...new Set((await storedFiles()).flatMap((name) => OWNER.exec(name)?.[1] ?? []))].sort().join(),
      (owners) => owners === [...promises.there].sort().join(),
    );
  }, 120_000);
});
