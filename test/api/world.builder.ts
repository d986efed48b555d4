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

export async function createTask(client: TestClient, datasourceId: string, fields: object = {}): Promise<string> {
  const { body, status } = await client.post('/secure/agent/task', aTaskBody(datasourceId, fields));
  if (status !== 200) throw new Error(`not created: ${JSON.stringify(body)}`);
  return (body['task'] as { id: string }).id;
}

/** Two companies: the first has one of everything. */
export interface World {
  readonly owner: TestClient;
  readonly colleague: TestClient;
  readonly manager: TestClient;
  readonly eve: TestClient;
  readonly eveManager: TestClient;
  readonly stranger: TestClient;
  readonly datasource: string;
  /** Of a file that no datasource was made from. */
  readonly upload: string;
  /** The owner's. */
  readonly session: string;
  /** Made by the manager. */
  readonly invitation: string;
  /** The owner's. */
  readonly apiKey: string;
  readonly conversation: string;
  /** The owner's conversation that is in the bin. */
  readonly deleted: string;
  readonly image: string;
  /** A context file that is ready. */
  readonly file: string;
  /** Has run once. */
  readonly task: string;
  /** Proposed, between the datasource and another. */
  readonly relation: string;
  /** Verified. */
  readonly golden: string;
  /** The owner's. */
  readonly alert: string;
  readonly evaluation: string;
  /** The owner's, on the datasource. */
  readonly annotation: string;
  /** The owner's, with a figure. */
  readonly board: string;
  readonly tile: string;
  /** To the board. */
  readonly link: string;
}

export async function aWorld(api: TestApi): Promise<World> {
  const [owner, colleague, manager, eve, eveManager] = await Promise.all([
    api.signIn('acme', { email: `owner.${CANARY}@example.com` }),
    api.signIn('acme'),
    api.signIn('acme', { role: 'manager' }),
    api.signIn('globex'),
    api.signIn('globex', { role: 'manager' }),
  ]);
  const datasource = await importedDatasource(api, owner);
  const { body: upload } = await owner.upload(ROWS_CSV);
  const conversation = await openConversation(owner, datasource);
  const { body } = await owner.post('/secure/assistant/chat', {
    conversation_id: conversation,
    message: 'average temperature by device',
  });
  const { visualization } = body['response'] as { visualization: string };
  const content = `The ${CANARY} is fed every morning.`;
  const [file] = await processed(api, owner, [{ name: `${CANARY}.txt`, content }]);
  const task = await createTask(owner, datasource);
  await owner.get(`/secure/agent/task/run/${task}`);
  const { body: watched } = await owner.post('/secure/alerts', {
    name: `Heat ${CANARY}`,
    datasource_id: datasource,
    dbquery: 'SELECT avg(temperature) FROM data',
    condition: { type: 'above', value: 20 },
  });
  await api.drain();
  return {
    owner,
    colleague,
    manager,
    eve,
    eveManager,
    stranger: api.stranger(),
    datasource,
    upload: String(upload['filename']),
    apiKey: await aKeyId(owner),
    session: await aSessionId(owner),
    invitation: await anInvitationId(manager),
    conversation,
    deleted: await aDeletedConversation(owner, datasource),
    image: visualization,
    annotation: await anAnnotationId(owner, datasource),
    file: file?.id ?? '',
    task,
    relation: await aRelationId(api, owner, datasource),
    alert: (watched['alert'] as { id: string }).id,
    ...(await evaluatedOnce(api, manager, datasource)),
    ...(await aSharedBoard(owner, datasource)),
  };
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

async function aSharedBoard(owner: TestClient, datasource: string): Promise<Pick<World, 'board' | 'tile' | 'link'>> {
  const { body: made } = await owner.post('/secure/board', { title: `Board of ${CANARY}`, notes: CANARY });
  const { id: board } = made['board'] as { id: string };
  const { body: pinned } = await owner.post(`/secure/board/${board}/tile`, {
    datasource_id: datasource,
    ...TEMPERATURES,
  });
  const { body: shared } = await owner.post('/secure/share', { board_id: board });
  const { id: tile } = pinned['tile'] as { id: string };
  await owner.post(`/secure/board/${board}/tile/${tile}/figure`, {});
  return { board, tile, link: (shared['link'] as { id: string }).id };
}

async function aRelationId(api: TestApi, owner: TestClient, datasource: string): Promise<string> {
  const other = await importedDatasource(api, owner);
  await owner.patch('/secure/datasource', { id: other, name: `Depots ${CANARY}`, context: '' });
  const columns = [{ first: 'device', second: 'device' }];
  const { body } = await owner.post('/secure/relations/propose', { datasource_ids: [datasource, other], columns });
  return (body['relations'] as { id: string }[])[0]?.id ?? '';
}

async function evaluatedOnce(
  api: TestApi,
  manager: TestClient,
  datasource: string,
): Promise<Pick<World, 'golden' | 'evaluation'>> {
  const { body } = await manager.post('/secure/verified', {
    datasource_id: datasource,
    question: `How many rows does ${CANARY} have?`,
    wording: `${CANARY} has {rows} rows.`,
    sql: `SELECT count(*) AS rows FROM data WHERE device = '${CANARY}'`,
  });
  const { body: started } = await manager.post('/secure/evaluation/run', { id: datasource });
  await api.drain();
  return {
    golden: (body['question'] as { id: string }).id,
    evaluation: (started['evaluation'] as { id: string }).id,
  };
}

async function anAnnotationId(client: TestClient, datasource: string): Promise<string> {
  const { body } = await client.post('/secure/datasource/annotation', {
    ...{ datasource_id: datasource, from: '2024-01-01', to: '2024-01-02', text: `The ${CANARY} was fed` },
  });
  return (body['annotation'] as { id: string }).id;
}

async function aDeletedConversation(client: TestClient, datasource: string): Promise<string> {
  const id = await openConversation(client, datasource);
  await client.delete('/secure/assistant/conversation', { id });
  return id;
}

async function aSessionId(client: TestClient): Promise<string> {
  const { body } = await client.get('/secure/currentuser/sessions');
  return (body['sessions'] as { id: string; is_current: boolean }[]).find((one) => one.is_current)?.id ?? '';
}

async function anInvitationId(manager: TestClient): Promise<string> {
  const { body } = await manager.post('/secure/invitation', { email: `new.${CANARY}@example.com`, role: 'user' });
  return (body['invitation'] as { id: string }).id;
}

async function aKeyId(client: TestClient): Promise<string> {
  const { body } = await client.post('/secure/api-keys', { name: `Key ${CANARY}`, scopes: ['read'] });
  return (body['api_key'] as { id: string }).id;
}
