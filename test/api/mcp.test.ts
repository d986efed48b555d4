import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { CallToolResult, Progress } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { OpenAiDouble } from '../support/openai-double.js';
import { startTestApi } from '../support/test-api.js';
import type { TestClient } from '../support/test-client.js';
import { INVALID_TOKEN, changeUser, withToken } from './auth-world.js';
import { aWorld, CANARY, importedDatasource } from './world.builder.js';

const UNKNOWN = 'f'.repeat(24);
const ALL = ['read', 'ask', 'write'];

const lines: Record<string, unknown>[] = [];

const api = await startTestApi({
  environment: { RATE_LIMIT: '0', LOGIN_RATE_LIMIT: '0', LOG_LEVEL: 'info' },
  onLog: (line) => lines.push(JSON.parse(line) as Record<string, unknown>),
});
const world = await aWorld(api);
afterAll(() => api[Symbol.asyncDispose]());

async function keyOf(client: TestClient, scopes: readonly string[] = ALL): Promise<string> {
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
  return client;
}

async function call(client: Client, name: string, args: Record<string, unknown> = {}): Promise<CallToolResult> {
  return (await client.callTool({ name, arguments: args })) as CallToolResult;
}

function textOf({ content }: CallToolResult): string {
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
}

describe('a client of the protocol', () => {
  it.each([
    ['an API key', () => keyOf(world.owner)],
    ['the token of a session', () => Promise.resolve(world.owner.token!)],
  ])('comes in with %s and finds five tools', async (_name, token) => {
    const client = await connected(await token());
    expect(client.getServerVersion()).toMatchObject({ name: 'data-analytics-service' });
    expect(client.getInstructions()).toContain('list_datasources');
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual(['ask', 'describe', 'list_datasources', 'plot', 'query']);
    for (const { description, inputSchema } of tools) {
      expect(description).toMatch(/\.$/);
      expect(inputSchema.type).toBe('object');
    }
    await client.close();
  });

  it('lists, describes, queries and plots', async () => {
    const client = await connected(await keyOf(world.owner, ['read']));
    const list = await call(client, 'list_datasources', { search: 'sensors' });
    expect(list.structuredContent).toMatchObject({ total: 1, datasources: [{ id: world.datasource, rows: 48 }] });
    expect(JSON.parse(textOf(list))).toEqual(list.structuredContent);

    const described = await call(client, 'describe', { datasource_id: world.datasource.toUpperCase() });
    expect(described.structuredContent).toMatchObject({
      rows: 48,
      time_column: 'at',
      asset_column: 'device',
      measures: ['temperature'],
      time_range: { from: '2024-01-01T00:00:00.000Z' },
    });
    const columns = described.structuredContent!['columns'] as { name: string }[];
    expect(columns.find(({ name }) => name === 'temperature')).toMatchObject({ type: 'number', min: 20, max: 24.7 });
    expect(columns.find(({ name }) => name === 'device')).toMatchObject({
      sample_values: expect.arrayContaining(['d1']) as unknown,
    });

    const sql = 'SELECT device, count(*) AS n FROM data GROUP BY device ORDER BY device DESC';
    const queried = await call(client, 'query', { datasource_id: world.datasource, sql, limit: 1 });
    expect(queried.structuredContent).toMatchObject({ rows: [['d1', 24]], truncated: true });

    const plot = await call(client, 'plot', { datasource_id: world.datasource, value: 'temperature', points: 12 });
    expect(plot.structuredContent).toMatchObject({
      total: 48,
      data: expect.arrayContaining([expect.objectContaining({ count: 4 })]) as unknown,
    });
    expect(plot.structuredContent!['data']).toHaveLength(12);
    await client.close();
  });

  it('asks, is told of progress, sees words, figures and a chart, and follows on', async () => {
    const client = await connected(await keyOf(world.owner, ['ask']));
    const told: Progress[] = [];
    const first = (await client.callTool(
      { name: 'ask', arguments: { datasource_id: world.datasource, question: 'average temperature by device' } },
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

    const conversation = String(first.structuredContent!['conversation_id']);
    const next = await call(client, 'ask', { conversation_id: conversation, question: 'and the highest?' });
    expect(next.structuredContent).toMatchObject({ conversation_id: conversation });
    const { body } = await world.owner.get(`/secure/assistant/history?conversation_id=${conversation}`);
    expect(JSON.stringify(body)).toContain('and the highest?');
    await client.close();
  });

  it('reads schemas and context files as resources', async () => {
    const client = await connected(await keyOf(world.owner, ['read']));
    const { resources } = await client.listResources();
    const uris = [`datasource://${world.datasource}/schema`, `context-file://${world.file}`];
    expect(resources.map(({ uri }) => uri)).toEqual(expect.arrayContaining(uris));
    expect(resources).toHaveLength(uris.length + 1);
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates).toHaveLength(2);

    const read = async (uri: string): Promise<unknown> => {
      const { contents } = await client.readResource({ uri });
      return JSON.parse((contents[0] as { text: string }).text);
    };
    expect(await read(`datasource://${world.datasource}/schema`)).toMatchObject({ id: world.datasource, rows: 48 });
    expect(await read(`context-file://${world.file}`)).toMatchObject({ id: world.file, metadata: { status: 'ready' } });
    await client.close();
  });
});

describe('a second company', () => {
  it('is told of every id what it is told of unknown ones, and sees nothing', async () => {
    const client = await connected(await keyOf(world.eve));
    const uses: [string, Record<string, unknown>][] = [
      ['describe', {}],
      ['query', { sql: 'SELECT 1 FROM data' }],
      ['plot', { value: 'temperature' }],
      ['ask', { question: 'how many rows' }],
    ];
    for (const [tool, args] of uses) {
      const foreign = await call(client, tool, { ...args, datasource_id: world.datasource });
      expect(foreign, tool).toMatchObject({ isError: true, content: [{ text: 'datasource not found' }] });
      expect(await call(client, tool, { ...args, datasource_id: UNKNOWN })).toEqual(foreign);
    }
    const asked = await call(client, 'ask', { conversation_id: world.conversation, question: 'how many rows' });
    expect(asked).toMatchObject({ isError: true, content: [{ text: 'conversation not found' }] });

    for (const [mine, unknown] of [
      [`datasource://${world.datasource}/schema`, `datasource://${UNKNOWN}/schema`],
      [`context-file://${world.file}`, `context-file://${UNKNOWN}`],
    ] as const) {
      const failed = await client.readResource({ uri: mine }).catch((error: unknown) => error);
      expect(failed).toMatchObject({ code: -32002, message: expect.stringContaining('not found') as string });
      expect(await client.readResource({ uri: unknown }).catch((error: unknown) => error)).toEqual(failed);
    }
    expect((await client.listResources()).resources).toEqual([]);
    const list = await call(client, 'list_datasources');
    expect(list.structuredContent).toEqual({ datasources: [], total: 0 });
    expect(JSON.stringify(list)).not.toContain(CANARY);
    await client.close();
  });

  it("a colleague's conversation is not there either", async () => {
    const client = await connected(await keyOf(world.colleague));
    const asked = await call(client, 'ask', { conversation_id: world.conversation, question: 'how many rows' });
    expect(asked).toMatchObject({ isError: true, content: [{ text: 'conversation not found' }] });
    await client.close();
  });
});

describe('what goes wrong', () => {
  it.each([
    ['a statement that writes', 'query', { sql: 'DROP TABLE data' }],
    ['no measure', 'plot', { value: 'note' }],
    ['no statement', 'query', {}],
    ['a blank question', 'ask', { question: '  ' }],
    ['a malformed id', 'describe', { datasource_id: '../x' }],
    ['an unknown tool', 'drop', {}],
  ])('is said in a result: %s', async (_name, tool, args) => {
    const client = await connected(await keyOf(world.owner));
    const result = await call(client, tool, { datasource_id: world.datasource, ...args });
    expect(result.isError).toBe(true);
    expect(textOf(result).length).toBeGreaterThan(10);
    expect(textOf(result)).not.toContain('internal error');
    await client.close();
  });

  it('names the scope that a key lacks, and shows it nothing', async () => {
    const client = await connected(await keyOf(world.owner, ['ask']));
    const listed = await call(client, 'list_datasources');
    expect(listed).toMatchObject({
      isError: true,
      content: [{ text: 'forbidden: the API key needs the scope read' }],
    });
    expect((await client.listResources()).resources).toEqual([]);
    await expect(client.readResource({ uri: `datasource://${world.datasource}/schema` })).rejects.toThrow(/scope read/);
    const reader = await connected(await keyOf(world.owner, ['read']));
    const asked = await call(reader, 'ask', { datasource_id: world.datasource, question: 'how many rows' });
    expect(textOf(asked)).toBe('forbidden: the API key needs the scope ask');
    await expect(connected(await keyOf(world.owner, ['write']))).rejects.toThrow(/403|scope/);
  });

  it('keeps out keys that are forged, revoked, or of blocked users', async () => {
    const ada = await api.signIn('acme');
    const key = await keyOf(ada);
    const client = await connected(key);
    await changeUser(api, ada, { isActive: false });
    await expect(client.listTools()).rejects.toThrow(/unauthorized/);
    await changeUser(api, ada, { isActive: true });
    expect((await client.listTools()).tools).toHaveLength(5);
    await ada.delete(`/secure/api-keys/${key.split('_')[1]!}`);
    await expect(client.listTools()).rejects.toThrow(/unauthorized/);
    expect(await withToken(ada, `${key.slice(0, -4)}0000`).post('/mcp', {})).toMatchObject(INVALID_TOKEN);
  });

  it('counts each message against the rate limit, and takes no batches', async () => {
    await using own = await startTestApi({ environment: { RATE_LIMIT: '4' } });
    const ada = await own.signIn('acme');
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const accept = { accept: 'application/json, text/event-stream' };
    expect((await ada.post('/mcp', [message, message], accept)).status).toBe(400);
    const client = await connected(ada.token!, own.url);
    await client.listTools();
    await expect(client.listTools()).rejects.toThrow(/too many requests/);
  });

  it.each([
    ['nothing', undefined],
    ['an object', {}],
    ['a wrong version', { jsonrpc: '1.0', id: 1, method: 'tools/list' }],
  ])('answers %s with a 4xx', async (_name, body) => {
    const response = await fetch(`${api.url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${world.owner.token!}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toBeTypeOf('object');
  });

  it.each(['GET', 'DELETE'])('answers %s with 405', async (method) => {
    const response = await fetch(`${api.url}/mcp`, { method, headers: { accept: 'text/event-stream, text/html' } });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('POST');
    expect(await response.json()).toEqual({ error: true, message: 'method not allowed' });
  });
});

describe('a question that takes long', () => {
  it('ends when its asker goes away; another beside it is refused, and leaves no conversation', async () => {
    await using double = await OpenAiDouble.start();
    await using own = await startTestApi({
      environment: { OPENAI_BASE_URL: double.baseUrl, OPENAI_API_KEY: 'sk-x', OPENAI_MODEL: 'm', CHATS_PER_USER: '1' },
    });
    const ada = await own.signIn('acme');
    const datasource = await importedDatasource(own, ada);
    const client = await connected(await keyOf(ada), own.url);
    double.clear();
    double.append({ content: 'Wait', then: 'hang' });
    const question = { datasource_id: datasource, question: 'Anybody?' };
    const first = call(client, 'ask', question).catch(() => 'gone');
    await eventually(
      () => Promise.resolve(double.requests.length),
      (asked) => asked > 0,
    );

    const refused = await call(await connected(ada.token!, own.url), 'ask', question);
    expect(textOf(refused)).toMatch(/^1 of your questions are being answered.*\(try again in 5 s\)$/);
    const total = async (): Promise<unknown> => (await ada.get('/secure/assistant/conversations')).body['total'];
    expect(await total()).toBe(1);

    await client.close();
    expect(await first).toBe('gone');
    await double.requests.at(-1)?.closed;
    const states = async (): Promise<string> => JSON.stringify((await ada.get('/secure/assistant/conversations')).body);
    await eventually(states, (text) => text.includes('"status":"ready"'));
  });
});

describe('what is written down', () => {
  it('is each use with its user and key, and never the key itself', async () => {
    const key = await keyOf(world.owner, ['read']);
    const client = await connected(key);
    lines.length = 0;
    await call(client, 'list_datasources');
    await call(client, 'describe', { datasource_id: UNKNOWN });
    await client.close();
    const about = { user: world.owner.id, key: key.split('_')[1] };
    expect(lines).toContainEqual(
      expect.objectContaining({ msg: 'mcp', use: 'list_datasources', status: 200, ...about }),
    );
    expect(lines).toContainEqual(expect.objectContaining({ msg: 'mcp', use: 'describe', status: 404, ...about }));
    expect(lines).toContainEqual(expect.objectContaining({ msg: 'request', route: '/mcp', status: 200, ...about }));
    expect(JSON.stringify(lines)).not.toContain(key.split('_')[2]);
  });
});
