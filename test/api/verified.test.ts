import { describe, expect, it } from 'vitest';
import { EvaluationReconciler } from '../../src/features/verified/evaluation/evaluation-worker.js';
import { GoldenQuestionRepository } from '../../src/features/verified/golden-question.repository.js';
import { asId } from '../../src/shared/ids.js';
import { OpenAiDouble, queryCall, type DoubleStep } from '../support/openai-double.js';
import { Operator } from '../support/operator.js';
import { startTestApi } from '../support/test-api.js';
import { notApplicable, SHARED_SERVERS } from '../support/way.js';
import type { TestClient, TestResponse } from '../support/test-client.js';
import { theService } from './a-service.js';
import {
  type Answer,
  answerAbout,
  answerTo,
  idOf,
  importedDatasource,
  insert,
  openConversation,
} from './world.builder.js';

const ORDERS = [
  'region,day,amount,status',
  ...Array.from({ length: 60 }, (_, at) => {
    const day = new Date(Date.UTC(2024, 0, 1 + at)).toISOString().slice(0, 10);
    return `${at % 2 === 0 ? 'North' : 'South'},${day},${100 + at}.5,${at % 3 === 0 ? 'refunded' : 'paid'}`;
  }),
].join('\n');
const CONFIG = { timefield: 'day', metafield: 'region' };
const ASKED = 'What is the total amount by region?';
const EAST = [{ region: 'East', day: '2024-06-01', amount: '1', status: 'paid' }];
const PAID_ALONE = { filters: [{ column: 'status', operator: '!=', value: 'refunded' }] };
const SQL = 'SELECT region, sum(amount) AS total FROM data GROUP BY region';

const api = await theService();
const ada = await api.signIn('acme');
const manager = await api.signIn('acme', { role: 'manager' });
const eve = await api.signIn('globex', { role: 'manager' });

const made = (): Promise<string> => importedDatasource(api, ada, ORDERS, CONFIG);

const ask = (by: TestClient, datasource: string, message = ASKED): Promise<Answer> =>
  answerAbout(by, datasource, message);
const isVerified = async (answer: Promise<Answer>): Promise<boolean> => (await answer)['verified'] === true;
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
async function listed(datasource: string, state: string, by = manager): Promise<readonly Record<string, unknown>[]> {
  const { body } = await by.get(`/secure/verified?id=${datasource}&state=${state}`);
  return body['questions'] as Record<string, unknown>[];
}

describe('an opinion on an answer', () => {
  it('makes it a candidate, which a manager verifies, and which then answers the same question', async () => {
    const datasource = await made();
    const conversation = await openConversation(ada, datasource);
    const first = await answerTo(ada, conversation, ASKED);
    expect(first).not.toHaveProperty('verified');
    const message = await lastMessage(ada, conversation);
    const rate = (fields: object): Promise<TestResponse> =>
      ada.post('/secure/assistant/feedback', { conversation_id: conversation, message_id: message, ...fields });
    const opinion = { rating: 'down', correction: 'without refunds' };
    expect(await rate(opinion)).toMatchObject({ status: 200 });
    expect(await rate({ rating: 'sideways' })).toMatchObject({ status: 400 });
    expect(await rate({ rating: 'up', message_id: 'f'.repeat(24) })).toMatchObject({ status: 404 });
    const given = await ada.get(`/secure/assistant/feedback?conversation_id=${conversation}`);
    expect(given.body['feedback']).toEqual([{ message_id: message, ...opinion }]);

    const candidate = { id: message, question: ASKED, wording: first['response'], state: 'candidate' };
    expect(await listed(datasource, 'candidate')).toMatchObject([{ ...candidate, feedback: opinion }]);
    // An opinion can be taken back.
    await rate({});
    expect(await listed(datasource, 'candidate')).toEqual([]);
    await rate({ rating: 'up' });
    const verified = await manager.patch(`/secure/verified/${message}`, { state: 'verified' });
    const question = { state: 'verified', verified_by: 'Test User' };
    expect(verified).toMatchObject({ status: 200, body: { question } });

    const second = await ask(ada, datasource, 'what was the total amount, by region');
    expect(second).toMatchObject({
      ...{ verified: true, verified_by: { name: 'Test User' }, response: first['response'], data: first['data'] },
      ...{ dbquery: first['dbquery'], model: 'verified answer', kind: 'answer', evidence: { unverified: [] } },
    });
    expect(JSON.stringify(await ask(manager, datasource))).toBe(JSON.stringify(second));
    expect(await isVerified(ask(ada, datasource, 'average amount by region'))).toBe(false);
    expect(await isVerified(answerTo(ada, conversation, 'and by status?'))).toBe(false);
  });

  it('goes with its conversation', async () => {
    const datasource = await made();
    const conversation = await openConversation(ada, datasource);
    await answerTo(ada, conversation, ASKED);
    const opinion = { conversation_id: conversation, message_id: await lastMessage(ada, conversation), rating: 'up' };
    await ada.post('/secure/assistant/feedback', opinion);
    expect(await listed(datasource, 'candidate')).toHaveLength(1);
    await ada.delete('/secure/assistant/conversation', { id: conversation, permanent: true });
    expect(await listed(datasource, 'candidate')).toEqual([]);
  });
});

/** For what is refused. */
const untouched = await made();

describe('a verified answer', () => {
  it('has its words to the letter, the figures of the rows as they are, and the same chart under the same name', async () => {
    const datasource = await made();
    const wording = '**North** and South, see the table: {total} in the first, 7,815 in all.';
    const chart = { kind: 'bar', x: 'region', y: 'total', title: 'Total' };
    const golden = idOf(await verify(datasource, { wording, sql: `${SQL} ORDER BY region`, chart }), 'question');
    expect(await verify(datasource, { question: 'total amount by region' })).toMatchObject({ status: 409 });
    const before = await ask(ada, datasource);
    expect(before).toMatchObject({
      verified: true,
      data: { rows: [{ 0: 'North' }, { 0: 'South' }] },
      response: expect.stringMatching(/^\*\*North\*\* and South, /) as string,
      visualization: expect.stringMatching(/^[0-9a-f]{32}\.png$/) as string,
    });
    expect(JSON.stringify(await ask(manager, datasource))).toBe(JSON.stringify(before));
    expect(await isVerified(ask(eve, await importedDatasource(api, eve, ORDERS, CONFIG)))).toBe(false);
    await insert(ada, datasource, EAST);
    expect(await ask(ada, datasource)).toMatchObject({
      response: '**North** and South, see the table: 1 in the first, 7,815 in all.',
      data: { rows: [['East', 1], {}, {}] },
    });
    expect(await manager.delete(`/secure/verified/${golden}`, {})).toMatchObject({ status: 200 });
    expect(await isVerified(ask(ada, datasource))).toBe(false);
  });

  it('says times as people write them, and a dash where there is nothing', async () => {
    const datasource = await made();
    const question = 'When was the first order?';
    await verify(datasource, { question, sql: 'SELECT min(day) AS first FROM data', wording: 'On {first}.' });
    expect(await ask(ada, datasource, question)).toMatchObject({ response: 'On 2024-01-01.' });
    const none = 'Which order has no amount?';
    await verify(datasource, {
      question: none,
      sql: 'SELECT day FROM data WHERE amount < -1e9',
      wording: 'That of {day}.',
    });
    expect(await ask(ada, datasource, none)).toMatchObject({ response: 'That of –.' });
  });

  it('names figures that its rows do not carry any more', async () => {
    const datasource = await made();
    const response = 'There are 60 orders, of 99,321 planned.';
    const sql = 'SELECT count(*) AS orders FROM data';
    await verify(datasource, { question: 'How many orders are there?', sql, wording: response });
    const orders = (): Promise<Answer> => ask(ada, datasource, 'how many orders are there');
    expect(await orders()).toMatchObject({ evidence: { unverified: [] } });
    await insert(ada, datasource, EAST);
    expect(await orders()).toMatchObject({ verified: true, response, evidence: { unverified: ['60'] } });
  });

  it.each<[string, object, string]>([
    ['nothing that answers it', { sql: null }, 'plan or SQL'],
    ['SQL that writes', { sql: 'DELETE FROM data' }, ''],
    ['a plan of an unknown column', { plan: { kind: 'rows', columns: ['nothing'] } }, 'nothing'],
    ['a follow-up', { question: 'and by status?' }, 'stand alone'],
    ['a time that moves', { question: 'amount of last month', sql: "FROM data WHERE day > '2024-01-01'" }, 'moves'],
    ['words with a date of it', { question: 'amount of this month', wording: 'It was 5 in May 2024.' }, 'wording'],
    ['no words', { wording: '' }, 'wording'],
    ['a place for a figure that the result does not have', { wording: 'It is {sum}.' }, 'no column “sum”'],
  ])('is not kept with %s', async (_what, fields, problem) => {
    const refused = await verify(untouched, fields);
    expect(refused).toMatchObject({ status: 400, body: { error: true } });
    expect(JSON.stringify(refused.body)).toContain(problem);
    expect(await listed(untouched, 'verified')).toEqual([]);
  });

  it('is kept once, however many verify it at once', async () => {
    const datasource = await made();
    const answers = await Promise.all(Array.from({ length: 4 }, () => verify(datasource)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    expect(await listed(datasource, 'verified')).toHaveLength(1);
  });

  it('goes with its datasource', async () => {
    const datasource = await made();
    const golden = idOf(await verify(datasource), 'question');
    await ada.delete('/secure/datasource', { id: datasource, permanent: true });
    await api.drain();
    expect(await api.get(GoldenQuestionRepository).find(asId(ada.companyId), asId(golden))).toBeNull();
  });
});

async function evaluated(id: string, fields: object = {}, by = manager, on = api): Promise<unknown> {
  const started = await by.post('/secure/evaluation/run', { id, ...fields });
  expect(started).toMatchObject({ status: 200, body: { message: 'evaluation started' } });
  await on.drain();
  return (await by.get(`/secure/evaluation/run/${idOf(started, 'evaluation')}`)).body['evaluation'];
}

const elsewhere = notApplicable(SHARED_SERVERS, 'the command is given a data folder');

it.skipIf(elsewhere)('the command eval:run exits with 1 when an answer that was right is wrong', async () => {
  const datasource = await made();
  using operator = new Operator(api.dataDir);
  const run = (...more: string[]) => operator.run('eval:run', '--datasource', datasource, ...more);
  await verify(datasource);
  const good = await run('--json');
  expect(good.code).toBe(0);
  expect(JSON.parse(good.out)).toMatchObject({ state: 'done', trigger: 'command', models: [{ right: 1 }] });
  await manager.put('/secure/datasource/semantics', { id: datasource, version: 0, semantics: PAID_ALONE });
  const bad = await run();
  expect(bad).toMatchObject({ code: 1, out: expect.stringContaining(`! wrong  ${ASKED}`) as string });
});

describe('an evaluation', () => {
  it('finds what a description would make wrong before it is written', async () => {
    const datasource = await made();
    await verify(datasource);
    const good = { state: 'done', models: [{ model: null, right: 1, wrong: 0, regressed: 0 }] };
    expect(await evaluated(datasource)).toMatchObject(good);
    const judged = [{ outcome: 'wrong', regressed: true, reason: 'the rows are others' }];
    const bad = { models: [{ right: 0, wrong: 1, regressed: 1 }], questions: [{ judged }] };
    expect(await evaluated(datasource, { semantics: PAID_ALONE })).toMatchObject({ tries_semantics: true, ...bad });
    const { body } = await manager.get(`/secure/evaluation/runs?id=${datasource}`);
    expect(body).toMatchObject({ schedule: null, evaluations: [{ state: 'done' }, { state: 'done' }] });
  });

  it('says which figure came instead of the verified one', async () => {
    const datasource = await made();
    const one = { question: 'How many rows are there?', sql: 'SELECT count(*) + 1 AS n FROM data', wording: '{n}.' };
    await verify(datasource, one);
    const judged = [{ outcome: 'wrong', reason: '60 instead of 61' }];
    expect(await evaluated(datasource)).toMatchObject({ questions: [{ judged }] });
  });

  it('runs by itself when it is told to', async () => {
    const datasource = await made();
    await verify(datasource);
    const plan = (fields: object, by = manager): Promise<TestResponse> =>
      by.post('/secure/evaluation/schedule', { id: datasource, ...fields });
    expect(await plan({ interval: 1 })).toMatchObject({ status: 400 });
    const schedule = { interval: 60, enabled: true };
    expect(await plan({ interval: 60 })).toMatchObject({ status: 200, body: { schedule } });
    api.clock.advance(61 * 60_000);
    const later = await api.signIn('acme', { role: 'manager' });
    await api.get(EvaluationReconciler).tick();
    await api.drain();
    const { body } = await later.get(`/secure/evaluation/runs?id=${datasource}`);
    expect(body['evaluations']).toMatchObject([{ trigger: 'schedule', state: 'done', models: [{ right: 1 }] }]);
    expect(await plan({ interval: 60, enabled: false }, later)).toMatchObject({
      body: { schedule: { next_run_at: null } },
    });
  });
});

it('two models are compared side by side, and near questions are examples', async () => {
  const right: DoubleStep[] = [{ calls: [queryCall(SQL)] }, { content: 'By region.' }];
  const wrong: DoubleStep[] = [{ calls: [queryCall('SELECT 1 AS one FROM data LIMIT 1')] }, { content: 'One.' }];
  await using model = await OpenAiDouble.start();
  model.otherwise = ({ model: name, messages }) =>
    (name === 'careless' ? wrong : right)[messages.some(({ role }) => role === 'tool') ? 1 : 0] ?? {};
  const endpoint = { OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'sk-x', OPENAI_MODEL: 'careful' };
  await using other = await startTestApi({ environment: { RATE_LIMIT: '0', LOGIN_RATE_LIMIT: '0', ...endpoint } });
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
  expect(await isVerified(ask(boss, datasource))).toBe(true);
  expect(model.requests).toHaveLength(before);
  expect(await isVerified(ask(boss, datasource, `${ASKED} Without refunds.`))).toBe(false);
  const said = model.requests.at(-1)!.body.messages.map(({ content }) => content);
  expect(said.join('\n')).toContain(`- ${ASKED} → run_query ${SQL}`);
});
