import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { ImageSweeper } from '../../src/answering/image-sweeper.js';
import { ObjectStore } from '../../src/ports/object-store.js';
import { asId, type CompanyId } from '../../src/shared/ids.js';
import { startTestApi } from '../support/test-api.js';
import type { TestClient } from '../support/test-client.js';
import { createTask, importedDatasource, openConversation } from './world.builder.js';

const DAY = 86_400_000;

async function imageOfAnswer(client: TestClient, conversation: string, fields: object = {}): Promise<string> {
  const { body } = await client.post('/secure/assistant/chat', {
    conversation_id: conversation,
    message: 'average temperature by device',
    ...fields,
  });
  const { visualization } = body['response'] as { visualization: string };
  expect(visualization).not.toBe('');
  return visualization;
}

it('images that no message and no run shows are gone after a week, all others stay', async () => {
  await using api = await startTestApi();
  const ada = await api.signIn('acme');
  const datasource = await importedDatasource(api, ada);
  const conversation = await openConversation(ada, datasource);
  const kept = await imageOfAnswer(ada, conversation);
  const unkept = await imageOfAnswer(ada, conversation, { skip_save_history: true });
  const task = await createTask(ada, datasource, { prompt: 'Chart the average temperature by device' });
  await ada.get(`/secure/agent/task/run/${task}`);
  await api.drain();

  const objects = api.get(ObjectStore);
  const stored = async (): Promise<readonly string[]> => {
    const names: string[] = [];
    for (const area of ['charts', 'images'] as const)
      for await (const { key } of objects.list(area)) names.push(key.name);
    return names.sort();
  };
  const ofRun = (await stored()).filter((name) => name !== kept && name !== unkept);
  expect(ofRun.length).toBeGreaterThan(0);
  // As of an answer that was cut before it was kept; another company's has its own name, or the same.
  const cut = 'cut.png';
  for (const companyId of [ada.companyId, String(await api.companyId('globex'))]) {
    const key = { companyId: asId<CompanyId>(companyId), area: 'images', name: cut } as const;
    await objects.write(key, Readable.from(['x']), 10);
  }
  const all = await stored();

  api.clock.advance(6 * DAY);
  await api.get(ImageSweeper).tick();
  expect(await stored()).toEqual(all);
  // Within a day of the last time nothing is looked at again.
  api.clock.advance(DAY - 1);
  await api.get(ImageSweeper).tick();
  expect(await stored()).toEqual(all);

  api.clock.advance(DAY);
  await api.get(ImageSweeper).tick();
  expect(await stored()).toEqual([kept, ...ofRun].sort());

  const later = await api.signIn('acme');
  expect((await later.bytes(`/secure/assistant/visualizations/${kept}`)).status).toBe(200);
  expect((await later.bytes(`/secure/assistant/visualizations/${unkept}`)).status).toBe(404);
});
