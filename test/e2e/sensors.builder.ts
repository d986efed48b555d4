import { expect } from 'vitest';
import { historyOf, runTask } from '../api/agent-world.js';
import { createTask } from '../api/world.builder.js';
import { eventually } from '../support/eventually.js';
import type { TestClient } from '../support/test-client.js';

/** By then everything has been found again: a lease, a lock and a look of the reconciler. */
export const RECOVERED_MS = 100_000;
export const IN_TIME = { timeout: RECOVERED_MS };
const TIMED = { is_timeseries: true, timefield: 'at', metafield: 'device' };

export interface DatasourceState {
  readonly id: string;
  readonly name: string;
  readonly updating: boolean;
  readonly doc_count: number;
  readonly import: Readonly<Record<string, unknown>>;
}

/** Fifty sensors in turn, second by second. */
export function csvOf(rows: number, from = 0, temperature = (row: number): number => row % 1000): string {
  const lines = Array.from({ length: rows }, (_, at) => {
    const time = new Date(Date.UTC(2024, 0, 1, 0, 0, from + at)).toISOString().slice(0, 19);
    return `device-${at % 50},${time},${temperature(at)}`;
  });
  return ['device,at,temperature', ...lines].join('\n');
}

export async function uploaded(client: TestClient, csv: string): Promise<string> {
  const { status, body } = await client.upload(csv);
  expect(status).toBe(200);
  return String(body['filename']);
}

/** Asks for the import of an upload and does not wait for it. */
export async function beginImportOf(client: TestClient, filename: string, name = 'Sensors'): Promise<string> {
  const asked = { name, type: 'csv', filename, config: TIMED };
  const { status, body } = await client.put('/secure/datasource', asked);
  if (status !== 200) throw new Error(`not created: ${JSON.stringify(body)}`);
  return String(body['datasource_id']);
}

export async function beginImport(client: TestClient, csv: string, name?: string): Promise<string> {
  return beginImportOf(client, await uploaded(client, csv), name);
}

export async function datasourceOf(client: TestClient, id: string): Promise<DatasourceState> {
  return (await client.get(`/secure/datasource?id=${id}`)).body['datasource'] as DatasourceState;
}

/** The datasource when its import has ended. Meanwhile the document store may be away for a moment. */
export async function endedImport(client: TestClient, id: string): Promise<DatasourceState> {
  const seen = async (): Promise<DatasourceState | undefined> => datasourceOf(client, id);
  return (await eventually(seen, (datasource) => datasource?.updating === false, RECOVERED_MS))!;
}

/** Every one of them has all its rows, each once. */
export async function expectImported(client: TestClient, ids: readonly string[], rows: number): Promise<void> {
  for (const id of ids) {
    const ready = { doc_count: rows, import: { status: 'ready', error: null } };
    expect(await endedImport(client, id)).toMatchObject(ready);
  }
}

/** The one row that a query of a datasource has. */
export async function rowOf(client: TestClient, datasource: string, query: string): Promise<readonly unknown[]> {
  const { status, body } = await client.post('/secure/data/query', { datasource_id: datasource, query });
  expect({ status, message: body['message'] }).toMatchObject({ status: 200 });
  return (body['rows'] as [readonly unknown[]])[0];
}

export async function aConversation(client: TestClient, datasource: string): Promise<string> {
  const { body } = await client.post('/secure/assistant/conversation', { title: 'x', datasource_id: datasource });
  return String(body['id']);
}

export function ask(client: TestClient, conversation: string): ReturnType<TestClient['post']> {
  const question = { conversation_id: conversation, message: 'average temperature by device' };
  return client.post('/secure/assistant/chat', question);
}

/** The conversation is not busy for ever, and answers. */
export async function expectAnswer(client: TestClient, conversation: string): Promise<void> {
  const answer = await eventually(
    () => ask(client, conversation),
    ({ status }) => status !== 409,
    RECOVERED_MS,
  );
  expect(answer).toMatchObject({ status: 200 });
}

/** Tasks that run once each; resolves when all were accepted. */
export async function beginRuns(client: TestClient, datasource: string, count: number): Promise<readonly string[]> {
  const tasks: string[] = [];
  for (let n = 0; n < count; n += 1) tasks.push(await createTask(client, datasource));
  const answers = await Promise.all(tasks.map((task) => runTask(client, task)));
  expect(answers.map(({ status }) => status)).toEqual(tasks.map(() => 200));
  return tasks;
}

/** Every task was run once, to its end. */
export async function expectRunOnce(client: TestClient, tasks: readonly string[]): Promise<void> {
  for (const task of tasks) {
    await expect.poll(() => historyOf(client, task), IN_TIME).toMatchObject([{ status: 'done', error: null }]);
  }
}
