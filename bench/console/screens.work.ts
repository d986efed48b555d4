import { eventually } from '../../test/support/eventually.js';
import type { Client } from '../../client/src/index.js';
import type { Visitor } from '../../test/browser/visitor.js';

/** A page to be pictured. */
export interface Scene {
  readonly name: string;
  readonly path: string;
  /** Resolves when the page shows what it is about. */
  readonly ready: (visitor: Visitor) => Promise<unknown>;
}

const HANDBOOK = 'Rain is measured in millimetres at 9 in the morning.\n\nA rainy day is one with at least 0.2 mm.';

/** The assistant, files, tasks and the company, on a datasource of the weather. */
export async function workScenes(client: Client, weather: string): Promise<readonly Scene[]> {
  const conversation = await answered(client, weather, ['How many rows per weather?', 'Average temp_max by month']);
  await client.uploadContextFiles([new File([HANDBOOK], 'handbook.txt'), new File(['x'.repeat(400)], 'notes.txt')]);
  const task = await reported(client, weather);
  const chart = ({ page }: Visitor): Promise<void> =>
    page
      .getByRole('img', { name: /^Chart/ })
      .locator('svg')
      .last()
      .waitFor();
  return [
    { name: 'assistant', path: '/assistant', ready: (visitor) => visitor.sees('Weather talk') },
    { name: 'conversation', path: `/assistant/${conversation}`, ready: chart },
    { name: 'files', path: '/files', ready: (visitor) => visitor.sees('handbook.txt') },
    { name: 'tasks', path: '/tasks', ready: (visitor) => visitor.sees('Weather report') },
    { name: 'new-task', path: '/tasks/new', ready: (visitor) => visitor.title('New task').waitFor() },
    { name: 'task', path: `/tasks/${task}`, ready: (visitor) => visitor.sees('What was asked') },
    { name: 'users', path: '/users', ready: (visitor) => visitor.title('Users').waitFor() },
    { name: 'api-keys', path: '/api-keys', ready: (visitor) => visitor.sees('No keys yet') },
    { name: 'settings', path: '/settings', ready: (visitor) => visitor.sees('The built-in analyst answers') },
  ];
}

async function answered(client: Client, datasource: string, questions: readonly string[]): Promise<string> {
  const body = { title: 'Weather talk', datasource_id: datasource };
  const { id } = await client.call(client.api.POST('/api/v1/secure/assistant/conversation', { body }));
  for (const message of questions)
    await client.call(client.api.POST('/api/v1/secure/assistant/chat', { body: { conversation_id: id, message } }));
  return id;
}

async function reported(client: Client, datasource: string): Promise<string> {
  const { task } = await client.call(
    client.api.POST('/api/v1/secure/agent/task', {
      body: {
        name: 'Weather report',
        prompt: 'Average temp_max by location; total precipitation per year',
        datasources: [datasource],
        mode: 'report',
        automation_enabled: true,
        automation_interval: 120,
        condition: { type: 'new_data' },
      },
    }),
  );
  const params = { path: { task_id: task.id } };
  await client.call(client.api.GET('/api/v1/secure/agent/task/run/{task_id}', { params }));
  await eventually(
    async () => (await client.call(client.api.GET('/api/v1/secure/agent/task/{task_id}', { params }))).task.status,
    (status) => status !== 'running',
    60_000,
  );
  return task.id;
}
