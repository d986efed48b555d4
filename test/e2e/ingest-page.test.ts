import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { aDatasourceBody } from '../api/world.builder.js';
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
  const made: { readonly reason: string; readonly line: string; readonly id: string }[] = [];
  for (const { reason, line } of expected) {
    const csv = `${[HEADER, ...SOUND, line, ...SOUND].join('\n')}\n`;
    const { body: upload } = await ada.upload(csv);
    const config = { timefield: 'at', metafield: 'device', timeformat: 'yyyy-MM-dd', values: ['value'] };
    const { body } = await ada.put('/secure/datasource', aDatasourceBody(String(upload['filename']), config));
    made.push({ reason, line, id: String(body['datasource_id']) });
  }
  await api.drain();
  for (const { reason, line, id } of made) {
    const { body: found } = await ada.get(`/secure/datasource?id=${id}`);
    expect({ line, datasource: found['datasource'] }).toMatchObject({
      datasource: {
        doc_count: 2 * SOUND.length,
        import: { rejected: 1, rejected_sample: [{ reason, text: line, line: SOUND.length + 2 }] },
      },
    });
  }
});
