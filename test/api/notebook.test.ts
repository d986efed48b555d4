import { expect, it } from 'vitest';
import { theService } from './a-service.js';
import { putFiles } from './context-files.builder.js';
import { answerTo, createTask, importedDatasource, openConversation } from './world.builder.js';

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47]);
const CSV = ['device,at,temperature', '<b>d1</b>,2024-01-01,1', '<b>d1</b>,2024-01-02,2', 'd2,2024-01-01,5'].join('\n');

interface Cell {
  readonly id: string;
  readonly cell_type: string;
  readonly source: string;
  readonly metadata: object;
  readonly attachments?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly outputs?: readonly { readonly data: Readonly<Record<string, string>> }[];
}

const api = await theService();
const ada = await api.signIn('acme');
const datasource = await importedDatasource(api, ada, CSV);

async function cellsOf(path: string): Promise<readonly Cell[]> {
  const { status, body, headers } = await ada.get(path);
  expect({ status, body }).toMatchObject({ status: 200, body: { nbformat: 4, nbformat_minor: 5 } });
  expect(headers.get('content-type')).toBe('application/x-ipynb+json');
  expect(headers.get('content-disposition')).toMatch(/^attachment; filename=".+\.ipynb"/);
  const cells = body['cells'] as readonly Cell[];
  expect(new Set(cells.map(({ id }) => id)).size).toBe(cells.length);
  for (const { id } of cells) expect(id).toMatch(/^[a-zA-Z0-9-_]{1,64}$/);
  return cells;
}

/** Of each picture in a cell whether it is a PNG. */
function picturesOf({ outputs = [], attachments = {} }: Cell): readonly boolean[] {
  const shown = outputs.flatMap(({ data }) => data['image/png'] ?? []);
  const all = [...shown, ...Object.values(attachments).map((kinds) => kinds['image/png'] ?? '')];
  return all.map((base64) => Buffer.from(base64, 'base64').subarray(0, 4).equals(PNG));
}

it('an answer is a notebook with its question, query, figures and chart', async () => {
  const conversation = await openConversation(ada, datasource);
  const answer = await answerTo(ada, conversation, 'bar chart of the average temperature by device');
  await answerTo(ada, conversation, 'how many rows are there?');
  const { body } = await ada.get(`/secure/assistant/history?conversation_id=${conversation}`);
  const [question = '', message = ''] = (body['history'] as readonly { _id: string }[]).map(({ _id }) => _id);
  const path = `/secure/assistant/history/notebook?conversation_id=${conversation}`;

  const one = await cellsOf(`${path}&message_id=${message}`);
  expect(one.map(({ cell_type: type }) => type)).toEqual(['markdown', 'markdown', 'code']);
  const [words, query] = [one[1], one[2]];
  expect(words?.source).toBe(`## bar chart of the average temperature by device\n\n${String(answer['response'])}`);
  expect(query?.source).toBe(answer['dbquery']);
  expect(query?.outputs).toMatchObject([
    {
      data: {
        'text/html': expect.stringContaining('<td>&lt;b&gt;d1&lt;/b&gt;</td><td>1.5</td>') as string,
        'text/plain': expect.stringContaining('d2\t5') as string,
      },
    },
    { data: { 'image/png': expect.any(String) as string } },
  ]);
  expect(one.flatMap(picturesOf)).toEqual([true]);

  expect((await cellsOf(path)).filter(({ cell_type: type }) => type === 'code')).toHaveLength(2);

  const other = await openConversation(ada, datasource);
  const nowhere = [
    `${path}&message_id=${question}`,
    `/secure/assistant/history/notebook?conversation_id=${other}&message_id=${message}`,
  ];
  for (const wrong of nowhere) expect((await ada.get(wrong)).status).toBe(404);
});

it('a task’s run is a notebook with its steps, their queries and charts, its answer and figures', async () => {
  const task = await createTask(ada, datasource, { prompt: 'Chart the average temperature by device' });
  const path = `/secure/agent/task/${task}/notebook`;
  expect(await ada.get(path)).toMatchObject({ status: 404, body: { message: 'agent task run not found' } });
  const { body } = await ada.get(`/secure/agent/task/run/${task}`);
  await api.drain();
  const made = await cellsOf(`${path}?run_id=${String(body['run_id'])}`);
  expect(made[1]?.source).toContain('Chart the average temperature by device');
  const pictures = made.flatMap(picturesOf);
  expect(pictures.length).toBeGreaterThan(0);
  expect(pictures.every(Boolean)).toBe(true);
  expect(made.some(({ cell_type: type, source }) => type === 'code' && source.includes('SELECT'))).toBe(true);
  expect(JSON.stringify(made)).not.toContain('/api/v1/secure');

  const another = await createTask(ada, datasource);
  expect((await ada.get(`/secure/agent/task/${another}/notebook?run_id=${String(body['run_id'])}`)).status).toBe(404);
});

it('a notebook has times as the query prints them, says what its table leaves out, and quotes what is cited', async () => {
  const days = Array.from({ length: 120 }, (_, day) => new Date(Date.UTC(2024, 0, 1 + day)).toISOString().slice(0, 10));
  const costs = ['device,at,cost $', ...days.map((day, at) => `d1,${day},${at}`)].join('\n');
  const conversation = await openConversation(ada, await importedDatasource(api, ada, costs));
  await putFiles(ada, [{ name: 'rules.txt', content: 'The depot is inspected every spring by Ines Moro.' }]);
  await api.drain();
  await answerTo(ada, conversation, 'total cost $ by day');
  await answerTo(ada, conversation, 'Who inspects the depot?');
  await answerTo(ada, conversation, 'How many *rows*, <b>really</b>?');

  const cells = await cellsOf(`/secure/assistant/history/notebook?conversation_id=${conversation}`);
  const [, words, query, quoted] = cells;
  expect(words?.source).toMatch(/^## total cost &#36; by day\n/);
  expect(words?.source).not.toContain('$');
  const table = query?.outputs?.[0]?.data ?? {};
  expect(table['text/html']).toContain('<td>2024-01-01</td><td>0</td>');
  expect(table['text/plain']?.split('\n').at(-1)).toBe('The first 100 rows; there are more.');
  expect(quoted?.source).toMatch(/\\\[1\\\] rules\.txt\n> \n> The depot is inspected every spring by Ines Moro\.$/);
  const headings = cells.map(({ source }) => source.split('\n')[0]);
  expect(headings).toContain(String.raw`## How many \*rows\*, \<b\>really\</b\>?`);
});
