import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiDocument } from '../support/api-document.js';
import { MailSink } from '../support/mail-sink.js';
import { TestProvider } from '../support/oidc-provider.js';
import { ServiceProcess } from '../support/service-process.js';
import { TestClient } from '../support/test-client.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { allCalls } from './schemas.calls.js';
import { callOf, field, ROWS, type Call, type Made, type RouteCall } from './schemas.world.js';

const CALLS = allCalls();
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
let service: ServiceProcess;
let document: ApiDocument;
let client: TestClient;
const made: Made = new Map(Object.entries(ACCOUNT));
/** The calls as they were made, with the ids that were there then. */
const sent = new Map<string, Call>();

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
  service = await ServiceProcess.start({
    DATA_DIR: folder,
    PLACE_NETWORKS: '127.0.0.1',
    BOOTSTRAP_EMAIL: ACCOUNT.email,
    BOOTSTRAP_PASSWORD: ACCOUNT.password,
    LOGIN_RATE_LIMIT: '0',
    PUBLIC_URL,
    ...sink.environment,
    OIDC_PRIVATE_ISSUERS: 'true',
  });
  document = await ApiDocument.of(service.url);
  client = await TestClient.signIn(service.url, ACCOUNT.email, ACCOUNT.password);
  made.set('token', String(client.token));
}, 60_000);
afterAll(async () => {
  await service.stop();
  await files[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
  await sink[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

async function send(route: string, call: Call, token: string | null = client.token): Promise<Answered> {
  const [method = 'GET'] = route.split(' ');
  const prefix = call.path.startsWith('/health') ? '' : '/api/v1';
  const { headers, ...payload } = payloadOf(call);
  const authorization = token === null ? {} : { authorization: `Bearer ${token}` };
  const response = await fetch(`${service.url}${prefix}${call.path}`, {
    method,
    headers: { ...headers, ...authorization },
    ...payload,
  });
  const type = response.headers.get('content-type') ?? '';
  const text = await response.text();
  return { status: response.status, type, body: type.includes('json') ? (JSON.parse(text) as Answered['body']) : {} };
}

/** As `send`, but again when what has to happen just before was over too soon. */
async function sendAfter({ route, first }: RouteCall, call: Call): Promise<Answered> {
  for (let turn = 1; ; turn += 1) {
    await first?.(made, client);
    const answered = await send(route, call);
    if (first === undefined || answered.status !== 409 || turn === 20) return answered;
  }
}

function payloadOf({ body, form }: Call): {
  readonly headers: Record<string, string>;
  readonly body?: string | FormData;
} {
  if (form !== undefined) return { headers: {}, body: formOf(form) };
  if (body === undefined) return { headers: {} };
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

function formOf(parts: NonNullable<Call['form']>): FormData {
  const form = new FormData();
  for (const { field, name, type, text } of parts) form.append(field, new Blob([text], { type }), name);
  return form;
}

describe('the document', () => {
  it('has one call here for each of its routes, and none is called that it does not have', () => {
    expect(CALLS.map(({ route }) => route).sort()).toEqual([...document.routes].sort());
  });

  it('is made of schemas', () => {
    expect(document.schemaProblems()).toEqual([]);
  });

  it('says what everything is, but for what is free in form', () => {
    expect([...document.openSchemas()].sort()).toEqual(FREE_FORMS);
  });
});

describe('a success is what the document says', () => {
  it.each(CALLS.map((each): [string, RouteCall] => [each.route, each]))('%s', async (route, each) => {
    const request = callOf(each, made);
    sent.set(route, request);
    const { status, type, body } = await sendAfter(each, request);
    expect({ status, body }).toMatchObject({ status: 200 });
    if (document.isBinary(route)) expect(document.typesOf(route)).toContain(type.split(';')[0]);
    else expect(document.problemsOfAnswer(route, status, body)).toEqual([]);
    if (request.body !== undefined) expect(document.problemsOfRequest(route, request.body)).toEqual([]);
    for (const [name, path] of Object.entries(each.keeps ?? {})) made.set(name, field(body, ...path));
    await each.then?.(body, made, client);
  });
});

describe('a failure is what the document says', () => {
  const secured = CALLS.filter(({ route }) => route.includes(' secure/'));
  const others = CALLS.filter(({ route }) => !route.includes(' secure/'));

  it.each(secured.map(({ route }) => route))('%s without a token', async (route) => {
    const { status, body } = await send(route, sent.get(route)!, null);
    expect({ status, body }).toMatchObject({ status: 401, body: { message: 'unauthorized - invalid token' } });
    expect(document.problemsOfAnswer(route, status, body)).toEqual([]);
  });

  it.each(others.filter(({ route }) => route.startsWith('POST')).map(({ route }) => route))(
    '%s with an empty body',
    async (route) => {
      const { status, body } = await send(route, { ...sent.get(route)!, body: {} }, null);
      expect([400, 401]).toContain(status);
      expect(document.problemsOfAnswer(route, status, body)).toEqual([]);
    },
  );

  // The last of the calls above signed out, and so does the last of these.
  let again: TestClient;
  beforeAll(async () => {
    again = await TestClient.signIn(service.url, ACCOUNT.email, ACCOUNT.password);
  });

  it.each(secured.map(({ route }) => route))('%s with something wrong', async (route) => {
    const { status, body } = await send(route, spoilt(sent.get(route)!), again.token);
    // What takes nothing has nothing that could be wrong with it.
    if (status === 200) expect(takesNothing(route)).toBe(true);
    else expect(status).toBeLessThan(500);
    const isFile = status === 200 && document.isBinary(route);
    if (!isFile) expect(document.problemsOfAnswer(route, status, body)).toEqual([]);
  });
});

/** The same call with every value of its body of another type, and with ids that are none. */
function spoilt({ path, body, form }: Call): Call {
  const badPath = path.replace(/[0-9a-f]{24}/g, 'not-an-id').replace(/[^/]+\.png$/, 'nothing.png');
  if (form !== undefined) return { path: badPath, body: {} };
  if (body === undefined) return { path: badPath };
  return { path: badPath, body: Object.fromEntries(Object.keys(body).map((name) => [name, [{ $ne: null }]])) };
}

function takesNothing(route: string): boolean {
  const { path, body, form } = sent.get(route)!;
  return body === undefined && form === undefined && !/[0-9a-f]{24}|\.png/.test(path);
}
