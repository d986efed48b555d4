import { afterAll, describe, expect, it } from 'vitest';
import { GoldenQuestionRepository } from '../../src/features/verified/golden-question.repository.js';
import { asId } from '../../src/shared/ids.js';
import { OpenAiDouble, queryCall, type DoubleStep } from '../support/openai-double.js';
import { Operator } from '../support/operator.js';
import { startTestApi } from '../support/test-api.js';
import { notApplicable, SHARED_SERVERS } from '../support/way.js';
import type { TestClient, TestResponse } from '../support/test-client.js';
import { importedDatasource, openConversation } from './world.builder.js';

const ORDERS = [
  'region,day,amount,status',
  ...Array.from({ length: 60 }, (_, at) => {
    const day = new Date(Date.UTC(2024, 0, 1 + at)).toISOString().slice(0, 10);
    return `${at % 2 === 0 ? 'North' : 'South'},${day},${100 + at}.5,${at % 3 === 0 ? 'refunded' : 'paid'}`;
  }),
].join('\n');
const CONFIG = { timefield: 'day', metafield: 'region' };
const ASKED = 'What is the total amount by region?';
const SQL = 'SELECT region, sum(amount) AS total FROM data GROUP BY region';

interface Answer {
  readonly response: string;
  readonly dbquery: string;
  readonly verified: boolean;
  readonly data: { readonly rows: readonly unknown[] } | null;
  readonly evidence: { readonly unverified: readonly string[] };
}

const api = await startTestApi({ environment: { RATE_LIMIT: '0', LOGIN_RATE_LIMIT: '0' } });
const ada = await api.signIn('acme');
const manager = await api.signIn('acme', { role: 'manager' });
const eve = await api.signIn('globex', { role: 'manager' });
afterAll(() => api[Symbol.asyncDispose]());

const made = (): Promise<string> => importedDatasource(api, ada, ORDERS, CONFIG);

async function asked(by: TestClient, conversation: string, message: string): Promise<Answer> {
  const { body, status } = await by.post('/secure/assistant/chat', { conversation_id: conversation, message });
  expect(status).toBe(200);
  return { verified: false, ...(body['response'] as object) } as Answer;
}

async function ask(by: TestClient, datasource: string, message: string): Promise<Answer> {
  return asked(by, await openConversation(by, datasource), message);
}

async function lastMessage(by: TestClient, conversation: string): Promise<string> {
  const { body } = await by.get(`/secure/assistant/history?conversation_id=${conversation}`);
  return (body['history'] as { _id: string }[]).at(-1)!._id;
}

const verify = (datasource: string, fields: object = {}, by = manager): Promise<TestResponse> =>
  by.post('/secure/verified', {
    datasource_id: datasource,
    question: ASKED,
    wording: 'By region.',
    sql: SQL,
    ...fields,
  });
const idOf = ({ body }: TestResponse): string => (body['question'] as { id: string }).id;

async function listed(datasource: string, state: string, by = manager): Promise<readonly Record<string, unknown>[]> {
  const { body } = await by.get(`/secure/verified?id=${datasource}&state=${state}`);
  return body['questions'] as Record<string, unknown>[];
}

describe('an opinion on an answer', () => {
  it('makes it a candidate, which a manager verifies, and which then answers the same question', async () => {
    const datasource = await made();
    const conversation = await openConversation(ada, datasource);
    const first = await asked(ada, conversation, ASKED);
    expect(first.verified).toBe(false);
    const message = await lastMessage(ada, conversation);
    const opinion = { conversation_id: conversation, message_id: message };
    const rate = (fields: object, by = ada): Promise<TestResponse> =>
      by.post('/secure/assistant/feedback', { ...opinion, ...fields });
    expect(await rate({ rating: 'down', correction: 'without refunds' })).toMatchObject({ status: 200 });
    expect(await rate({ rating: 'sideways' })).toMatchObject({ status: 400 });
    expect(await rate({ rating: 'up', message_id: 'f'.repeat(24) })).toMatchObject({ status: 404 });
    const given = await ada.get(`/secure/assistant/feedback?conversation_id=${conversation}`);
    expect(given.body['feedback']).toEqual([{ message_id: message, rating: 'down', correction: 'without refunds' }]);

    const [candidate] = await listed(datasource, 'candidate');
    expect(candidate).toMatchObject({ id: message, question: ASKED, wording: first.response, state: 'candidate' });
    expect(candidate?.['feedback']).toMatchObject({ rating: 'down', correction: 'without refunds' });
    // An opinion can be taken back.
    await rate({});
    expect(await listed(datasource, 'candidate')).toEqual([]);
    await rate({ rating: 'up' });
    const verified = await manager.patch(`/secure/verified/${message}`, { state: 'verified' });
    expect(verified).toMatchObject({
      status: 200,
      body: { question: { state: 'verified', verified_by: 'Test User' } },
    });

    const second = await ask(ada, datasource, 'what was the total amount, by region');
    expect(second).toMatchObject({ verified: true, verified_by: { name: 'Test User' }, response: first.response });
    expect(second).toMatchObject({
      data: first.data,
      dbquery: first.dbquery,
      model: 'verified answer',
      kind: 'answer',
    });
    expect(second.evidence.unverified).toEqual([]);
    expect(JSON.stringify(await ask(manager, datasource, ASKED))).toBe(JSON.stringify(second));
    expect((await ask(ada, datasource, 'average amount by region')).verified).toBe(false);
    expect((await asked(ada, conversation, 'and by status?')).verified).toBe(false);
  });

  it('goes with its conversation', async () => {
    const datasource = await made();
    const conversation = await openConversation(ada, datasource);
    await asked(ada, conversation, ASKED);
    const opinion = { conversation_id: conversation, message_id: await lastMessage(ada, conversation), rating: 'up' };
    await ada.post('/secure/assistant/feedback', opinion);
    expect(await listed(datasource, 'candidate')).toHaveLength(1);
    await ada.delete('/secure/assistant/conversation', { id: conversation, permanent: true });
    expect(await listed(datasource, 'candidate')).toEqual([]);
  });
});

describe('a verified answer', () => {
  it('has its words to the letter, the figures of the rows as they are, and the same chart under the same name', async () => {
    const datasource = await made();
    const wording = '**North** and South, see the table: {total} in the first, 7,815 in all.';
    const chart = { kind: 'bar', x: 'region', y: 'total', title: 'Total' };
    const golden = idOf(await verify(datasource, { wording, sql: `${SQL} ORDER BY region`, chart }));
    expect(await verify(datasource, { question: 'total amount by region' })).toMatchObject({ status: 409 });
    const before = await ask(ada, datasource, ASKED);
    expect(before).toMatchObject({
      verified: true,
      response: expect.stringMatching(/^\*\*North\*\* and South, /) as string,
      visualization: expect.stringMatching(/^[0-9a-f]{32}\.png$/) as string,
    });
    expect(before.data?.rows).toHaveLength(2);
    expect(JSON.stringify(await ask(manager, datasource, ASKED))).toBe(JSON.stringify(before));
    const theirs = await importedDatasource(api, eve, ORDERS, CONFIG);
    expect((await ask(eve, theirs, ASKED)).verified).toBe(false);
    const rows = [{ region: 'East', day: '2024-06-01', amount: '1', status: 'paid' }];
    await ada.patch('/secure/datasource/insert', { datasource_id: datasource, data: rows });
    const after = await ask(ada, datasource, ASKED);
    expect(after.data?.rows).toHaveLength(3);
    expect(after.response).toBe('**North** and South, see the table: 1 in the first, 7,815 in all.');
    expect(await manager.delete(`/secure/verified/${golden}`, {})).toMatchObject({ status: 200 });
    expect((await ask(ada, datasource, ASKED)).verified).toBe(false);
  });

  it('names figures that its rows do not carry any more', async () => {
    const datasource = await made();
    await verify(datasource, {
      question: 'How many orders are there?',
      sql: 'SELECT count(*) AS orders FROM data',
      wording: 'There are 60 orders, of 99,321 planned.',
    });
    expect((await ask(ada, datasource, 'how many orders are there')).evidence.unverified).toEqual([]);
    const rows = Array.from({ length: 30 }, (_, at) => ({
      region: 'East',
      day: `2024-06-${String(at + 1).padStart(2, '0')}`,
      amount: '1',
      status: 'paid',
    }));
    await ada.patch('/secure/datasource/insert', { datasource_id: datasource, data: rows });
    const stale = await ask(ada, datasource, 'how many orders are there');
    expect(stale).toMatchObject({ verified: true, response: 'There are 60 orders, of 99,321 planned.' });
    expect(stale.evidence.unverified).toEqual(['60']);
  });

  it('is not kept without an answer that runs, a question that stands alone, and words', async () => {
    const datasource = await made();
    const refusals: readonly (readonly [string, object, string])[] = [
      ['nothing that answers it', { sql: null }, 'plan or SQL'],
      ['SQL that writes', { sql: 'DELETE FROM data' }, ''],
      [
        'a plan of an unknown column',
        { plan: { kind: 'rows', columns: ['nothing'], filters: [], order: [], limit: 1 } },
        'nothing',
      ],
      ['a follow-up', { question: 'and by status?' }, 'stand alone'],
      [
        'a time that moves',
        { question: 'amount of last month', sql: "SELECT 1 FROM data WHERE day > '2024-01-01'" },
        'moves',
      ],
      ['no words', { wording: '' }, 'wording'],
    ];
    for (const [what, fields, problem] of refusals) {
      const refused = await verify(datasource, fields);
      expect(refused, what).toMatchObject({ status: 400, body: { error: true } });
      expect(JSON.stringify(refused.body), what).toContain(problem);
    }
    expect(await listed(datasource, 'verified')).toEqual([]);
  });

  it('goes with its datasource', async () => {
    const datasource = await made();
    const golden = idOf(await verify(datasource));
    await ada.delete('/secure/datasource', { id: datasource, permanent: true });
    await api.drain();
    expect(await api.get(GoldenQuestionRepository).find(asId(ada.companyId), asId(golden))).toBeNull();
  });
});

interface Run {
  readonly id: string;
  readonly state: string;
  readonly models: readonly Record<string, unknown>[];
  readonly questions: readonly { readonly question: string; readonly judged: readonly Record<string, unknown>[] }[];
}

async function evaluated(id: string, fields: object = {}, by = manager, on = api): Promise<Run> {
  const { body, status } = await by.post('/secure/evaluation/run', { id, ...fields });
  expect({ status, message: body['message'] }).toEqual({ status: 200, message: 'evaluation started' });
  await on.drain();
  const { id: run } = body['evaluation'] as Run;
  return (await by.get(`/secure/evaluation/run/${run}`)).body['evaluation'] as Run;
}

describe.skipIf(notApplicable(SHARED_SERVERS, 'the command is given a data folder'))('the command eval:run', () => {
  it('exits with 1 when an answer that was right is wrong', { timeout: 60_000 }, async () => {
    const datasource = await made();
    using operator = new Operator(api.dataDir);
    const run = (...more: string[]) => operator.run('eval:run', '--datasource', datasource, ...more);
    await verify(datasource);
    const good = await run('--json');
    expect(good.code).toBe(0);
    expect(JSON.parse(good.out)).toMatchObject({ state: 'done', trigger: 'command', models: [{ right: 1 }] });
    const semantics = { filters: [{ column: 'status', operator: '!=', value: 'refunded' }] };
    await manager.put('/secure/datasource/semantics', { id: datasource, version: 0, semantics });
    const bad = await run();
    expect(bad).toMatchObject({ code: 1, out: expect.stringContaining(`! wrong  ${ASKED}`) as string });
  });
});

describe('an evaluation', () => {
  it('finds what a description would make wrong before it is written', async () => {
    const datasource = await made();
    await verify(datasource);
    const good = await evaluated(datasource);
    expect(good).toMatchObject({ state: 'done', models: [{ model: null, right: 1, wrong: 0, regressed: 0 }] });
    const semantics = { filters: [{ column: 'status', operator: '!=', value: 'refunded' }] };
    const bad = await evaluated(datasource, { semantics });
    expect(bad).toMatchObject({ tries_semantics: true, models: [{ right: 0, wrong: 1, regressed: 1 }] });
    expect(bad.questions[0]?.judged[0]).toMatchObject({
      outcome: 'wrong',
      regressed: true,
      reason: 'the rows are others',
    });
    const { body } = await manager.get(`/secure/evaluation/runs?id=${datasource}`);
    expect(body).toMatchObject({ schedule: null, evaluations: [{ state: 'done' }, { state: 'done' }] });
  });

  it('runs by itself when it is told to', async () => {
    const datasource = await made();
    await verify(datasource);
    const plan = (fields: object, by = manager): Promise<TestResponse> =>
      by.post('/secure/evaluation/schedule', { id: datasource, ...fields });
    expect(await plan({ interval: 1 })).toMatchObject({ status: 400 });
    expect(await plan({ interval: 60 })).toMatchObject({
      status: 200,
      body: { schedule: { interval: 60, enabled: true } },
    });
    api.clock.advance(61 * 60_000);
    const later = await api.signIn('acme', { role: 'manager' });
    await expect
      .poll(async () => (await later.get(`/secure/evaluation/runs?id=${datasource}`)).body['evaluations'], {
        timeout: 30_000,
      })
      .toMatchObject([{ trigger: 'schedule', state: 'done', models: [{ right: 1 }] }]);
    expect(await plan({ interval: 60, enabled: false }, later)).toMatchObject({
      body: { schedule: { next_run_at: null } },
    });
  });
});

describe('two models', () => {
  it('are compared side by side, and near questions are examples', async () => {
    const right: DoubleStep[] = [{ calls: [queryCall(SQL)] }, { content: 'By region.' }];
    const wrong: DoubleStep[] = [{ calls: [queryCall('SELECT 1 AS one FROM data LIMIT 1')] }, { content: 'One.' }];
    await using model = await OpenAiDouble.start();
    model.otherwise = ({ model: name, messages }) =>
      (name === 'careless' ? wrong : right)[messages.some(({ role }) => role === 'tool') ? 1 : 0] ?? {};
    await using other = await startTestApi({
      environment: {
        RATE_LIMIT: '0',
        OPENAI_BASE_URL: model.baseUrl,
        OPENAI_API_KEY: 'sk-x',
        OPENAI_MODEL: 'careful',
        LOGIN_RATE_LIMIT: '0',
      },
    });
    const boss = await other.signIn('acme', { role: 'manager' });
    const datasource = await importedDatasource(other, boss, ORDERS, CONFIG);
    await verify(datasource, {}, boss);
    const run = await evaluated(datasource, { models: ['', 'careless'] }, boss, other);
    expect(run).toMatchObject({
      state: 'done',
      models: [
        { model: null, right: 1, wrong: 0, regressed: 0, tokens: expect.any(Number) as number },
        { model: 'careless', right: 0, wrong: 1, regressed: 1, cost: null },
      ],
    });
    const before = model.requests.length;
    expect((await ask(boss, datasource, ASKED)).verified).toBe(true);
    expect(model.requests).toHaveLength(before);
    expect((await ask(boss, datasource, `${ASKED} Without refunds.`)).verified).toBe(false);
    const said =
      model.requests
        .at(-1)
        ?.body.messages.map(({ content }) => content ?? '')
        .join('\n') ?? '';
    expect(said).toContain(`- ${ASKED} → run_query ${SQL}`);
  });
});
