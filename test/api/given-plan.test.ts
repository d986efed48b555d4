import { afterAll, describe, expect, it } from 'vitest';
import { OpenAiDouble } from '../support/openai-double.js';
import { StreamClient, streamUrl } from '../support/stream-client.js';
import { startTestApi } from '../support/test-api.js';
import type { TestResponse } from '../support/test-client.js';
import { CANARY, importedDatasource, openConversation } from './world.builder.js';

const PLAN = {
  kind: 'aggregate',
  measures: [{ aggregate: 'avg', column: 'temperature', label: 'average temperature' }],
  dimensions: [{ kind: 'column', column: 'device', label: 'device' }],
  filters: [{ kind: 'time', column: 'at', from: '2024-01-01', to: '2024-01-02' }],
};
const WHOLE = { ...PLAN, having: [], order: [], limit: null };

interface Answer {
  readonly response: string;
  readonly query: string;
  readonly data: { readonly rows: readonly unknown[][] };
  readonly kind: string;
  readonly model: string;
  readonly understood: {
    readonly plan: Record<string, unknown>;
    readonly chart: string | null;
    readonly parts: readonly { readonly kind: string; readonly words: string; readonly at: string }[];
  } | null;
}

/** A model is there, and would fail. */
const double = await OpenAiDouble.start();
const api = await startTestApi({
  environment: { OPENAI_BASE_URL: double.baseUrl, OPENAI_API_KEY: 'sk-canary', OPENAI_MODEL: 'double' },
});
const ada = await api.signIn('acme');

const datasource = await importedDatasource(api, ada);
const conversation = await openConversation(ada, datasource);
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await double[Symbol.asyncDispose]();
});

function ask(body: object): Promise<TestResponse> {
  return ada.post('/secure/assistant/chat', { conversation_id: conversation, ...body });
}

async function answerTo(body: object): Promise<Answer> {
  const { status, body: answered } = await ask(body);
  expect(status, JSON.stringify(answered)).toBe(200);
  return answered['response'] as Answer;
}

async function history(): Promise<readonly { readonly message: string; readonly response?: Answer }[]> {
  const { body } = await ada.get(`/secure/assistant/history?conversation_id=${conversation}`);
  return body['history'] as { message: string; response?: Answer }[];
}

describe('a plan instead of a question', () => {
  it('is answered without a model, shown in words, and understood as it is', async () => {
    const answer = await answerTo({ plan: PLAN });
    expect(answer).toMatchObject({ kind: 'answer', model: 'built-in analyst' });
    expect(answer.data.rows).toEqual([
      [CANARY, 21.2],
      ['d1', expect.closeTo(21.1)],
    ]);
    expect(answer.understood).toEqual({
      plan: WHOLE,
      chart: 'bar',
      parts: [
        { kind: 'figure', words: 'average temperature', at: 'measures.0' },
        { kind: 'group', words: 'by device', at: 'dimensions.0' },
        { kind: 'period', words: 'at is on 2024-01-01', at: 'filters.0' },
        { kind: 'chart', words: 'bar chart', at: 'chart' },
      ],
    });
    const [question, told] = (await history()).slice(-2);
    expect(question?.message).toBe('Average temperature by device, where at is on 2024-01-01');
    expect(told?.response).toEqual(answer);
    expect(double.requests).toEqual([]);
  });

  it('gives the same figures when it is asked again, and takes the chart that is wished for', async () => {
    const first = await answerTo({ plan: PLAN });
    const again = await answerTo({ plan: first.understood?.plan, chart: 'pie', message: 'unused' });
    expect(again.data).toEqual(first.data);
    expect(again.understood).toMatchObject({ plan: first.understood?.plan, chart: 'pie' });
    expect((await history()).at(-2)?.message).toBe('Average temperature by device, where at is on 2024-01-01');
  });

  it('is streamed as any answer, with what was understood in the last frame', async () => {
    const { status, body } = await ada.post('/secure/assistant/chatstream', {
      conversation_id: conversation,
      plan: { ...PLAN, filters: [] },
    });
    expect(status).toBe(200);
    await using stream = await StreamClient.open(streamUrl(api.url, String(body['message_id']), ada.token ?? ''));
    const { data } = await stream.hears({ event: 'chat-complete' });
    expect(data['response']).toMatchObject({ understood: { plan: { ...WHOLE, filters: [] }, chart: 'bar' } });
    expect((await history()).at(-1)?.response).toEqual(data['response']);
    expect(double.requests).toEqual([]);
  });

  it('says in the answer what can’t be worked out', async () => {
    const measures = [{ aggregate: 'avg', column: 'note', label: 'a' }];
    expect(await answerTo({ plan: { ...PLAN, measures } })).toMatchObject({
      kind: 'cannot',
      response: expect.stringContaining('a column of numbers') as string,
      understood: null,
    });
  });

  it.each<[string, object, string]>([
    [
      'an unknown column',
      { plan: { ...PLAN, dimensions: [{ kind: 'column', column: 'x', label: 'x' }] } },
      'plan.dimensions.0.column',
    ],
    ['an unknown field', { plan: { ...PLAN, sql: 'SELECT 1' } }, 'plan'],
    ['a chart that is none', { plan: PLAN, chart: 'cake' }, 'chart'],
    ['neither a plan nor a question', {}, 'message'],
  ])('is refused by the name of the field: %s', async (_, body, field) => {
    const before = await history();
    const refused = await ask(body);
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject({ error: true, details: [expect.objectContaining({ field })] });
    expect(await history()).toEqual(before);
  });

  it('is not asked of context files', async () => {
    expect((await ask({ plan: PLAN, context_only: true })).body).toMatchObject({ details: [{ field: 'plan' }] });
  });

  it('is what a follow-up goes on from', async () => {
    await answerTo({ plan: PLAN });
    double.append({
      calls: [
        {
          name: 'analyze',
          arguments: JSON.stringify({ measures: [{ aggregate: 'max', column: 'temperature' }], purpose: 'x' }),
        },
      ],
    });
    double.append({ content: 'The highest temperature is 24.7.' });
    const { understood } = await answerTo({ message: 'And the highest?' });
    expect(understood?.parts).toEqual([{ kind: 'figure', words: 'highest temperature', at: 'measures.0' }]);
    expect(JSON.stringify(double.requests[0]?.body.messages)).toContain('Average temperature by device');
  });
});
