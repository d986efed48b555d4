import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { CallToolResult, Progress } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { OpenAiDouble } from '../support/openai-double.js';
import { startTestApi } from '../support/test-api.js';
import type { TestClient } from '../support/test-client.js';
import { aService } from './a-service.js';
import { processed } from './context-files.builder.js';
import { CANARY, importedDatasource, openConversation } from './world.builder.js';

const UNKNOWN = 'f'.repeat(24);

const lines: Record<string, unknown>[] = [];

const api = await aService({
  environment: { LOG_LEVEL: 'info' },
  onLog: (line) => lines.push(JSON.parse(line) as Record<string, unknown>),
});
const [owner, colleague, eve] = [await api.signIn('acme'), await api.signIn('acme'), await api.signIn('globex')];
const [datasource, depots] = [await importedDatasource(api, owner), await importedDatasource(api, owner)];
await owner.patch('/secure/datasource', { id: depots, name: 'Depots' });
const conversation = await openConversation(owner, datasource);
const [listed] = await processed(api, owner, [{ name: 'a.txt', content: `The ${CANARY} is fed every morning.` }]);
const fileId = String(listed?.id);

const open: Client[] = [];
afterEach(() => Promise.all(open.splice(0).map((client) => client.close())));

async function keyOf(client: TestClient, ...scopes: readonly string[]): Promise<string> {
  const { body } = await client.post('/secure/api-keys', { name: 'Assistant', scopes });
  return String(body['key']);
}

/** The official client, signed in with a token or a key. */
async function connected(token: string, url = api.url): Promise<Client> {
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  open.push(client);
  return client;
}

const withKey = async (of: TestClient, ...scopes: readonly string[]): Promise<Client> =>
  connected(await keyOf(of, ...scopes));
const call = async (client: Client, name: string, args: Record<string, unknown> = {}): Promise<CallToolResult> =>
  (await client.callTool({ name, arguments: args })) as CallToolResult;
const textOf = ({ content }: CallToolResult): string =>
  content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
const refused = (text: string): object => ({ isError: true, content: [{ text }] });

describe('a client of the protocol', () => {
  it('comes in with an API key or the token of a session, and finds five tools', async () => {
    for (const token of [await keyOf(owner, 'read'), owner.token!]) {
      const client = await connected(token);
      expect(client.getServerVersion()).toMatchObject({ name: 'data-analytics-service' });
      expect(client.getInstructions()).toContain('list_datasources');
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name).sort()).toEqual(['ask', 'describe', 'list_datasources', 'plot', 'query']);
      for (const { description } of tools) expect(description).toMatch(/\.$/);
    }
  });

  it('lists, describes, queries and plots', async () => {
    const client = await withKey(owner, 'read');
    const list = await call(client, 'list_datasources', { search: 'sensors' });
    expect(list.structuredContent).toMatchObject({ total: 1, datasources: [{ id: datasource, rows: 48 }] });
    expect(JSON.parse(textOf(list))).toEqual(list.structuredContent);

    const described = await call(client, 'describe', { datasource_id: datasource.toUpperCase() });
    expect(described.structuredContent).toMatchObject({
      ...{ rows: 48, time_column: 'at', asset_column: 'device', measures: ['temperature'] },
      time_range: { from: '2024-01-01T00:00:00.000Z' },
      columns: expect.arrayContaining([
        expect.objectContaining({ name: 'temperature', type: 'number', min: 20, max: 24.7 }),
        expect.objectContaining({ name: 'device', sample_values: expect.arrayContaining(['d1']) as unknown }),
      ]) as unknown,
    });

    const sql = 'SELECT device, count(*) AS n FROM data GROUP BY device ORDER BY device DESC';
    const queried = await call(client, 'query', { datasource_id: datasource, sql, limit: 1 });
    expect(queried.structuredContent).toMatchObject({ rows: [['d1', 24]], truncated: true });

    const plot = await call(client, 'plot', { datasource_id: datasource, value: 'temperature', points: 12 });
    const buckets = Array.from({ length: 12 }, () => ({ count: 4 }));
    expect(plot.structuredContent).toMatchObject({ total: 48, data: buckets });
  });

  it('asks, is told of progress, sees words, figures and a chart, and follows on', async () => {
    const client = await withKey(owner, 'ask');
    const told: Progress[] = [];
    const first = (await client.callTool(
      { name: 'ask', arguments: { datasource_id: datasource, question: 'average temperature by device' } },
      undefined,
      { onprogress: (progress) => told.push(progress) },
    )) as CallToolResult;
    expect(first.isError).not.toBe(true);
    expect(textOf(first)).toMatch(/22\.3[\s\S]*\| d1 \|[\s\S]*SELECT[\s\S]*conversation_id/);
    expect(first.structuredContent).toMatchObject({ kind: 'answer', row_count: 2 });
    const image = first.content.find((part) => part.type === 'image');
    expect(Buffer.from(image!.data, 'base64').subarray(1, 4).toString()).toBe('PNG');
    expect(told.length).toBeGreaterThan(0);
    expect(told.map(({ progress }) => progress)).toEqual(told.map((_, index) => index + 1));

    const conversation_id = String(first.structuredContent!['conversation_id']);
    const next = await call(client, 'ask', { conversation_id, question: 'and the highest?' });
    expect(next.structuredContent).toMatchObject({ conversation_id });
    const { body } = await owner.get(`/secure/assistant/history?conversation_id=${conversation_id}`);
    expect(JSON.stringify(body)).toContain('and the highest?');
  });

  it('reads schemas and context files as resources', async () => {
    const client = await withKey(owner, 'read');
    const [schema, file] = [`datasource://${datasource}/schema`, `context-file://${fileId}`];
    const uris = (await client.listResources()).resources.map(({ uri }) => uri);
    expect(uris).toEqual(expect.arrayContaining([schema, file]));
    expect(uris).toHaveLength(3);
    expect((await client.listResourceTemplates()).resourceTemplates).toHaveLength(2);
    const read = async (uri: string): Promise<unknown> =>
      JSON.parse(((await client.readResource({ uri })).contents[0] as { text: string }).text);
    expect(await read(schema)).toMatchObject({ id: datasource, rows: 48 });
    expect(await read(file)).toMatchObject({ id: fileId, metadata: { status: 'ready' } });
  });
});

it('a second company is told of every id what it is told of unknown ones, and sees nothing; a colleague no conversation', async () => {
  const client = await withKey(eve, 'read', 'ask', 'write');
  const uses: [string, Record<string, unknown>][] = [
    ['describe', {}],
    ['query', { sql: 'SELECT 1 FROM data' }],
    ['plot', { value: 'temperature' }],
    ['ask', { question: 'how many rows' }],
  ];
  for (const [tool, args] of uses) {
    const foreign = await call(client, tool, { ...args, datasource_id: datasource });
    expect(foreign, tool).toMatchObject(refused('datasource not found'));
    expect(await call(client, tool, { ...args, datasource_id: UNKNOWN })).toEqual(foreign);
  }
  for (const other of [client, await withKey(colleague, 'ask')]) {
    const asked = await call(other, 'ask', { conversation_id: conversation, question: 'how many rows' });
    expect(asked).toMatchObject(refused('conversation not found'));
  }
  const problemOf = (uri: string): Promise<unknown> => client.readResource({ uri }).catch((error: unknown) => error);
  for (const uri of [(id: string) => `datasource://${id}/schema`, (id: string) => `context-file://${id}`]) {
    const foreign = await problemOf(uri(uri('') === 'context-file://' ? fileId : datasource));
    expect(foreign).toMatchObject({ code: -32002, message: expect.stringContaining('not found') as string });
    expect(await problemOf(uri(UNKNOWN))).toEqual(foreign);
  }
  expect((await client.listResources()).resources).toEqual([]);
  const list = await call(client, 'list_datasources');
  expect(list.structuredContent).toEqual({ datasources: [], total: 0 });
  expect(JSON.stringify(list)).not.toContain(CANARY);
});

describe('what goes wrong', () => {
  it('is said in a result', async () => {
    const client = await withKey(owner, 'read', 'ask');
    const wrong: [string, string, object][] = [
      ['a statement that writes', 'query', { sql: 'DROP TABLE data' }],
      ['no measure', 'plot', { value: 'note' }],
      ['no statement', 'query', {}],
      ['a blank question', 'ask', { question: '  ' }],
      ['a malformed id', 'describe', { datasource_id: '../x' }],
      ['an unknown tool', 'drop', {}],
    ];
    for (const [what, tool, args] of wrong) {
      const result = await call(client, tool, { datasource_id: datasource, ...args });
      expect(result.isError, what).toBe(true);
      expect(textOf(result).length, what).toBeGreaterThan(10);
      expect(textOf(result), what).not.toContain('internal error');
    }
  });

  it('names the scope that a key lacks, and shows it nothing', async () => {
    const [asks, reads] = [await withKey(owner, 'ask'), await withKey(owner, 'read')];
    const needs = (scope: string): object => refused(`forbidden: the API key needs the scope ${scope}`);
    expect(await call(asks, 'list_datasources')).toMatchObject(needs('read'));
    expect((await asks.listResources()).resources).toEqual([]);
    await expect(asks.readResource({ uri: `datasource://${datasource}/schema` })).rejects.toThrow(/scope read/);
    const question = { datasource_id: datasource, question: 'how many rows' };
    expect(await call(reads, 'ask', question)).toMatchObject(needs('ask'));
    await expect(withKey(owner, 'write')).rejects.toThrow(/403|scope/);
  });

  /** Each message counts against the rate limit: see http.test.ts; whose keys are worth nothing: see api-keys.test.ts. */
  it('is a batch, or nothing that is a message', async () => {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const accept = { accept: 'application/json, text/event-stream' };
    for (const body of [[message, message], '', {}, { ...message, jsonrpc: '1.0' }])
      expect((await owner.post('/mcp', body, accept)).status, JSON.stringify(body)).toBe(400);
  });

  it.each(['GET', 'DELETE'])('answers %s with 405', async (method) => {
    const response = await fetch(`${api.url}/mcp`, { method, headers: { accept: 'text/event-stream, text/html' } });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('POST');
    expect(await response.json()).toEqual({ error: true, message: 'method not allowed' });
  });
});

it('a question that takes long ends when its asker goes away; another beside it is refused, and leaves no conversation', async () => {
  await using double = await OpenAiDouble.start();
  const model = { OPENAI_BASE_URL: double.baseUrl, OPENAI_API_KEY: 'sk-x', OPENAI_MODEL: 'm' };
  await using own = await startTestApi({ environment: { ...model, CHATS_PER_USER: '1' } });
  const ada = await own.signIn('acme');
  const question = { datasource_id: await importedDatasource(own, ada), question: 'Anybody?' };
  const [client, other] = [await connected(ada.token!, own.url), await connected(ada.token!, own.url)];
  double.clear();
  double.append({ content: 'Wait', then: 'hang' });
  const first = call(client, 'ask', question).catch(() => 'gone');
  await eventually(
    () => double.requests.length,
    (asked) => asked > 0,
  );
  expect(textOf(await call(other, 'ask', question))).toMatch(
    /^1 of your questions are being answered.*\(try again in 5 s\)$/,
  );
  const conversations = async (): Promise<unknown> => (await ada.get('/secure/assistant/conversations')).body;
  expect(await conversations()).toMatchObject({ total: 1 });

  await client.close();
  expect(await first).toBe('gone');
  await double.requests.at(-1)?.closed;
  await eventually(conversations, (body) => JSON.stringify(body).includes('"status":"ready"'));
});

it('each use is written down with its user and key, and never the key itself', async () => {
  const key = await keyOf(owner, 'read');
  const client = await connected(key);
  lines.length = 0;
  await call(client, 'list_datasources');
  await call(client, 'describe', { datasource_id: UNKNOWN });
  await client.close();
  const about = { user: owner.id, key: key.split('_')[1] };
  for (const line of [
    { msg: 'mcp', use: 'list_datasources', status: 200 },
    { msg: 'mcp', use: 'describe', status: 404 },
    { msg: 'request', route: '/mcp', status: 200 },
  ])
    expect(lines).toContainEqual(expect.objectContaining({ ...line, ...about }));
  expect(JSON.stringify(lines)).not.toContain(key.split('_')[2]);
});
