import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { importedDatasource } from '../api/world.builder.js';
import { startTestApi } from '../support/test-api.js';

const PAGE = new URL('../../docs/ingest.md', import.meta.url);
const ROW = /^\| `(?<reason>[^`]+)` \| (?<examples>`.+) \|$/gm;
const HEADER = 'at,device,value';
/** So many that none of the examples makes the file look otherwise. */
const SOUND = Array.from({ length: 500 }, (_, row) => `2024-01-01,d${row % 3},${row}.5`);

function promised(): readonly { readonly reason: string; readonly line: string }[] {
  const page = readFileSync(PAGE, 'utf8').replaceAll('\r', '');
  return [...page.matchAll(ROW)].flatMap(({ groups }) =>
    [...groups!['examples']!.matchAll(/`([^`]+)`/g)].map(([, line]) => ({ reason: groups!['reason']!, line: line! })),
  );
}

it('each line that the page on files calls rejected is, for the reason that it gives', async () => {
  const expected = promised();
  expect(expected.length).toBeGreaterThan(6);
  await using api = await startTestApi();
  const ada = await api.signIn('acme');
  // One file of all of them: what is sound lies before and behind each.
  const lines = expected.flatMap(({ line }) => [...SOUND, line]);
  const csv = `${[HEADER, ...lines, ...SOUND].join('\n')}\n`;
  const config = { timefield: 'at', metafield: 'device', timeformat: 'yyyy-MM-dd', values: ['value'] };
  const id = await importedDatasource(api, ada, csv, config);
  const { body: found } = await ada.get(`/secure/datasource?id=${id}`);
  expect(found['datasource']).toMatchObject({
    doc_count: (expected.length + 1) * SOUND.length,
    import: {
      rejected: expected.length,
      rejected_sample: expected.map(({ reason, line: text }, at) => ({
        ...{ reason, text, line: (at + 1) * (SOUND.length + 1) + 1 },
      })),
    },
  });
});
