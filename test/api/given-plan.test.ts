import { describe, expect, it } from 'vitest';
import { StreamClient, streamUrl } from '../support/stream-client.js';
import { aServiceWithModel } from './a-service.js';
import { type Answer, answerTo, CANARY, importedDatasource, openConversation } from './world.builder.js';

const PLAN = {
  kind: 'aggregate',
  measures: [{ aggregate: 'sum', column: 'temperature', label: 'total temperature' }],
  dimensions: [{ kind: 'column', column: 'device', label: 'device' }],
  filters: [{ kind: 'time', column: 'at', from: '2024-01-01', to: '2024-01-02' }],
};
const WHOLE = { ...PLAN, having: [], order: [], limit: null };

/** A model is there, and would fail. */
const [api, double] = await aServiceWithModel();
const ada = await api.signIn('acme');

const datasource = await importedDatasource(api, ada);
const conversation = await openConversation(ada, datasource);

const ask = (body: object): Promise<Answer> => answerTo(ada, conversation, body);

async function history(): Promise<readonly { readonly message: string; readonly response?: Answer }[]> {
  const { body } = await ada.get(`/secure/assistant/history?conversation_id=${conversation}`);
  return body['history'] as { message: string; response?: Answer }[];
}

describe('a plan instead of a question', () => {
  it('is answered without a model, shown in words, understood as it is, and gives the same figures again', async () => {
    const answer = await ask({ plan: PLAN });
    const rows = [
      [CANARY, 254.4],
      ['d1', expect.closeTo(253.2)],
    ];
    expect(answer).toMatchObject({ kind: 'answer', model: 'built-in analyst', data: { rows } });
    expect(answer['understood']).toEqual({
      plan: WHOLE,
      chart: 'bar',
      parts: [
        { kind: 'figure', words: 'total temperature', at: 'measures.0' },
        { kind: 'group', words: 'by device', at: 'dimensions.0' },
        { kind: 'period', words: 'at is on 2024-01-01', at: 'filters.0' },
        { kind: 'chart', words: 'bar chart', at: 'chart' },
      ],
    });
    const message = 'Total temperature by device, where at is on 2024-01-01';
    expect((await history()).slice(-2)).toMatchObject([{ message }, { response: answer }]);
    const again = await ask({ plan: WHOLE, chart: 'pie', message: 'unused' });
    expect(again).toMatchObject({ data: answer['data'], understood: { plan: WHOLE, chart: 'pie' } });
    expect((await history()).at(-2)).toMatchObject({ message });

    const streamed = { conversation_id: conversation, plan: { ...PLAN, filters: [] } };
    const { body } = await ada.post('/secure/assistant/chatstream', streamed);
    await using stream = await StreamClient.open(streamUrl(api.url, String(body['message_id']), ada.token ?? ''));
    const { data } = await stream.hears({ event: 'chat-complete' });
    expect(data['response']).toMatchObject({ understood: { plan: { ...WHOLE, filters: [] }, chart: 'bar' } });
    expect((await history()).at(-1)?.response).toEqual(data['response']);
    expect(double.requests).toEqual([]);
  });

  it('says in the answer what can’t be worked out', async () => {
    const measures = [{ aggregate: 'avg', column: 'note', label: 'a' }];
    expect(await ask({ plan: { ...PLAN, measures } })).toMatchObject({
      kind: 'cannot',
      response: expect.stringContaining('a column of numbers') as string,
      understood: null,
    });
  });

  it.each<[object, string]>([
    [{ plan: { ...PLAN, dimensions: [{ kind: 'column', column: 'x', label: 'x' }] } }, 'plan.dimensions.0.column'],
    [{ plan: { ...PLAN, sql: 'SELECT 1' } }, 'plan'],
    [{ plan: PLAN, chart: 'cake' }, 'chart'],
    [{}, 'message'],
    [{ message: ' \n ' }, 'message'],
    // Of context files, of which no plan is asked.
    [{ plan: PLAN, context_only: true }, 'plan'],
  ])('is refused by the name of the field: %j', async (asked, field) => {
    const before = await history();
    const refused = await ada.post('/secure/assistant/chat', { conversation_id: conversation, ...asked });
    expect(refused).toMatchObject({ status: 400, body: { error: true, details: [{ field }] } });
    expect(await history()).toEqual(before);
  });

  it('is what a follow-up goes on from', async () => {
    await ask({ plan: PLAN });
    const highest = { measures: [{ aggregate: 'max', column: 'temperature' }], purpose: 'x' };
    double.append({ calls: [{ name: 'analyze', arguments: JSON.stringify(highest) }] });
    double.append({ content: 'The highest temperature is 24.7.' });
    const { understood } = await ask({ message: 'And the highest?' });
    const parts = [{ kind: 'figure', words: 'highest temperature', at: 'measures.0' }];
    expect((understood as { parts: unknown }).parts).toEqual(parts);
    expect(JSON.stringify(double.requests[0]?.body.messages)).toContain('Total temperature by device');
  });
});
