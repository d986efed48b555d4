import { expect } from 'vitest';
import { historyOf, runTask } from '../api/agent-world.js';
import { createTask } from '../api/world.builder.js';
import { eventually } from '../support/eventually.js';
import type { TestClient } from '../support/test-client.js';
import { ask, endedImport, RECOVERED_MS } from './chaos.installation.js';

/** Every one of them has all its rows, each once. */
export async function expectImported(client: TestClient, ids: readonly string[], rows: number): Promise<void> {
  for (const id of ids) {
    const ready = { doc_count: rows, import: { status: 'ready', error: null } };
    expect(await endedImport(client, id)).toMatchObject(ready);
  }
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
    const runs = await eventually(
      () => historyOf(client, task),
      (all) => all.length > 0 && all.every(({ status }) => status !== 'running'),
      RECOVERED_MS,
    );
    expect(runs).toMatchObject([{ status: 'done', error: null }]);
  }
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
