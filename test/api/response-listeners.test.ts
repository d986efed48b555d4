import { afterEach, expect, it } from 'vitest';
import { startTestApi } from '../support/test-api.js';
import { download } from './downloads.builder.js';
import { importedDatasource } from './world.builder.js';

const warnings: string[] = [];
const hear = ({ message }: Error): unknown => warnings.push(message);
afterEach(() => process.off('warning', hear));

it('no response has more listeners than Node takes without a warning, a download included', async () => {
  await using api = await startTestApi();
  const ada = await api.signIn('acme');
  const id = await importedDatasource(api, ada);
  process.on('warning', hear);
  expect((await download(ada, 'export', id)).status).toBe(200);
  expect((await download(ada, 'rejects', id)).status).toBe(200);
  expect(warnings).toEqual([]);
});
