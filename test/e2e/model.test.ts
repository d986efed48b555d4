import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { importedDatasource, openConversation } from '../api/world.builder.js';
import { eventually } from '../support/eventually.js';
import { OpenAiDouble, queryCall, type DoubleStep } from '../support/openai-double.js';
import { StreamClient, streamUrl } from '../support/stream-client.js';
import { startTestApi, type TestApi } from '../support/test-api.js';
import type { TestClient, TestResponse } from '../support/test-client.js';

const KEY = 'sk-canary-of-a-key';
const BY_DEVICE = queryCall(
  'SELECT "device", avg("temperature") AS mean FROM data GROUP BY 1 ORDER BY 1',
  'average temperature by device',
);
const CHART = {
  name: 'make_chart',
  arguments: JSON.stringify({
    kind: 'bar',
    x: 'device',
    y: 'mean',
    series: null,
    title: 'Average temperature by device',
    x_title: null,
    y_title: null,
  }),
};

let double: OpenAiDouble;
let api: TestApi;
let ada: TestClient;
let datasource: string;
let conversation: string;

beforeAll(async () => {
  double = await OpenAiDouble.start();
  api = await startTestApi({
    environment: {
      OPENAI_BASE_URL: double.baseUrl,
      OPENAI_API_KEY: KEY,
      OPENAI_MODEL: 'double',
      CHAT_TIMEOUT_SECONDS: '8',
      RATE_LIMIT: '0',
    },
  });
  ada = await api.signIn('acme');
  datasource = await importedDatasource(api, ada);
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await double[Symbol.asyncDispose]();
});
beforeEach(async () => {
  double.clear();
  conversation = await openConversation(ada, datasource);
});

function ask(message = 'How warm is each device?'): Promise<TestResponse> {
  return ada.post('/secure/assistant/chat', { conversation_id: conversation, message });
}

/** One question by stream, and all that was heard of it. */
async function streamed(message = 'Rows?'): Promise<{
  readonly frames: StreamClient['frames'];
  readonly chunks: readonly unknown[];
  readonly ends: StreamClient['frames'];
}> {
  const { body } = await ada.post('/secure/assistant/chatstream', { conversation_id: conversation, message });
  await using room = await StreamClient.open(streamUrl(api.url, String(body['message_id']), String(ada.token)));
  const endsIn = (): StreamClient['frames'] => room.frames.filter(({ event }) => /^chat-(complete|error)$/.test(event));
  const ends = await eventually(endsIn, ({ length }) => length > 0);
  const chunks = room.frames.filter(({ event }) => event === 'chat-chunk').map(({ data }) => data['chunk']);
  return { frames: room.frames, chunks, ends };
}

async function status(): Promise<unknown> {
  const { body } = await ada.get(`/secure/assistant/conversation/${conversation}`);
  return (body['conversation'] as { status: string }).status;
}

describe('a question answered by a model behind an endpoint', () => {
  it('comes with the query that ran, its rows, a chart and the words', async () => {
    double.append({ calls: [BY_DEVICE] }, { calls: [CHART] }, { content: 'Device d1 has a mean of **22.3**.' });
    const { status: code, body } = await ask();
    expect(code, JSON.stringify(body)).toBe(200);
    const response = body['response'] as { data: { rows: unknown[][] }; visualization: string };
    expect(response).toMatchObject({
      response: 'Device d1 has a mean of **22.3**.',
      query: 'average temperature by device',
      kind: 'answer',
      model: 'double',
      evidence: { queries: 1, rows_scanned: 48, rows_returned: 2 },
    });
    expect(response.data.rows.map(([device]) => device)).toEqual(['canary-of-acme', 'd1']);
    expect((await ada.bytes(`/secure/assistant/visualizations/${response.visualization}`)).type).toBe('image/png');
  });

  it('arrives in pieces over the stream', async () => {
    const long = 'The mean of the first device is a little below that of the second one. '.repeat(12).trim();
    double.append({ calls: [BY_DEVICE] }, { content: long.match(/.{1,20}/g) ?? [], pieceAfterMs: 5 });
    const { frames, chunks } = await streamed('Compare');
    expect(chunks.length).toBeGreaterThan(2);
    expect(chunks.join('')).toBe(long);
    expect(frames.map(({ data }) => data['seq'])).toEqual(frames.map((_, index) => index + 1));
  });

  it('may repair a query that was wrong or not allowed', async () => {
    const wrong = queryCall('SELECT no_such FROM data');
    const hostile = queryCall("SELECT * FROM read_csv('/etc/passwd')");
    const before = double.requests.length;
    double.append({ calls: [wrong] }, { calls: [hostile] }, { calls: [BY_DEVICE] }, { content: 'Done.' });
    const { body } = await ask();
    expect(body).toMatchObject({ response: { response: 'Done.', evidence: { queries: 1 } } });
    const told = double.requests
      .slice(before)
      .flatMap(({ body: sent }) => sent.messages.filter(({ role }) => role === 'tool'));
    expect(told[0]?.content).toMatch(/no_such/);
    expect(JSON.stringify(told)).not.toMatch(/root:|\/rows\//);
  });

  it('knows what was said before', async () => {
    double.append({ content: 'First answer, nothing more.' }, { content: 'Second.' });
    await ask('First question?');
    await ask('And then?');
    const sent = JSON.stringify(double.requests.at(-1)?.body.messages);
    expect(sent).toContain('First question?');
    expect(sent).toContain('First answer, nothing more.');
  });

  it.each([
    ['is cut', { content: 'The mean', then: 'cut' }],
    ['refuses the key', { status: 401, message: `Incorrect API key provided: ${KEY}` }],
  ] as const)(
    'fails in the envelope when the endpoint %s, and the conversation is ready again',
    async (_name, step) => {
      double.append(step);
      const { status: code, body } = await ask();
      expect({ code, body }).toMatchObject({ code: 503, body: { error: true, message: expect.any(String) as string } });
      expect(JSON.stringify(body)).not.toContain(KEY);
      expect(await status()).toBe('ready');
      const { body: page } = await ada.get(`/secure/assistant/history?conversation_id=${conversation}`);
      const last = (page['history'] as { response?: { error?: string } }[]).at(-1);
      expect(last?.response?.error).toMatch(/\w/);
      expect(JSON.stringify(page)).not.toContain(KEY);
    },
  );

  it('ends when its asker goes away', async () => {
    double.append({ content: 'Wait', then: 'hang' });
    const gone = new AbortController();
    const asked = fetch(`${api.url}/api/v1/secure/assistant/chat`, {
      method: 'POST',
      body: JSON.stringify({ conversation_id: conversation, message: 'Anybody?' }),
      headers: { 'content-type': 'application/json', authorization: `Bearer ${ada.token}` },
      signal: gone.signal,
    }).catch(() => 'gone');
    const seen = double.requests.length;
    while (double.requests.length === seen) await new Promise((wake) => setTimeout(wake, 5));
    gone.abort();
    expect(await asked).toBe('gone');
    await double.requests.at(-1)?.closed;
    while ((await status()) !== 'ready') await new Promise((wake) => setTimeout(wake, 5));
  });
});

const COUNT = queryCall('SELECT count(*) AS n FROM data', 'how many rows there are');
const PLAN = {
  name: 'analyze',
  arguments: JSON.stringify({
    plan: { kind: 'aggregate', measures: [{ aggregate: 'count', column: null, label: 'rows' }] },
    purpose: 'how many rows there are',
  }),
};
const FOUND: DoubleStep = { content: 'There are 48 rows.' };

describe('a model that is asked by stream', () => {
  it.each<[string, readonly DoubleStep[], RegExp]>([
    ['asks by a plan', [{ calls: [PLAN] }, FOUND], /48/],
    ['calls a tool by no name', [{ calls: [{ name: '', arguments: '' }] }, FOUND], /48/],
    ['says it is done while it calls', [{ calls: [COUNT], finish: 'stop' }, FOUND], /48/],
    ['writes far too much', [{ content: ['so it goes, '.repeat(15_000)] }], /so it goes.*…$/s],
  ])('and %s answers all the same', async (_, script, expected) => {
    double.append(...script);
    const { chunks, ends } = await streamed();
    expect(ends).toMatchObject([{ event: 'chat-complete' }]);
    const { response } = ends[0]!.data['response'] as { response: string };
    expect(response).toMatch(expected);
    expect(chunks.join('')).toBe(response);
    expect(response.length).toBeLessThanOrEqual(20_000);
    expect(await status()).toBe('ready');
  });

  it.each<[string, DoubleStep, RegExp]>([
    ['hangs up in the middle', { content: 'The', then: 'cut' }, /broke off|reached/],
    [
      'does not stop writing before it calls',
      { content: ['so it goes, '.repeat(30_000)], calls: [COUNT] },
      /did not stop writing/,
    ],
  ])('and %s ends in a clear sentence', async (_, step, expected) => {
    double.append(step);
    const { ends } = await streamed();
    expect(ends).toMatchObject([{ event: 'chat-error', data: { error: expect.stringMatching(expected) as string } }]);
    expect(ends[0]!.data['error']).not.toMatch(/scripted|127\.0\.0\.1|Error:|undefined/);
    expect(await status()).toBe('ready');
  });
});
