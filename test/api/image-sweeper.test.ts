import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { ImageSweeper } from '../../src/answering/image-sweeper.js';
import { ObjectStore } from '../../src/ports/object-store.js';
import { asId, type CompanyId } from '../../src/shared/ids.js';
import { startTestApi } from '../support/test-api.js';
import { answerTo, createTask, importedDatasource, openConversation } from './world.builder.js';

const DAY = 86_400_000;

it('images that no message and no run shows are gone after a week, all others stay', async () => {
  await using api = await startTestApi();
  const ada = await api.signIn('acme');
  const datasource = await importedDatasource(api, ada);
  const conversation = await openConversation(ada, datasource);
  const imageOf = async (fields: object): Promise<string> => {
    const { visualization } = await answerTo(ada, conversation, {
      message: 'average temperature by device',
      ...fields,
    });
    return String(visualization);
  };
  const [kept, unkept] = [await imageOf({}), await imageOf({ skip_save_history: true })];
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
  expect(await stored()).toEqual(expect.arrayContaining([kept, unkept]));
  const ofRun = (await stored()).filter((name) => name !== kept && name !== unkept);
  expect(ofRun.length).toBeGreaterThan(0);
  // As of an answer that was cut before it was kept; another company's has its own name, or the same.
  for (const companyId of [ada.companyId, String(await api.companyId('globex'))]) {
    const key = { companyId: asId<CompanyId>(companyId), area: 'images', name: 'cut.png' } as const;
    await objects.write(key, Readable.from(['x']), 10);
  }
  const all = await stored();

  // The second time within a day of the first, when nothing is looked at again.
  for (const passed of [6 * DAY, DAY - 1]) {
    api.clock.advance(passed);
    await api.get(ImageSweeper).tick();
    expect(await stored()).toEqual(all);
  }
  api.clock.advance(DAY);
  await api.get(ImageSweeper).tick();
  expect(await stored()).toEqual([kept, ...ofRun].sort());

  const later = await api.signIn('acme');
  const statuses = [kept, unkept].map((name) => later.bytes(`/secure/assistant/visualizations/${name}`));
  expect((await Promise.all(statuses)).map(({ status }) => status)).toEqual([200, 404]);
});
