import { expect } from 'vitest';
import { historyOf, runTask } from '../api/agent-world.js';
import { createTask } from '../api/world.builder.js';
import { eventually } from '../support/eventually.js';
import { RawUpload } from '../support/raw-upload.js';
import type { TestClient } from '../support/test-client.js';
import {
  aConversation,
  beginImport,
  beginImportOf,
  csvOf,
  type DatasourceState,
  endedImport,
  IN_TIME,
  RECOVERED_MS,
  uploaded,
} from './sensors.builder.js';

const ROWS = 10_000;
const CSV = csvOf(ROWS);
const NAME = 'Killed';

/** What goes on when the power fails, and what its answers have promised. */
export abstract class Going {
  /** Resolves when the service has accepted it, and is at work. */
  abstract begin(client: TestClient, round: number): Promise<void>;

  /** Sends more and more; resolves when the service is gone. */
  go(_client: TestClient, _round: number): Promise<unknown> {
    return Promise.resolve();
  }

  /** When the service is back after so many kills: what was acknowledged is there, once, and nothing is stuck. */
  abstract expectKept(client: TestClient, kills: number): Promise<void>;
}

/** Imports, uploads, deletions, chats and runs. What was asked without an answer may have been done or not. */
export class Imports extends Going {
  /** Datasources that must be there. */
  readonly there = new Set<string>();
  readonly deleted = new Set<string>();
  /** Uploads that must still be usable. */
  private readonly uploads: string[] = [];
  /** Never deleted. */
  private datasource = '';
  private conversation = '';
  private task = '';

  constructor(private readonly kills: number) {
    super();
  }

  async begin(client: TestClient, round: number): Promise<void> {
    if (round === 0) await this.prepare(client);
    // However slow the machine is, one deletion is answered.
    if (round === this.kills - 1) {
      while (this.there.size < 3) this.there.add(await beginImport(client, CSV, NAME));
      await this.remove(client);
    }
    const question = { conversation_id: this.conversation, message: 'average temperature by device' };
    expect((await client.post('/secure/assistant/chatstream', question)).status).toBe(200);
    expect((await runTask(client, this.task)).status).toBe(200);
  }

  override go(client: TestClient): Promise<unknown> {
    const known = this.uploads.pop();
    const works = [
      known === undefined ? beginImport(client, CSV, NAME) : beginImportOf(client, known, NAME),
      uploaded(client, CSV).then((key) => this.uploads.push(key)),
      this.remove(client),
      sendSlowly(client),
    ] as const;
    return Promise.all([unlessCut(works[0].then((id) => this.there.add(id))), ...works.slice(1).map(unlessCut)]);
  }

  async expectKept(client: TestClient, kills: number): Promise<void> {
    const all = await settledDatasources(client);
    const ids = new Set(all.map(({ id }) => id));
    expect([...this.there].filter((id) => !ids.has(id))).toEqual([]);
    expect([...this.deleted].filter((id) => ids.has(id))).toEqual([]);
    for (const datasource of all) {
      expect(datasource).toMatchObject({ doc_count: ROWS, import: { status: 'ready', error: null } });
      // From now on its owner has seen it.
      this.there.add(datasource.id);
    }
    await this.expectAnswers(client);
    const runs = async (): Promise<unknown> =>
      (await historyOf(client, this.task, '?page_size=100')).map(({ status }) => status);
    await expect.poll(runs, IN_TIME).toEqual(Array(kills).fill('done'));
  }

  /** A cut answer is in the history, as failed or as answered. */
  private async expectAnswers(client: TestClient): Promise<void> {
    await eventually(
      () => client.get(`/secure/assistant/conversation/${this.conversation}`),
      ({ body }) => (body['conversation'] as { status: string }).status === 'ready',
    );
    const { body } = await client.get(`/secure/assistant/history?conversation_id=${this.conversation}`);
    const history = body['history'] as { role: string; response?: { response: string; error?: string } }[];
    const answers = history.filter(({ role }) => role === 'assistant');
    expect(answers.length).toBeGreaterThan(0);
    for (const { response } of answers) expect(response!.error ?? response!.response).toMatch(/\w/);
  }

  private async prepare(client: TestClient): Promise<void> {
    this.datasource = await beginImport(client, CSV, NAME);
    this.there.add(this.datasource);
    await endedImport(client, this.datasource);
    this.conversation = await aConversation(client, this.datasource);
    this.task = await createTask(client, this.datasource);
  }

  private async remove(client: TestClient): Promise<void> {
    const id = [...this.there].find((known) => known !== this.datasource);
    if (id === undefined || this.there.size < 3) return;
    // Unless it is answered it may be there or not.
    this.there.delete(id);
    expect((await client.delete('/secure/datasource', { id, permanent: true })).status).toBe(200);
    this.deleted.add(id);
  }
}

async function settledDatasources(client: TestClient): Promise<readonly DatasourceState[]> {
  const own = async (): Promise<readonly DatasourceState[]> => {
    const { body } = await client.get('/secure/datasources?page_size=100');
    return (body['datasources'] as DatasourceState[]).filter(({ name }) => name === NAME);
  };
  return eventually(own, (all) => all.every(({ updating }) => !updating), RECOVERED_MS);
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

/** Whoever got no answer was promised nothing. */
async function unlessCut(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!(error instanceof TypeError)) throw error;
  });
}
