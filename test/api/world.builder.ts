import { rememberingImports } from '../support/remembered-imports.js';
import type { TestApi } from '../support/test-api.js';
import type { TestClient, TestResponse } from '../support/test-client.js';
import { processed } from './context-files.builder.js';

/** Stands in everything that belongs to the first company, and must never be seen by the second. */
export const CANARY = 'canary-of-acme';

export const ROWS_CSV = [
  'device,at,temperature,note',
  ...Array.from({ length: 48 }, (_, hour) => {
    const at = new Date(Date.UTC(2024, 0, 1, hour)).toISOString().slice(0, 19).replace('T', ' ');
    return `${hour % 2 === 0 ? 'd1' : CANARY},${at},${(20 + hour / 10).toFixed(1)},${CANARY}`;
  }),
].join('\n');

export function aDatasourceBody(filename: string, config: object = {}, name = `Sensors ${CANARY}`): object {
  return {
    name,
    type: 'csv',
    filename,
    file: 'rows.csv',
    config: { is_timeseries: true, timefield: 'at', metafield: 'device', ...config },
  };
}

/** Uploads a file and gives the name under which it waits for its datasource. */
export async function uploaded(client: TestClient, content: string | Uint8Array, name?: string): Promise<string> {
  const { status, body } = await client.upload(content, name);
  if (status !== 200) throw new Error(`not uploaded: ${JSON.stringify(body)}`);
  return String(body['filename']);
}

/** A datasource whose rows are still being imported. */
export async function importingDatasource(client: TestClient, csv: string = ROWS_CSV, config = {}): Promise<string> {
  const { body, status } = await client.put('/secure/datasource', aDatasourceBody(await uploaded(client, csv), config));
  if (status !== 200) throw new Error(`not created: ${JSON.stringify(body)}`);
  return String(body['datasource_id']);
}

/** Uploads rows and makes a datasource of them; resolves when they are there. */
export function importedDatasource(api: TestApi, client: TestClient, csv?: string, config = {}): Promise<string> {
  return rememberingImports(async () => {
    const id = await importingDatasource(client, csv, config);
    await api.drain();
    return id;
  });
}

export async function look(client: TestClient, datasource: string): Promise<Record<string, unknown>> {
  return (await client.get(`/secure/datasource?id=${datasource}`)).body['datasource'] as Record<string, unknown>;
}

export function insert(client: TestClient, datasource: string, data: unknown): Promise<TestResponse> {
  return client.patch('/secure/datasource/insert', { datasource_id: datasource, data });
}

export async function rowsBySql(client: TestClient, datasource: string, query: string): Promise<unknown> {
  return (await client.post('/secure/data/query', { datasource_id: datasource, query })).body['rows'];
}

/** The id of what an answer names so. */
export const idOf = ({ body }: TestResponse, what: string): string => (body[what] as { id: string }).id;

export async function openConversation(client: TestClient, datasourceId: string): Promise<string> {
  const { body } = await client.post('/secure/assistant/conversation', {
    title: `About ${CANARY}`,
    datasource_id: datasourceId,
  });
  return String(body['id']);
}

export type Answer = Readonly<Record<string, unknown>>;

/** The answer to a message in a conversation, or to what else is asked there. */
export async function answerTo(client: TestClient, conversation: string, asked: string | object): Promise<Answer> {
  const question = typeof asked === 'string' ? { message: asked } : asked;
  const { status, body } = await client.post('/secure/assistant/chat', { conversation_id: conversation, ...question });
  if (status !== 200) throw new Error(`not answered: ${JSON.stringify(body)}`);
  return body['response'] as Answer;
}

/** The same in a conversation of its own. */
export async function answerAbout(client: TestClient, datasource: string, asked: string): Promise<Answer> {
  return answerTo(client, await openConversation(client, datasource), asked);
}

export function aTaskBody(datasourceId: string, fields: object = {}): object {
  return {
    name: `Watch ${CANARY}`,
    prompt: 'What is the average temperature by device?',
    datasources: [datasourceId],
    ...fields,
  };
}

export function createTask(client: TestClient, datasourceId: string, fields: object = {}): Promise<string> {
  return made(client.post('/secure/agent/task', aTaskBody(datasourceId, fields)), 'task');
}

/** What was made, of the name that the answer has for it. */
async function made(asked: Promise<TestResponse>, name: string): Promise<string> {
  const { status, body } = await asked;
  if (status !== 200) throw new Error(`no ${name}: ${JSON.stringify(body)}`);
  return (body[name] as { id: string }).id;
}

export type World = Awaited<ReturnType<typeof oneOfEverything>>;

/** Two companies: the first has one of everything, which its owner made if nothing else is said. */
export const aWorld = (api: TestApi): Promise<World> => oneOfEverything(api);

async function oneOfEverything(api: TestApi) {
  const [owner, colleague, manager, eve, eveManager] = await Promise.all([
    api.signIn('acme', { email: `owner.${CANARY}@example.com` }),
    api.signIn('acme'),
    api.signIn('acme', { role: 'manager' }),
    api.signIn('globex'),
    api.signIn('globex', { role: 'manager' }),
  ]);
  const datasource = await importedDatasource(api, owner);
  const other = await importedDatasource(api, owner);
  await owner.patch('/secure/datasource', { id: other, name: `Depots ${CANARY}`, context: '' });
  const { body: upload } = await owner.upload(ROWS_CSV);
  const [conversation, deleted] = [
    await openConversation(owner, datasource),
    await openConversation(owner, datasource),
  ];
  await owner.delete('/secure/assistant/conversation', { id: deleted });
  const message = 'average temperature by device';
  const { body: answered } = await owner.post('/secure/assistant/chat', { conversation_id: conversation, message });
  const content = `The ${CANARY} is fed every morning.`;
  const [file] = await processed(api, owner, [{ name: `${CANARY}.txt`, content }]);
  const task = await createTask(owner, datasource);
  await owner.get(`/secure/agent/task/run/${task}`);
  const board = await made(owner.post('/secure/board', { title: `Board of ${CANARY}`, notes: CANARY }), 'board');
  const pinned = { datasource_id: datasource, ...TEMPERATURES };
  const tile = await made(owner.post(`/secure/board/${board}/tile`, pinned), 'tile');
  await owner.post(`/secure/board/${board}/tile/${tile}/figure`, {});
  const { body: proposed } = await owner.post('/secure/relations/propose', {
    datasource_ids: [datasource, other],
    columns: [{ first: 'device', second: 'device' }],
  });
  const { body: signedIn } = await owner.get('/secure/currentuser/sessions');
  const question = {
    datasource_id: datasource,
    question: `How many rows does ${CANARY} have?`,
    wording: `${CANARY} has {rows} rows.`,
    sql: `SELECT count(*) AS rows FROM data WHERE device = '${CANARY}'`,
  };
  const alert = {
    ...{ name: `Heat ${CANARY}`, datasource_id: datasource, dbquery: 'SELECT avg(temperature) FROM data' },
    condition: { type: 'above', value: 20 },
  };
  const note = { datasource_id: datasource, from: '2024-01-01', to: '2024-01-02', text: `The ${CANARY} was fed` };
  const invited = { email: `new.${CANARY}@example.com`, role: 'user' };
  const key = { name: `Key ${CANARY}`, scopes: ['read'] };
  const world = {
    ...{ owner, colleague, manager, eve, eveManager, stranger: api.stranger() },
    ...{ datasource, conversation, task, board, tile },
    /** Of a file that no datasource was made from. */
    upload: String(upload['filename']),
    session: (signedIn['sessions'] as { id: string }[])[0]!.id,
    /** Made by the manager. */
    invitation: await made(manager.post('/secure/invitation', invited), 'invitation'),
    apiKey: await made(owner.post('/secure/api-keys', key), 'api_key'),
    /** A conversation that is in the bin. */
    deleted,
    image: (answered['response'] as { visualization: string }).visualization,
    /** A context file that is ready. */
    file: file?.id ?? '',
    /** Proposed, between the datasource and another. */
    relation: (proposed['relations'] as { id: string }[])[0]!.id,
    /** Verified. */
    golden: await made(manager.post('/secure/verified', question), 'question'),
    evaluation: await made(manager.post('/secure/evaluation/run', { id: datasource }), 'evaluation'),
    alert: await made(owner.post('/secure/alerts', alert), 'alert'),
    annotation: await made(owner.post('/secure/datasource/annotation', note), 'annotation'),
    /** To the board. */
    link: await made(owner.post('/secure/share', { board_id: board }), 'link'),
  };
  await api.drain();
  return world;
}

/** Mean temperatures of devices. */
export const TEMPERATURES = {
  plan: {
    kind: 'aggregate',
    measures: [{ aggregate: 'avg', column: 'temperature', label: 'temperature' }],
    dimensions: [{ kind: 'column', column: 'device', label: 'device' }],
  },
  chart: { kind: 'bar', x: 'device', y: 'temperature' },
};
