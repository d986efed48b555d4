import { readFile } from 'node:fs/promises';
import { createConnection, type Connection } from 'mongoose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { download } from '../api/downloads.builder.js';
import { importedDatasource, openConversation } from '../api/world.builder.js';
import { eventually } from '../support/eventually.js';
import { aDatabase, dropDatabase, mongodbServer } from '../support/mongodb.js';
import { startTestApi, type TestApi } from '../support/test-api.js';
import { TestClient } from '../support/test-client.js';
import { notApplicable, SHARED_SERVERS } from '../support/way.js';

const elsewhere = notApplicable(SHARED_SERVERS, 'it names the server that it is about itself');

describe.skipIf(elsewhere || mongodbServer === undefined)('with its rows in MongoDB the service', () => {
  const uri = aDatabase();
  const environment = { MONGODB_URI: uri, ROW_STORE: 'mongodb', RATE_LIMIT: '0', JWT_SECRET: 'rows'.repeat(8) };
  let api: TestApi;
  let other: TestApi;
  let database: Connection;
  let ada: TestClient;
  let datasource: string;

  beforeAll(async () => {
    api = await startTestApi({ environment });
    // Another instance: another data folder, the same database.
    other = await startTestApi({ environment });
    database = await createConnection(uri).asPromise();
    ada = await api.signIn('acme');
  });
  afterAll(async () => {
    await api[Symbol.asyncDispose]();
    await other[Symbol.asyncDispose]();
    await database.close();
    await dropDatabase(uri);
  });

  /** The same person at the other instance. */
  const elsewhere = (): TestClient => new TestClient(other.url, ada.token, ada.user);
  const plotted = async (client: TestClient, asset: string): Promise<readonly { value: number }[]> => {
    const query = { datasource_id: datasource, asset, from: '', to: '', value: 'temp_max' };
    return (await client.post('/secure/data/plot', query)).body['data'] as { value: number }[];
  };
  const collections = async (): Promise<readonly string[]> => {
    const found = await database.db!.listCollections({ name: /^rows\./ }, { nameOnly: true }).toArray();
    return found.map(({ name }) => name);
  };

  it('is ready', async () => {
    expect(await api.stranger().get('/health/ready')).toMatchObject({
      status: 200,
      body: { backends: { rows: 'up' } },
    });
  });

  it('imports an upload into a time series, and keeps no file of it', async () => {
    const csv = `${await readFile('samples/weather.csv', 'utf8')}Seattle,soon,1,2,3,4,rain\n`;
    datasource = await importedDatasource(api, ada, csv, {
      timefield: 'date',
      metafield: 'location',
      values: ['temp_max'],
    });
    const { body } = await ada.get(`/secure/datasource?id=${datasource}`);
    expect(body['datasource']).toMatchObject({ updating: false, config: { assets: ['New York', 'Seattle'] } });
    expect(await collections()).toEqual([expect.stringMatching(new RegExp(`^rows\\.${datasource}\\.1\\.`))]);
  });

  it('shows the rows at every instance, and rows that one has inserted at the other', async () => {
    const before = await plotted(elsewhere(), 'Seattle');
    expect(before.length).toBeGreaterThan(0);
    const row = { date: '2030-01-01', location: 'Atlantis', temp_max: '40.5' };
    const { status, body } = await ada.patch('/secure/datasource/insert', { datasource_id: datasource, data: [row] });
    expect([status, body]).toMatchObject([200, {}]);
    expect(await plotted(elsewhere(), 'Atlantis')).toMatchObject([{ value: 40.5 }]);
    const values = await elsewhere().post('/secure/datasource/distinct-metadata', {
      datasource_id: datasource,
      search: 'atl',
    });
    expect(JSON.stringify(values.body)).toContain('Atlantis');
  });

  it('answers a question', async () => {
    const conversation = await openConversation(ada, datasource);
    const question = { conversation_id: conversation, message: 'average temp_max by location' };
    const { status, body } = await ada.post('/secure/assistant/chat', question);
    expect([status, JSON.stringify(body)]).toMatchObject([200, expect.stringContaining('Atlantis') as string]);
  });

  it('writes the rows as CSV, and the lines that it left out', async () => {
    const { status, text } = await download(elsewhere(), 'export', datasource, { asset: 'Atlantis' });
    expect([status, text]).toEqual([
      200,
      expect.stringMatching(/^location,date,.*\r\nAtlantis,2030-01-01,,40\.5,,,\r\n$/),
    ]);
    const rejects = await download(elsewhere(), 'rejects', datasource);
    expect(rejects.text).toContain('soon');
  });

  it('shows another company nothing', async () => {
    const eve = await api.signIn('globex');
    const query = { datasource_id: datasource, asset: '', from: '', to: '', value: 'temp_max' };
    expect((await eve.post('/secure/data/plot', query)).status).toBe(404);
    expect((await download(eve, 'export', datasource)).status).toBe(404);
  });

  it('leaves nothing of a datasource that is deleted', async () => {
    expect((await ada.delete('/secure/datasource', { id: datasource })).status).toBe(200);
    await eventually(collections, (names) => names.length === 0);
    for (const kind of ['row_tables', 'row_rejects', 'row_batches', 'row_loads'])
      expect([kind, await database.db!.collection(kind).countDocuments({})]).toEqual([kind, 0]);
  });
});
