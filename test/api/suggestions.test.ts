import { describe, expect, it } from 'vitest';
import { StreamClient, streamUrl } from '../support/stream-client.js';
import type { TestResponse } from '../support/test-client.js';
import { theService } from './a-service.js';
import { aDatasourceBody, importedDatasource, openConversation } from './world.builder.js';

const api = await theService();
const [ada, colleague] = [await api.signIn('acme'), await api.signIn('acme')];

const CSV = [
  'region,at,revenue,units,channel',
  ...Array.from({ length: 60 }, (_, day) => {
    const at = new Date(Date.UTC(2024, 0, 1 + day)).toISOString().slice(0, 10);
    return `${['north', 'south'][day % 2]},${at},${day * 10.5},${((day * 7) % 23) + 1},${['web', 'shop', 'phone'][day % 3]}`;
  }),
].join('\n');

const suggestionsOf = (conversation: string, by = ada): Promise<TestResponse> =>
  by.get(`/secure/assistant/suggestionsquery?conversation_id=${conversation}`);

const reload = (conversation: string, by = ada): Promise<TestResponse> =>
  by.get(`/secure/assistant/suggestionsquery/reload?conversation_id=${conversation}`);

const questionsOf = async (conversation: string): Promise<string[]> => {
  const { status, body } = await suggestionsOf(conversation);
  expect({ status, ...body }).toMatchObject({ status: 200, error: false, message: 'suggestions query retrieved' });
  return JSON.parse(body['suggested_questions'] as string) as string[];
};

const ask = async (conversation: string, message: string): Promise<{ kind: string; dbquery: string }> => {
  const { body } = await ada.post('/secure/assistant/chat', { conversation_id: conversation, message });
  return body['response'] as { kind: string; dbquery: string };
};

const aConversation = async (csv = CSV): Promise<string> =>
  openConversation(ada, await importedDatasource(api, ada, csv, { metafield: 'region' }));

describe('suggested questions', () => {
  it('are 4 to 6 texts in a JSON text, each of which can be answered, and others when they are reloaded', async () => {
    const conversation = await aConversation();
    const before = await questionsOf(conversation);
    expect(before.length).toBeGreaterThanOrEqual(4);
    expect(before.length).toBeLessThanOrEqual(6);
    expect(new Set(before).size).toBe(before.length);
    for (const question of before) {
      const answer = await ask(conversation, question);
      expect({ question, kind: answer.kind }).toEqual({ question, kind: 'answer' });
      expect(answer.dbquery).toMatch(/SELECT/);
    }
    const other = await openConversation(ada, await datasourceOf(conversation));
    await questionsOf(other);
    expect(await reload(other)).toMatchObject({
      status: 200,
      body: { error: false, message: 'suggestions reloading started' },
    });
    expect(await questionsOf(conversation)).toEqual(before);
    await reload(conversation);
    const after = await questionsOf(conversation);
    expect(after.length).toBeGreaterThanOrEqual(4);
    expect(after.filter((question) => before.includes(question))).toEqual([]);
    expect(await questionsOf(conversation)).toEqual(after);
  }, 120_000);

  it('tell their user, and nobody else, when they are new', async () => {
    const conversation = await aConversation();
    await using own = await StreamClient.open(streamUrl(api.url, conversation, String(ada.token)));
    await using others = await StreamClient.open(streamUrl(api.url, 'all', String(colleague.token)));
    await reload(conversation);
    await own.hears({ event: 'suggestions-updated', data: { conversation_id: conversation } });
    const theirs = await openConversation(colleague, await datasourceOf(conversation));
    await reload(theirs, colleague);
    await others.hears({ event: 'suggestions-updated', data: { conversation_id: theirs } });
    expect(others.frames.filter(({ event }) => event === 'suggestions-updated')).toHaveLength(1);
  });

  it('begin a new conversation with what its user asked of the datasource before, and nobody else did', async () => {
    const datasource = await importedDatasource(api, ada, CSV, { metafield: 'region' });
    const [earlier, theirs] = [await openConversation(ada, datasource), await openConversation(colleague, datasource)];
    const mine = 'Total units by channel in January 2024?';
    await ask(earlier, mine);
    await ask(earlier, mine.toLowerCase());
    await ask(earlier, 'by region');
    await ask(earlier, 'What is the colour of the moon?');
    await ask(earlier, 'Total units of channel web after 2031?');
    await colleague.post('/secure/assistant/chat', { conversation_id: theirs, message: 'Lowest revenue by channel?' });
    api.clock.advance(1000);
    const questions = await questionsOf(await openConversation(ada, datasource));
    expect(questions[0]?.toLowerCase()).toBe(mine.toLowerCase());
    expect(questions.join()).not.toMatch(/(?:^|,)by region|moon|2031|Lowest revenue by channel/);
    expect((await questionsOf(earlier)).join()).not.toContain('units by channel in January');
  });

  it('of rows that came in are told to whoever has them open', async () => {
    const conversation = await aConversation('region,at,revenue\nnorth,2024-01-01,1\nnorth,2024-01-02,2\n');
    await questionsOf(conversation);
    await using room = await StreamClient.open(streamUrl(api.url, conversation, String(ada.token)));
    for (const [region, at] of [
      ['south', '2024-01-03'],
      ['east', '2024-01-04'],
    ]) {
      const data = [{ region, at, revenue: '3' }];
      await ada.patch('/secure/datasource/insert', { datasource_id: await datasourceOf(conversation), data });
      await api.drain();
      api.clock.advance(120_000);
    }
    await room.hears({ event: 'suggestions-updated', data: { conversation_id: conversation } });
    expect((await questionsOf(conversation)).join()).toContain('by region');
  });

  it('are none where there is nothing to ask about, or context files alone are asked', async () => {
    const { body: upload } = await ada.upload(CSV);
    const { body } = await ada.put(
      '/secure/datasource',
      aDatasourceBody(String(upload['filename']), { metafield: 'region' }),
    );
    const importing = await openConversation(ada, String(body['datasource_id']));
    expect(await questionsOf(importing)).toEqual([]);
    expect(await reload(importing)).toMatchObject({ status: 200 });
    await api.drain();
    expect((await questionsOf(importing)).length).toBeGreaterThanOrEqual(4);
    await ada.put('/secure/assistant/conversation', { id: importing, context_only: true });
    expect(await questionsOf(importing)).toEqual([]);
  });
});

async function datasourceOf(conversation: string): Promise<string> {
  const { body } = await ada.get(`/secure/assistant/conversation/${conversation}`);
  return (body['conversation'] as { datasource_id: string }).datasource_id;
}
