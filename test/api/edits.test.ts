import { afterAll, describe, expect, it } from 'vitest';
import { ConversationRepository } from '../../src/features/assistant/conversations/conversation.repository.js';
import { asId, type MessageId } from '../../src/shared/ids.js';
import type { Principal } from '../../src/shared/principal.js';
import { storedObjects } from '../support/stored-objects.js';
import { startTestApi } from '../support/test-api.js';
import type { TestClient, TestResponse } from '../support/test-client.js';
import { ROWS_CSV, aDatasourceBody, importedDatasource, openConversation } from './world.builder.js';

const api = await startTestApi({ environment: { RATE_LIMIT: '0', LOGIN_RATE_LIMIT: '0' } });
const [ada, colleague, eve] = [await api.signIn('acme'), await api.signIn('acme'), await api.signIn('globex')];
const datasource = await importedDatasource(api, ada);
afterAll(() => api[Symbol.asyncDispose]());

type Body = Record<string, unknown>;

const refusal = (status: number, message: string): object => ({ status, body: { error: true, message } });

describe('editing a datasource', () => {
  const readDatasource = async (id: string): Promise<Body> =>
    (await ada.get(`/secure/datasource?id=${id}`)).body['datasource'] as Body;

  it('changes only the fields sent, for a colleague too', async () => {
    const before = await readDatasource(datasource);
    api.clock.advance(1000);
    const named = await colleague.patch('/secure/datasource', { id: datasource.toUpperCase(), name: 'Greenhouse' });
    const renamed = { ...before, name: 'Greenhouse', updated_at: api.clock.now().toISOString() };
    expect(named).toMatchObject({ status: 200, body: { error: false, message: 'datasource updated' } });
    expect(named.body['datasource']).toEqual(renamed);

    const explained = await ada.patch('/secure/datasource', { id: datasource, name: null, context: 'in °C' });
    const config = { ...(before['config'] as Body), context: 'in °C' };
    expect(explained.body['datasource']).toEqual({ ...renamed, config });
    expect(await readDatasource(datasource)).toEqual({ ...renamed, config });

    const emptied = await ada.patch('/secure/datasource', { id: datasource, context: '' });
    expect(emptied.body).toMatchObject({ datasource: { name: 'Greenhouse', config: { context: '' } } });
  });

  it('keeps what its creator has said that it is made from', async () => {
    const { body: upload } = await ada.upload(ROWS_CSV);
    const body = { ...aDatasourceBody(String(upload['filename'])), type: 'txt' };
    const { body: created } = await ada.put('/secure/datasource', body);
    expect(await readDatasource(String(created['datasource_id']))).toMatchObject({ type: 'txt' });
    await api.drain();
  });

  it('keeps both of two edits at once', async () => {
    await Promise.all([
      ada.patch('/secure/datasource', { id: datasource, name: 'One' }),
      colleague.patch('/secure/datasource', { id: datasource, context: 'Other' }),
    ]);
    expect(await readDatasource(datasource)).toMatchObject({ name: 'One', config: { context: 'Other' } });
  });

  it('goes together with an import', async () => {
    const { body: upload } = await ada.upload(ROWS_CSV);
    const { body: created } = await ada.put('/secure/datasource', aDatasourceBody(String(upload['filename'])));
    const id = String(created['datasource_id']);
    const edited = await ada.patch('/secure/datasource', { id, name: 'Meanwhile', context: 'early' });
    await api.drain();
    expect(edited.status).toBe(200);
    expect(await readDatasource(id)).toMatchObject({
      name: 'Meanwhile',
      config: { context: 'early', metafield: 'device' },
      doc_count: 48,
      updating: false,
      import: { status: 'ready' },
    });
  });

  it('refuses what does not fit, and when nothing is sent', async () => {
    const before = await readDatasource(datasource);
    const nothing = await ada.patch('/secure/datasource', { id: datasource, name: null });
    expect(nothing).toMatchObject(refusal(400, 'send a name or a context to change'));
    for (const [field, value] of [
      ['name', 'x'.repeat(201)],
      ['context', 'x'.repeat(20_001)],
    ] as const) {
      const body = { id: datasource, name: 'Other', context: 'Else', [field]: value };
      expect(await ada.patch('/secure/datasource', body)).toMatchObject({
        status: 400,
        body: { details: [{ field }] },
      });
    }
    expect(await readDatasource(datasource)).toEqual(before);
  });
});

describe('deleting an upload', () => {
  const remove = (client: TestClient, filename: unknown): Promise<TestResponse> =>
    client.delete('/secure/datasource/upload', { filename });
  const isOnDisk = async (filename: string): Promise<boolean> => (await storedObjects(api.dataDir)).includes(filename);

  it('removes it with its file, once', async () => {
    const filename = String((await ada.upload(ROWS_CSV)).body['filename']);
    expect(await isOnDisk(filename)).toBe(true);
    expect(await remove(ada, filename)).toMatchObject({
      status: 200,
      body: { error: false, message: 'datasource file deleted' },
    });
    expect(await isOnDisk(filename)).toBe(false);
    for (const name of [filename, '../../secrets.csv']) expect((await remove(ada, name)).status).toBe(404);
    expect((await ada.put('/secure/datasource', aDatasourceBody(filename))).status).toBe(404);
  });

  it('leaves what a datasource is made from', async () => {
    const filename = String((await ada.upload(ROWS_CSV)).body['filename']);
    const { body } = await ada.put('/secure/datasource', aDatasourceBody(filename));
    expect((await remove(ada, filename)).status).toBe(404);
    await api.drain();
    const read = await ada.get(`/secure/datasource?id=${String(body['datasource_id'])}`);
    expect(read.body).toMatchObject({ datasource: { doc_count: 48, import: { status: 'ready' } } });
  });
});

describe('editing a conversation', () => {
  const edit = (client: TestClient, body: object): Promise<TestResponse> =>
    client.put('/secure/assistant/conversation', body);
  const readConversation = async (id: string): Promise<Body> =>
    (await ada.get(`/secure/assistant/conversation/${id}`)).body['conversation'] as Body;
  const titles = async (client: TestClient): Promise<unknown[]> => {
    const { body } = await client.get('/secure/assistant/conversations');
    return (body['conversations'] as Body[]).map(({ title }) => title);
  };

  async function makeBusy(id: string): Promise<void> {
    const principal = { companyId: asId(ada.companyId), userId: asId(ada.id) } as Principal;
    const answering = { messageId: asId<MessageId>('a'.repeat(24)), saved: true };
    const lease = { leaseOwner: 'somebody', leaseUntil: new Date(api.clock.now().getTime() + 60_000) };
    await api.get(ConversationRepository).beginAnswer(principal, asId(id), answering, lease);
  }

  it.each([
    [{ title: '  Heat  ' }, { title: 'Heat' }],
    [{ context_only: true }, { context_only: true }],
    [{ title: null, datasource_id: null, pinned: null, context_only: null }, {}],
  ])('with %j changes only that', async (sent, changed) => {
    const id = await openConversation(ada, datasource);
    const before = await readConversation(id);
    api.clock.advance(1000);
    const response = await edit(ada, { id: id.toUpperCase(), ...sent });
    expect(response).toMatchObject({ status: 200, body: { error: false, message: 'conversation updated' } });
    expect(response.body['conversation']).toEqual({ ...before, ...changed });
    expect(await readConversation(id)).toEqual({ ...before, ...changed });
  });

  it('gives it another datasource of the company, and none of another company', async () => {
    const [id, other] = [await openConversation(ada, datasource), await importedDatasource(api, colleague)];
    const foreign = await importedDatasource(api, eve);
    const before = await readConversation(id);
    const refused = await edit(ada, { id, title: 'Other', datasource_id: foreign });
    expect(refused).toMatchObject(refusal(404, 'datasource not found'));
    expect(await readConversation(id)).toEqual(before);
    const { status, body } = await edit(ada, { id, datasource_id: other.toUpperCase() });
    expect({ status, body }).toMatchObject({ status: 200, body: { conversation: { datasource_id: other } } });
  });

  it('of a busy one renames and pins, but gives it no other datasource', async () => {
    const [id, other] = [await openConversation(ada, datasource), await importedDatasource(api, ada)];
    await makeBusy(id);
    const moved = await edit(ada, { id, title: 'Moved', datasource_id: other });
    expect(moved).toMatchObject(refusal(409, 'conversation is busy'));
    const whole = await edit(ada, { id, title: 'Named', datasource_id: datasource, pinned: true, context_only: false });
    expect(whole).toMatchObject({
      status: 200,
      body: { conversation: { title: 'Named', pinned: true, status: 'loading', datasource_id: datasource } },
    });
  });

  it('puts the pinned first, and leaves the others in their order', async () => {
    const reader = await api.signIn('acme');
    const ids: string[] = [];
    for (const title of ['oldest', 'middle', 'newest']) {
      api.clock.advance(1000);
      const { body } = await reader.post('/secure/assistant/conversation', { title, datasource_id: datasource });
      ids.push(String(body['id']));
    }
    api.clock.advance(1000);
    await edit(reader, { id: ids[0], title: 'renamed' });
    expect(await titles(reader)).toEqual(['newest', 'middle', 'renamed']);
    await edit(reader, { id: ids[0], pinned: true });
    expect(await titles(reader)).toEqual(['renamed', 'newest', 'middle']);
    await edit(reader, { id: ids[0], pinned: false });
    expect(await titles(reader)).toEqual(['newest', 'middle', 'renamed']);
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
  expect((await deletion).status).toBe(200);
  await api.drain();
  expect([...statuses].every((status) => status === 200 || status === 404)).toBe(true);
  expect(await begin()).toBe(404);
  const { body } = await reader.get('/secure/assistant/conversations');
  expect((body['conversations'] as unknown[]).length).toBe(0);
});
