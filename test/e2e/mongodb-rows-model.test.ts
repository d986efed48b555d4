import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importedDatasource, openConversation } from '../api/world.builder.js';
import { aDatabase, dropDatabase, mongodbServer } from '../support/mongodb.js';
import { OpenAiDouble } from '../support/openai-double.js';
import { startTestApi, type TestApi } from '../support/test-api.js';
import type { TestClient } from '../support/test-client.js';
import { notApplicable, SHARED_SERVERS } from '../support/way.js';

const elsewhere = notApplicable(SHARED_SERVERS, 'it names the server that it is about itself');

const BY_DEVICE = [
  { $group: { _id: { device: '$device' }, mean: { $avg: '$temperature' } } },
  { $sort: { '_id.device': 1 } },
];

function call(pipeline: unknown): { readonly name: string; readonly arguments: string } {
  return { name: 'run_query', arguments: JSON.stringify({ pipeline, purpose: 'average temperature by device' }) };
}

describe.skipIf(elsewhere || mongodbServer === undefined)('a model that asks rows in MongoDB', () => {
  const uri = aDatabase();
  let double: OpenAiDouble;
  let api: TestApi;
  let ada: TestClient;
  let conversation: string;

  beforeAll(async () => {
    double = await OpenAiDouble.start();
    api = await startTestApi({
      environment: {
        ...{ MONGODB_URI: uri, ROW_STORE: 'mongodb', JWT_SECRET: 'rows'.repeat(8) },
        ...{ OPENAI_BASE_URL: double.baseUrl, OPENAI_API_KEY: 'sk-of-nobody', OPENAI_MODEL: 'double' },
      },
    });
    ada = await api.signIn('acme');
    conversation = await openConversation(ada, await importedDatasource(api, ada));
  });
  afterAll(async () => {
    await api[Symbol.asyncDispose]();
    await double[Symbol.asyncDispose]();
    await dropDatabase(uri);
  });

  it('is told of pipelines, is refused what reaches further, repairs it, and answers with the pipeline that ran', async () => {
    double.append(
      { calls: [call([{ $lookup: { from: 'users', pipeline: [], as: 'people' } }])] },
      { calls: [call([{ $group: { _id: '$device', mean: { $avg: '$temperture' } } }])] },
      { calls: [call(BY_DEVICE)] },
      { content: 'Device d1 has a mean of **22.3**.' },
    );
    const question = { conversation_id: conversation, message: 'How warm is each device?' };
    const { status, body } = await ada.post('/secure/assistant/chat', question);
    expect(status, JSON.stringify(body)).toBe(200);
    const response = body['response'] as { dbquery: string; data: { rows: unknown[][] } };
    expect(response).toMatchObject({
      response: 'Device d1 has a mean of **22.3**.',
      kind: 'answer',
      evidence: { queries: 1, rows_scanned: 48, rows_returned: 2 },
    });
    expect(response.data.rows.map(([device]) => device)).toEqual(['canary-of-acme', 'd1']);
    expect(response.dbquery).toMatch(/^db\.data\.aggregate\(/);
    expect(JSON.parse(response.dbquery.slice('db.data.aggregate('.length, -1))).toEqual(BY_DEVICE);

    const [first] = double.requests;
    const prompt = JSON.stringify(first?.body);
    expect(prompt).toContain('MongoDB aggregation pipeline');
    expect(prompt).not.toContain("DuckDB's");
    const said = double.requests.at(-1)?.body.messages.filter(({ role }) => role === 'tool') ?? [];
    expect(said.map(({ content }) => String(content))).toEqual([
      expect.stringContaining('$lookup'),
      expect.stringContaining('temperture'),
      expect.stringContaining('22.'),
    ]);
    // Nothing of where the rows lie gets out.
    expect(JSON.stringify(said)).not.toMatch(/rows\.[0-9a-f]{24}|row_tables|users/);
  });
});
