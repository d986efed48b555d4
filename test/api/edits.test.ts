import { describe, expect, it } from 'vitest';
import { ConversationRepository } from '../../src/features/assistant/conversations/conversation.repository.js';
import { asId, type MessageId } from '../../src/shared/ids.js';
import type { Principal } from '../../src/shared/principal.js';
import { storedObjects } from '../support/stored-objects.js';
import type { TestResponse } from '../support/test-client.js';
import { theService } from './a-service.js';
import { ROWS_CSV, aDatasourceBody, importedDatasource, look, openConversation, uploaded } from './world.builder.js';

const api = await theService();
const [ada, colleague, eve] = [await api.signIn('acme'), await api.signIn('acme'), await api.signIn('globex')];
const datasource = await importedDatasource(api, ada);

type Body = Record<string, unknown>;

const refusal = (status: number, message: string): object => ({ status, body: { error: true, message } });

describe('editing a datasource', () => {
  const edit = (body: object, by = ada): Promise<TestResponse> =>
    by.patch('/secure/datasource', { id: datasource, ...body });

  it('changes only the fields sent, for a colleague too', async () => {
    const before = await look(ada, datasource);
    api.clock.advance(1000);
    const named = await edit({ id: datasource.toUpperCase(), name: 'Greenhouse' }, colleague);
    const renamed = { ...before, name: 'Greenhouse', updated_at: api.clock.now().toISOString() };
    expect(named).toMatchObject({ status: 200, body: { error: false, message: 'datasource updated' } });
    expect(named.body['datasource']).toEqual(renamed);

    const explained = await edit({ name: null, context: 'in °C' });
    const config = { ...(before['config'] as Body), context: 'in °C' };
    expect(explained.body['datasource']).toEqual({ ...renamed, config });
    expect(await look(ada, datasource)).toEqual({ ...renamed, config });

    const emptied = await edit({ context: '' });
    expect(emptied.body).toMatchObject({ datasource: { name: 'Greenhouse', config: { context: '' } } });
  });

  it('keeps both of two edits at once', async () => {
    await Promise.all([edit({ name: 'One' }), edit({ context: 'Other' }, colleague)]);
    expect(await look(ada, datasource)).toMatchObject({ name: 'One', config: { context: 'Other' } });
  });

  it('goes together with an import, and keeps what its creator has said that it is made from', async () => {
    const asked = { ...aDatasourceBody(await uploaded(ada, ROWS_CSV)), type: 'txt' };
    const id = String((await ada.put('/secure/datasource', asked)).body['datasource_id']);
    expect(await edit({ id, name: 'Meanwhile', context: 'early' })).toMatchObject({ status: 200 });
    await api.drain();
    expect(await look(ada, id)).toMatchObject({
      ...{ name: 'Meanwhile', type: 'txt', doc_count: 48, updating: false, import: { status: 'ready' } },
      config: { context: 'early', metafield: 'device' },
    });
  });

  it('refuses what does not fit, and when nothing is sent', async () => {
    const before = await look(ada, datasource);
    expect(await edit({ name: null })).toMatchObject(refusal(400, 'send a name or a context to change'));
    expect(await edit({ name: 5 })).toMatchObject(refusal(400, 'name must be a string'));
    expect(await edit({ name: '  ' })).toMatchObject(refusal(400, 'name must have 1 to 200 characters'));
    const tooLong = { name: 'x'.repeat(201), context: 'x'.repeat(20_001) };
    for (const [field, value] of Object.entries(tooLong))
      expect(await edit({ name: 'Other', context: 'Else', [field]: value })).toMatchObject({
        status: 400,
        body: { details: [{ field }] },
      });
    expect(await look(ada, datasource)).toEqual(before);
  });
});

it('deleting an upload removes it with its file, once, and leaves what a datasource is made from', async () => {
  const remove = (filename: string): Promise<TestResponse> => ada.delete('/secure/datasource/upload', { filename });
  const [filename, taken] = [await uploaded(ada, ROWS_CSV), await uploaded(ada, ROWS_CSV)];
  expect(await storedObjects(api.dataDir)).toContain(filename);
  expect(await remove(filename)).toMatchObject({ status: 200, body: { error: false } });
  expect(await storedObjects(api.dataDir)).not.toContain(filename);
  for (const name of [filename, '../../secrets.csv']) expect(await remove(name)).toMatchObject({ status: 404 });
  expect(await ada.put('/secure/datasource', aDatasourceBody(filename))).toMatchObject({ status: 404 });

  const { body } = await ada.put('/secure/datasource', aDatasourceBody(taken));
  expect(await remove(taken)).toMatchObject({ status: 404 });
  await api.drain();
  const made = await look(ada, String(body['datasource_id']));
  expect(made).toMatchObject({ doc_count: 48, import: { status: 'ready' } });
});

describe('editing a conversation', () => {
  const edit = (body: object, by = ada): Promise<TestResponse> => by.put('/secure/assistant/conversation', body);
  const read = async (id: string): Promise<Body> =>
    (await ada.get(`/secure/assistant/conversation/${id}`)).body['conversation'] as Body;

  it.each([
    [{ title: '  Heat  ' }, { title: 'Heat' }],
    [{ context_only: true }, { context_only: true }],
    [{ title: null, datasource_id: null, pinned: null, context_only: null }, {}],
  ])('with %j changes only that', async (sent, changed) => {
    const id = await openConversation(ada, datasource);
    const before = await read(id);
    api.clock.advance(1000);
    const response = await edit({ id: id.toUpperCase(), ...sent });
    expect(response).toMatchObject({ status: 200, body: { error: false, message: 'conversation updated' } });
    expect(response.body['conversation']).toEqual({ ...before, ...changed });
    expect(await read(id)).toEqual({ ...before, ...changed });
  });

  it('gives it another datasource of the company, unless it is busy, and none of another company', async () => {
    const [id, other] = [await openConversation(ada, datasource), await importedDatasource(api, colleague)];
    const foreign = await importedDatasource(api, eve);
    const before = await read(id);
    const refused = await edit({ id, title: 'Other', datasource_id: foreign });
    expect(refused).toMatchObject(refusal(404, 'datasource not found'));
    expect(await read(id)).toEqual(before);
    const moved = await edit({ id, datasource_id: other.toUpperCase() });
    expect(moved).toMatchObject({ status: 200, body: { conversation: { datasource_id: other } } });

    const principal = { companyId: asId(ada.companyId), userId: asId(ada.id) } as Principal;
    const answering = { messageId: asId<MessageId>('a'.repeat(24)), saved: true };
    const lease = { leaseOwner: 'somebody', leaseUntil: new Date(api.clock.now().getTime() + 60_000) };
    await api.get(ConversationRepository).beginAnswer(principal, asId(id), answering, lease);
    const back = await edit({ id, title: 'Moved', datasource_id: datasource });
    expect(back).toMatchObject(refusal(409, 'conversation is busy'));
    const whole = await edit({ id, title: 'Named', datasource_id: other, pinned: true, context_only: false });
    const conversation = { title: 'Named', pinned: true, status: 'loading', datasource_id: other };
    expect(whole).toMatchObject({ status: 200, body: { conversation } });
  });

  it('puts the pinned first, and leaves the others in their order', async () => {
    const reader = await api.signIn('acme');
    const titles = async (): Promise<unknown[]> => {
      const { body } = await reader.get('/secure/assistant/conversations');
      return (body['conversations'] as Body[]).map(({ title }) => title);
    };
    const ids: string[] = [];
    for (const title of ['oldest', 'middle', 'newest']) {
      api.clock.advance(1000);
      const { body } = await reader.post('/secure/assistant/conversation', { title, datasource_id: datasource });
      ids.push(String(body['id']));
    }
    api.clock.advance(1000);
    await edit({ id: ids[0], title: 'renamed' }, reader);
    expect(await titles()).toEqual(['newest', 'middle', 'renamed']);
    await edit({ id: ids[0], pinned: true }, reader);
    expect(await titles()).toEqual(['renamed', 'newest', 'middle']);
    await edit({ id: ids[0], pinned: false }, reader);
    expect(await titles()).toEqual(['newest', 'middle', 'renamed']);
  });
});

it('conversations begun while their datasource is deleted are refused or removed with it, and none stays', async () => {
  const reader = await api.signIn('acme');
  const id = await importedDatasource(api, reader, 'device,at,value\nd1,2024-01-01 00:00:00,1\n');
  const begin = (): Promise<number> =>
    reader.post('/secure/assistant/conversation', { title: 'x', datasource_id: id }).then(({ status }) => status);
  const before = [begin(), begin(), begin()];
  const deletion = reader.delete('/secure/datasource', { id });
  const statuses = new Set(await Promise.all([...before, ...Array.from({ length: 30 }, begin)]));
  expect(await deletion).toMatchObject({ status: 200 });
  await api.drain();
  expect([...statuses].every((status) => status === 200 || status === 404)).toBe(true);
  expect(await begin()).toBe(404);
  expect((await reader.get('/secure/assistant/conversations')).body['conversations']).toEqual([]);
});
