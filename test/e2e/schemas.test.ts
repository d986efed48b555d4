import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MATRIX } from '../api/matrix.rows.js';
import { ApiDocument, closed, type OpenApi, type Operation } from '../support/api-document.js';
import { MailSink } from '../support/mail-sink.js';
import { TestProvider } from '../support/oidc-provider.js';
import { OpenAiDouble } from '../support/openai-double.js';
import { ServiceProcess } from '../support/service-process.js';
import { type ReceivedFrame, StreamClient, streamUrl } from '../support/stream-client.js';
import { TestClient } from '../support/test-client.js';
import { notApplicable, SHARED_SERVERS } from '../support/way.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { ALL_CALLS, field, kept, ROWS, until, type Made, type RouteCall } from './schemas.calls.js';

const BUILT_IN = 'built-in analyst';
/** For operators, and what the Model Context Protocol describes itself. */
const NOT_DESCRIBED = ['GET metrics', 'POST mcp', 'GET mcp', 'DELETE mcp'];
const DESCRIBED = Object.keys(MATRIX).filter((route) => !NOT_DESCRIBED.includes(route));
const CALLS: readonly [string, RouteCall][] = ALL_CALLS.map((each) => [
  routeOf(each.call),
  each.call === 'POST secure/assistant/stop'
    ? { ...each, first: beginAnswer, then: () => answersWith(BUILT_IN) }
    : each,
]);
const ACCOUNT = { email: 'ada@example.com', password: 'correct horse battery' };

/** Schemas that stand for something whose form is nobody's to say. */
// prettier-ignore
const FREE_FORMS = [
  'AlertView.plan', 'AnswerView.chart', 'ChangeQuestionBody.plan', 'ChangeSettingsBody.config', 'ChartResponse.chart',
  'ChatBody.plan', 'ChatStreamBody.plan', 'CompanyView.meta', 'CreateAlertBody.plan', 'CreateQuestionBody.plan',
  'FigureView.chart', 'GoldenQuestionView.plan', 'MetricBody.plan', 'MetricView.plan', 'PinBody.plan', 'QueryBody.plan',
  'ResultCsvBody.plan', 'SemanticsBody.filters[]', 'SemanticsView.filters[]', 'SettingsView.config',
  'SharedAnswerView.chart', 'TileView.plan', 'UnderstoodView.plan',
];

/** A call with what earlier ones made. */
interface Call {
  readonly path: string;
  readonly body?: object;
  readonly form?: RouteCall['form'];
}

interface StreamDocument {
  readonly asyncapi: string;
  readonly components: {
    readonly messages: Readonly<Record<string, object>>;
    readonly schemas: Readonly<Record<string, { readonly properties?: object }>>;
  };
}

interface Answered {
  readonly status: number;
  readonly type: string;
  readonly body: Record<string, unknown>;
}

const PUBLIC_URL = 'https://data.example.com';

let provider: TestProvider;
let sink: MailSink;
let folder: string;
let files: WebhookReceiver;
let model: OpenAiDouble;
let service: ServiceProcess;
let openApi: OpenApi;
let document: ApiDocument;
let streamDocument: StreamDocument;
let client: TestClient;
/** Hears all that happens while the calls are made. */
let everything: StreamClient;
const made: Made = new Map(Object.entries(ACCOUNT));

/** The document is made from the build, and so the service that it is held against is the built one. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'das-schemas-'));
  files = await WebhookReceiver.start('127.0.0.1');
  // Once as a whole; from then on it goes on and on.
  files.answer = (response) => (files.received.length > 1 ? response.write(ROWS) : response.end(ROWS));
  made.set('place', `https://127.0.0.1:${files.port}/rows.csv`);
  made.set('authority', files.certificate.cert);
  sink = await MailSink.start();
  provider = await TestProvider.start(`${PUBLIC_URL}/sign-in/callback`);
  provider.knows({ sub: 'ada', email: ACCOUNT.email, email_verified: true });
  made.set('issuer', provider.issuer);
  model = await OpenAiDouble.start();
  service = await ServiceProcess.start({
    DATA_DIR: folder,
    OPENAI_BASE_URL: model.baseUrl,
    OPENAI_MODEL: 'double',
    PLACE_NETWORKS: '127.0.0.1',
    BOOTSTRAP_EMAIL: ACCOUNT.email,
    BOOTSTRAP_PASSWORD: ACCOUNT.password,
    LOGIN_RATE_LIMIT: '0',
    RATE_LIMIT: '0',
    PUBLIC_URL,
    ...sink.environment,
    OIDC_PRIVATE_ISSUERS: 'true',
  });
  openApi = (await documentAt('/docs-json')) as OpenApi;
  document = new ApiDocument(openApi);
  streamDocument = (await documentAt('/docs/asyncapi.json')) as StreamDocument;
  client = await TestClient.signIn(service.url, ACCOUNT.email, ACCOUNT.password);
  made.set('token', String(client.token));
  await answersWith(BUILT_IN);
  everything = await StreamClient.open(streamUrl(service.url, 'everything', String(client.token)));
}, 120_000);
afterAll(async () => {
  await everything[Symbol.asyncDispose]();
  await service.stop();
  await model[Symbol.asyncDispose]();
  await files[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
  await sink[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

async function documentAt(path: string): Promise<unknown> {
  return (await fetch(`${service.url}${path}`)).json();
}

async function answersWith(name: string): Promise<void> {
  await client.patch('/secure/settings', { config: { assistant: { model: name } } });
}

/** A chart by stream, and then an answer that the model would never end. */
async function beginAnswer(made: Made): Promise<void> {
  const conversation = kept(made, 'conversation');
  const asked = { conversation_id: conversation, message: 'average temperature by device' };
  await client.post('/secure/assistant/chatstream', asked);
  await until(client, `/secure/assistant/conversation/${conversation}`, (text) => text.includes('"ready"'));
  await answersWith('double');
  const { length } = model.requests;
  model.append({ content: 'So far', then: 'hang' });
  await client.post('/secure/assistant/chatstream', asked);
  await expect.poll(() => model.requests.length).toBeGreaterThan(length);
}

/** `GET secure/user/:id` of `GET secure/user/<member>`. */
function routeOf(call: string): string {
  const [path = ''] = call.split('?');
  const isIts = (route: string): boolean => new RegExp(`^${route.replace(/:\w+/g, '<[^>]+>')}$`).test(path);
  return DESCRIBED.find(isIts) ?? `${path} is no route`;
}

function filled({ call, body, form }: RouteCall): Call {
  const fill = (text: string): string => text.replace(/<([a-z ]+)>/g, (_, name: string) => kept(made, name));
  const inner = (_: string, value: unknown): unknown => (typeof value === 'string' ? fill(value) : value);
  return {
    path: `/${fill(call.slice(call.indexOf(' ') + 1))}`,
    ...(body === undefined ? {} : { body: JSON.parse(JSON.stringify(body), inner) as object }),
    ...(form === undefined ? {} : { form }),
  };
}

async function send(route: string, call: Call, token: string | null = client.token): Promise<Answered> {
  const [method = 'GET'] = route.split(' ');
  const { headers, ...payload } = payloadOf(call);
  const response = await fetch(`${service.url}${call.path.startsWith('/health') ? '' : '/api/v1'}${call.path}`, {
    method,
    headers: { ...headers, ...(token === null ? {} : { authorization: `Bearer ${token}` }) },
    ...payload,
  });
  const type = response.headers.get('content-type') ?? '';
  const text = await response.text();
  return { status: response.status, type, body: type.includes('json') ? (JSON.parse(text) as Answered['body']) : {} };
}

function payloadOf({ body, form }: Call): { readonly headers: object; readonly body?: string | FormData } {
  const parts = new FormData();
  for (const { field: name, name: file, type, text } of form ?? [])
    parts.append(name, new Blob([text], { type }), file);
  if (form !== undefined) return { headers: {}, body: parts };
  return body === undefined
    ? { headers: {} }
    : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

/** As `send`, but again when what has to happen just before was over too soon. */
async function sendAfter(route: string, { first }: RouteCall, call: Call): Promise<Answered> {
  for (let turn = 1; ; turn += 1) {
    await first?.(made, client);
    const answered = await send(route, call);
    if (first === undefined || answered.status !== 409 || turn === 20) return answered;
  }
}

function operations(): readonly [string, Operation][] {
  return document.routes.map((route) => [route, document.operation(route)]);
}

describe('the document', () => {
  it('is OpenAPI 3.1 with a page, names every route of clients, and each is called here', async () => {
    const page = await fetch(`${service.url}/docs`);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('swagger-ui');
    expect(openApi).toMatchObject({ openapi: '3.1.0', servers: [{ url: '/' }] });
    const routes = [...document.routes].sort();
    expect(routes).toEqual(DESCRIBED.toSorted());
    expect(CALLS.map(([route]) => route).sort()).toEqual(routes);
  });

  it('is made of schemas that say what everything is, but for what is free in form', () => {
    expect(document.schemaProblems()).toEqual([]);
    expect([...document.openSchemas()].sort()).toEqual(FREE_FORMS);
    expect(JSON.stringify(openApi)).not.toContain('"nullable"');
  });

  it('says which routes need a token', () => {
    for (const [name, { security }] of operations()) {
      const isPublic = MATRIX[name]?.reach === 'public' && name !== 'POST refresh-token';
      expect(security, name).toEqual(isPublic ? [] : [{ bearer: [] }]);
    }
  });

  it('tells what every operation does, in a summary and at least one sentence more, under one tag that has a sentence', () => {
    for (const [name, { summary, description, tags }] of operations()) {
      expect(summary, name).toMatch(/^[A-Z].{6,150}\.$/);
      expect(description, name).toMatch(/^[A-Z`].{20,}\.$/);
      expect(tags, name).toHaveLength(1);
    }
    const ids = operations().map(([, { operationId }]) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    const used = operations().flatMap(([, { tags }]) => tags);
    expect(new Set(openApi.tags.map(({ name }) => name))).toEqual(new Set(used));
    for (const { name, description } of openApi.tags) expect(description, name).toMatch(/\.$/);
  });

  it('declares how an operation can fail, by what it asks for', () => {
    const statuses = new Map(operations().map(([name, { responses }]) => [name, Object.keys(responses).sort()]));
    for (const [name, { security }] of operations())
      if (security.length > 0) expect(statuses.get(name), name).toEqual(expect.arrayContaining(['401', '429']));
    expect(statuses.get('GET secure/currentuser')).toEqual(['200', '401', '429', 'default']);
    expect(statuses.get('GET secure/datasource')).toEqual(['200', '400', '401', '404', '429', 'default']);
    expect(statuses.get('PATCH secure/settings')).toEqual(['200', '400', '401', '403', '429', 'default']);
    expect(statuses.get('DELETE secure/datasource')).toEqual(['200', '400', '401', '403', '404', '429', 'default']);
    expect(statuses.get('POST login')).toEqual(['200', '400', '401', '403', '429', 'default']);
    expect(statuses.get('GET health/ready')).toEqual(['200', '503', 'default']);
  });

  it('has no schema and no response that nothing refers to', () => {
    const text = JSON.stringify(openApi);
    const unused = (['schemas', 'responses'] as const)
      .flatMap((kind) => Object.keys(openApi.components[kind]).map((name) => `#/components/${kind}/${name}`))
      .filter((reference) => !text.includes(`"${reference}"`));
    expect(unused).toEqual([]);
  });

  const elsewhere = notApplicable(SHARED_SERVERS, 'the client is made of the same document in every way');

  it.skipIf(elsewhere)('is what the client is made of, with that of the stream', async () => {
    const schemas = { ...openApi.components.schemas, ...streamDocument.components.schemas };
    // The compiler of TypeScript is much to read, and for this way alone.
    const { typesOf } = await import('../../client/scripts/schema-types.js');
    const types = await typesOf({ ...openApi, components: { ...openApi.components, schemas } });
    const written = await readFile('client/src/schema.d.ts', 'utf8');
    // Not the whole text: a difference of thousands of lines tells less than this sentence.
    expect(written === types, 'client/src/schema.d.ts is stale: run "npm run client:generate"').toBe(true);
  });

  it('of the stream is AsyncAPI 3, and every reference in it leads somewhere', () => {
    expect(streamDocument.asyncapi).toBe('3.0.0');
    for (const [, path] of JSON.stringify(streamDocument).matchAll(/"\$ref":"#\/([^"]+)"/g)) {
      const target = (path ?? '')
        .split('/')
        .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], streamDocument);
      expect(target, path).toBeDefined();
    }
    for (const [name, { properties = {} }] of Object.entries(streamDocument.components.schemas)) {
      expect(Object.keys(properties), name).not.toEqual([]);
    }
  });
});

describe('a success is what the document says', () => {
  it.each(CALLS)('%s', async (route, each) => {
    const request = filled(each);
    const { status, type, body } = await sendAfter(route, each, request);
    expect({ status, body }).toMatchObject({ status: 200 });
    if (document.isBinary(route)) expect(document.typesOf(route)).toContain(type.split(';')[0]);
    else expect(document.problemsOfAnswer(route, status, body)).toEqual([]);
    if (request.body !== undefined) expect(document.problemsOfRequest(route, request.body)).toEqual([]);
    for (const [name, path] of Object.entries(each.keeps ?? {})) made.set(name, field(body, path));
    await each.then?.(body, made, client);
  });
});

describe('a frame is what the document says', () => {
  /** Checks a frame by its message, with no field that is not named. */
  function checks(): (frame: ReceivedFrame) => readonly string[] {
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    addFormats.default(ajv);
    ajv.addSchema({ $id: 'doc:/', ...(closed(streamDocument) as object) });
    const known = new Map<string, ValidateFunction>();
    return (frame) => {
      const { event } = frame;
      if (!Object.hasOwn(streamDocument.components.messages, event)) return [`${event} is not in the document`];
      const check = known.get(event) ?? ajv.compile({ $ref: `doc:/#/components/messages/${event}/payload` });
      known.set(event, check);
      if (check(frame)) return [];
      return (check.errors ?? []).map(
        ({ instancePath, message, params }) => `${event}${instancePath} ${String(message)} ${JSON.stringify(params)}`,
      );
    };
  }

  it('of each kind that there is', async () => {
    const { frames } = everything;
    const kinds = new Set(Object.keys(streamDocument.components.messages));
    await expect.poll(() => new Set(frames.map(({ event }) => event))).toEqual(kinds);
    const problemsOf = checks();
    expect(frames.flatMap((frame) => problemsOf(frame))).toEqual([]);
    // The checks can fail.
    const [first] = frames;
    expect(problemsOf({ ...first!, data: { ...first!.data, more: 1 } })).not.toEqual([]);
  });
});

describe('a failure is what the document says', () => {
  // The last of the calls above signed out.
  let again: TestClient;
  beforeAll(async () => {
    again = await TestClient.signIn(service.url, ACCOUNT.email, ACCOUNT.password);
  });

  it.each<[number, string, Call]>([
    [400, 'POST login', { path: '/login', body: {} }],
    [401, 'POST login', { path: '/login', body: { email: ACCOUNT.email, password: 'another' } }],
    [400, 'GET secure/datasource', { path: '/secure/datasource?id=nothing' }],
    [404, 'GET secure/datasource', { path: `/secure/datasource?id=${'f'.repeat(24)}` }],
    [400, 'POST secure/board', { path: '/secure/board', body: { title: [{ $ne: null }] } }],
    [415, 'POST secure/datasource/upload', { path: '/secure/datasource/upload', body: {} }],
  ])('with %i of %s', async (expected, route, call) => {
    const { status, body } = await send(route, call, again.token);
    expect(status).toBe(expected);
    expect(document.problemsOfAnswer(route, status, body)).toEqual([]);
  });
});
