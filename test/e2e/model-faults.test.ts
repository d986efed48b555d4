import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { importedDatasource, openConversation } from '../api/world.builder.js';
import { OpenAiDouble, queryCall, type DoubleStep } from '../support/openai-double.js';
import { StreamClient, streamUrl } from '../support/stream-client.js';
import { startTestApi, type TestApi } from '../support/test-api.js';
import type { TestClient } from '../support/test-client.js';

const LIMIT_S = 5;
const COUNT = queryCall('SELECT count(*) AS n FROM data', 'how many rows there are');
const PLAN = {
  name: 'analyze',
  arguments: JSON.stringify({
    plan: { kind: 'aggregate', measures: [{ aggregate: 'count', column: null, label: 'rows' }] },
    purpose: 'how many rows there are',
  }),
};
const FOUND: DoubleStep = { content: 'There are 48 rows.' };

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
      OPENAI_MODEL: 'double',
      CHAT_TIMEOUT_SECONDS: String(LIMIT_S),
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

interface Told {
  readonly answer: string | null;
  readonly error: string | null;
  readonly chunks: string;
  readonly ends: number;
  readonly ms: number;
}

/** One question by stream, and all that was heard of it. */
async function asked(script: readonly DoubleStep[]): Promise<Told> {
  double.append(...script);
  const begun = performance.now();
  const { body } = await ada.post('/secure/assistant/chatstream', { conversation_id: conversation, message: 'Rows?' });
  await using room = await StreamClient.open(streamUrl(api.url, String(body['message_id']), String(ada.token)));
  const isEnd = ({ event }: { event: string }): boolean => event === 'chat-complete' || event === 'chat-error';
  while (!room.frames.some(isEnd)) await new Promise((wake) => setTimeout(wake, 5));
  const ms = performance.now() - begun;
  const end = room.frames.find(isEnd);
  const chunks = room.frames.filter(({ event }) => event === 'chat-chunk').map(({ data }) => String(data['chunk']));
  const response = end?.data['response'] as { response: string } | undefined;
  return {
    answer: response?.response ?? null,
    error: end?.event === 'chat-error' ? String(end.data['error']) : null,
    chunks: chunks.join(''),
    ends: room.frames.filter(isEnd).length,
    ms,
  };
}

async function expectReady(): Promise<void> {
  const { body } = await ada.get(`/secure/assistant/conversation/${conversation}`);
  expect((body['conversation'] as { status: string }).status).toBe('ready');
}

const ANSWERED: readonly [string, readonly DoubleStep[], RegExp][] = [
  ['asks to wait a second', [{ status: 429, retryAfter: 1 }, FOUND], /48 rows/],
  ['fails once', [{ status: 500 }, FOUND], /48 rows/],
  [
    'cuts the arguments of a call at its length limit',
    [{ calls: [{ ...COUNT, arguments: '{"sql": "SEL' }], finish: 'length' }, FOUND],
    /48/,
  ],
  ['sends arguments that are no JSON', [{ calls: [{ ...COUNT, arguments: '{"sql": SELECT' }] }, FOUND], /48/],
  ['leaves the index of calls out', [{ calls: [COUNT, PLAN], withoutIndex: true }, FOUND], /48/],
  ['asks by a plan', [{ calls: [PLAN] }, FOUND], /48/],
  ['calls a tool that is not there', [{ calls: [{ name: 'rm', arguments: '{}' }] }, FOUND], /48/],
  ['calls it by no name', [{ calls: [{ name: '', arguments: '' }] }, FOUND], /48/],
  ['says it is done while it calls', [{ calls: [COUNT], finish: 'stop' }, FOUND], /48/],
  ['is silent at first', [{ content: '' }, FOUND], /48/],
  ['writes far too much', [{ content: ['so it goes, '.repeat(15_000)] }], /so it goes.*…$/s],
  [
    'is cut by its own length limit',
    [{ calls: [COUNT] }, { ...FOUND, finish: 'length' }],
    /48 rows\.\n\n\(The model reached/,
  ],
  [
    'invents a figure and mends it',
    [{ calls: [COUNT] }, { content: 'There are 4711.' }, FOUND],
    /^There are 48 rows\.$/,
  ],
  [
    'invents a figure twice',
    [{ content: 'There are 4711.' }, { content: 'There are 4712.' }],
    /could not be verified: 4712\._$/,
  ],
];

const FAILED: readonly [string, readonly DoubleStep[], RegExp][] = [
  ['asks to wait an hour', [{ status: 429, retryAfter: 3600 }], /too many requests/],
  ['keeps failing', Array.from({ length: 3 }, () => ({ status: 500 })), /not available/],
  ['refuses the key', [{ status: 401 }], /credentials/],
  ['never begins', [{ headersAfterMs: 60_000 }], /chat timed out/],
  ['stops in the middle and keeps the line open', [{ content: 'The', then: 'hang' }], /chat timed out/],
  ['hangs up in the middle', [{ content: 'The', then: 'cut' }], /broke off|reached/],
  ['never says why it ended', [{ content: 'The end.', finish: null }], /broke off/],
  ['sends a line that nobody can read', [{ content: 'The', then: 'garbage' }], /unreadable|broke off|not available/],
  ['sends an error in the stream', [{ content: 'The', then: 'error' }], /\w/],
  ['says nothing twice', [{ content: '' }, { content: '' }], /gave no answer/],
  [
    'does not stop writing before it calls',
    [{ content: ['so it goes, '.repeat(30_000)], calls: [COUNT] }],
    /did not stop writing/,
  ],
  [
    'writes arguments without an end',
    [{ calls: [{ ...COUNT, arguments: ['x'.repeat(150_000)] }] }],
    /did not stop calling/,
  ],
  ['calls for ever, even in its last step', Array.from({ length: 20 }, () => ({ calls: [COUNT] })), /gave no answer/],
];

describe('a model behind an endpoint that', () => {
  it.each(ANSWERED)('%s is answered all the same', async (_, script, expected) => {
    const told = await asked(script);
    expect(told).toMatchObject({ error: null, ends: 1, answer: expect.stringMatching(expected) as string });
    expect(told.chunks).toBe(told.answer);
    expect(told.answer?.length).toBeLessThanOrEqual(20_000);
    await expectReady();
  });

  it.each(FAILED)('%s ends in a clear sentence, within the limit', async (_, script, expected) => {
    const told = await asked(script);
    expect(told).toMatchObject({ answer: null, ends: 1, error: expect.stringMatching(expected) as string });
    expect(told.error).not.toMatch(/scripted|127\.0\.0\.1|Error:|undefined/);
    expect(told.ms).toBeLessThan(LIMIT_S * 1000 + 2500);
    await expectReady();
  });
});
