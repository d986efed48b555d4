import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { OpenAiChatModel } from '../../src/adapters/openai/openai-chat-model.js';
import { OpenAiChatModels } from '../../src/adapters/openai/openai-chat-models.js';
import { BuiltInAnalyst } from '../../src/analyst/built-in-analyst.js';
import { answeringWith, aQuestion, foldAnswer } from '../../src/answering/answering.fixture.js';
import type { Question } from '../../src/answering/question.js';
import { DATA_TOOLS } from '../../src/answering/tools.js';
import type { ModelConfig } from '../../src/config/app-config.js';
import type { ModelDelta, ModelRequest } from '../../src/ports/chat-model.js';
import type { ColumnProfile, ColumnType } from '../../src/ports/table.js';
import { ANSWER, askFamily, HeardLog } from '../support/model-families/asking.js';
import { FAMILIES } from '../support/model-families/families.js';
import { type DoubleStep, OpenAiDouble } from '../support/openai-double.js';
import { keepsTheChatModelPromises } from './chat-model.contract.js';

const KEY = 'sk-canary-0123456789';
const REQUEST: ModelRequest = { briefing: aQuestion().briefing, exchanges: [], tools: DATA_TOOLS };
const USAGE = { input: 10, output: 5, cached: 0 };
const PATIENT = new AbortController().signal;

function modelOf(double: OpenAiDouble, config: Partial<ModelConfig> = {}): OpenAiChatModel {
  const whole = { apiKey: KEY, baseUrl: double.baseUrl, model: 'double', temperature: 0, timeoutMs: 5000, ...config };
  return new OpenAiChatModel(whole, 5);
}

async function deltasOf(model: OpenAiChatModel, signal = PATIENT, request = REQUEST): Promise<readonly ModelDelta[]> {
  const deltas: ModelDelta[] = [];
  for await (const delta of model.stream(request, signal)) deltas.push(delta);
  return deltas;
}

function textOf(deltas: readonly ModelDelta[]): string {
  return deltas.map((delta) => (delta.kind === 'text' ? delta.text : '')).join('');
}

function idsOf(deltas: readonly ModelDelta[]): readonly (string | null)[] {
  return deltas.flatMap((delta) => (delta.kind === 'call' ? [delta.id] : []));
}

/** How a model fails that does this. */
async function failureOf(...script: readonly DoubleStep[]): Promise<unknown> {
  await using double = await OpenAiDouble.start(...script);
  return await deltasOf(modelOf(double, { timeoutMs: 300 })).then(
    () => 'no failure',
    (error: unknown) => error,
  );
}

describe('OpenAiChatModel', () => {
  keepsTheChatModelPromises(async () => {
    const call = { name: 'run_query', arguments: '{"sql":"SELECT 1","purpose":"x"}' };
    const double = await OpenAiDouble.start({ content: 'Let me look at the rows.', calls: [call], pieceAfterMs: 5 });
    return { model: modelOf(double), request: REQUEST, [Symbol.asyncDispose]: () => double[Symbol.asyncDispose]() };
  });

  it('sends the model, the key, the tools and a prompt, and streams text, why it ended and at what cost', async () => {
    await using double = await OpenAiDouble.start({ content: 'North leads.' });
    const deltas = await deltasOf(modelOf(double));

    expect(textOf(deltas)).toBe('North leads.');
    expect(deltas.at(-1)).toEqual({ kind: 'end', reason: 'stop', verdict: null, tokens: 15, usage: USAGE });
    expect(double.requests).toMatchObject([
      {
        path: '/v1/chat/completions',
        headers: { authorization: `Bearer ${KEY}` },
        body: { model: 'double', temperature: 0, max_tokens: 16_000, stream: true },
      },
    ]);
    const tools = double.requests[0]?.body.tools?.map((tool) => tool.function.name);
    expect(tools).toEqual(['analyze', 'run_query', 'make_chart']);
    expect(double.requests[0]?.body.messages.map(({ role }) => role)).toEqual(['system', 'user']);
  });

  it('needs no key, sends no tools where there are none, and no temperature to a model that thinks', async () => {
    await using double = await OpenAiDouble.start({ content: 'a' });
    const model = modelOf(double, { apiKey: null, model: 'o3-mini' });
    for await (const _delta of model.stream({ ...REQUEST, tools: [] }, PATIENT));

    expect(double.requests[0]?.headers['authorization']).toBe('Bearer none');
    expect(double.requests[0]?.body).not.toHaveProperty('tools');
    expect(double.requests[0]?.body).not.toHaveProperty('temperature');
  });

  it('gives up on an endpoint that refuses what was left out already', async () => {
    await using double = await OpenAiDouble.start();
    double.otherwise = () => ({ status: 400, message: "'temperature' is not supported" });

    await expect(deltasOf(modelOf(double))).rejects.toThrow('the model did not accept the request');
    expect(double.requests).toHaveLength(2);
  });

  it('gives calls without an id one that no other round has', async () => {
    const calls = [{ name: 'run_query', arguments: '{}', id: '' }];
    await using double = await OpenAiDouble.start({ calls }, { calls });
    const model = modelOf(double);
    const [first] = idsOf(await deltasOf(model));
    const call = { id: String(first), name: 'run_query', arguments: '{}' };
    const outcomes = [{ callId: call.id, ok: true, content: '{}', result: null }];
    const [second] = idsOf(
      await deltasOf(model, PATIENT, { ...REQUEST, exchanges: [{ text: '', calls: [call], outcomes }] }),
    );

    expect([first, second]).toEqual([expect.stringMatching(/^\w{9}$/), expect.stringMatching(/^\w{9}$/)]);
    expect(first).not.toBe(second);
  });

  it('reports nothing to a tracing service, whatever the environment says', async () => {
    await using double = await OpenAiDouble.start({ content: 'a' });
    await using tracing = await OpenAiDouble.start();
    vi.stubEnv('LANGSMITH_API_KEY', 'x');
    for (const name of ['LANGSMITH_TRACING', 'LANGCHAIN_TRACING_V2']) vi.stubEnv(name, 'true');
    for (const name of ['LANGSMITH_ENDPOINT', 'LANGSMITH_GATEWAY', 'OPENAI_BASE_URL'])
      vi.stubEnv(name, tracing.baseUrl);
    onTestFinished(() => void vi.unstubAllEnvs());
    await deltasOf(modelOf(double));

    expect(double.requests).toHaveLength(1);
    expect(tracing.requests).toEqual([]);
  });

  it('waits as long as it is told when there are too many requests, twice', async () => {
    await using double = await OpenAiDouble.start(
      { status: 429, retryAfter: 0 },
      { status: 429 },
      { content: 'North.' },
    );

    expect(textOf(await deltasOf(modelOf(double)))).toBe('North.');
    expect(double.requests).toHaveLength(3);
  });

  it('stops waiting when the signal aborts', async () => {
    await using double = await OpenAiDouble.start({ status: 429, retryAfter: 15 });
    const stop = new AbortController();
    const reason = new Error('enough');
    const asked = deltasOf(modelOf(double), stop.signal);
    await expect.poll(() => double.requests.length).toBe(1);
    stop.abort(reason);

    await expect(asked).rejects.toBe(reason);
  });

  it('closes the connection when nobody reads on', async () => {
    await using double = await OpenAiDouble.start({ content: 'North', then: 'hang' });
    const request = { ...REQUEST, tools: [] };
    for await (const delta of modelOf(double).stream(request, PATIENT)) if (delta.kind === 'text') break;

    await double.requests[0]?.closed;
  });

  it('is done when the model is, even if the connection stays open or breaks before the count of tokens', async () => {
    await using double = await OpenAiDouble.start({ content: 'a', withoutUsage: true });

    expect((await deltasOf(modelOf(double))).at(-1)).toMatchObject({ kind: 'end', tokens: null });
  });

  it.each<[string, readonly DoubleStep[], string]>([
    ['is broken three times', [{ status: 500 }, { status: 503 }, { status: 502 }], 'the model is not available'],
    [
      'does not accept the key',
      [{ status: 401, message: `Incorrect API key provided: ${KEY}` }],
      'the model does not accept our credentials',
    ],
    ['breaks off', [{ content: 'North', then: 'cut' }], 'the model broke off'],
    ['sends garbage', [{ content: 'North', then: 'garbage' }], 'the model sent something unreadable'],
    ['sends an error in the stream', [{ content: 'North', then: 'error' }], 'the model is not available'],
    ['never begins', Array<DoubleStep>(3).fill({ headersAfterMs: 1000 }), 'the model did not answer in time'],
  ])('says in a plain sentence that the model %s', async (_what, script, message) => {
    const failure = await failureOf(...script);

    expect(failure).toMatchObject({ kind: 'unavailable', message });
    expect(`${String(failure)} ${String((failure as Error).cause)} ${(failure as Error).stack ?? ''}`).not.toContain(
      'canary',
    );
  });
});

describe('models of every family', () => {
  it.each(FAMILIES)(
    '$name answers a question that needs a query, and without detours the second time',
    async (family) => {
      const { first, last } = await askFamily(family);

      expect(first).toMatchObject({ response: ANSWER, ran: ['SELECT 1'], api: family.api });
      expect(first.learned.flat()).toEqual(family.learned);
      const rounds = family.style.fallsSilent === true ? 3 : 2;
      expect(last).toMatchObject({ response: ANSWER, refused: 0, requests: { length: rounds } });
      expect(last.learned).toEqual(first.learned);
      // None is refused more often than there is something to learn.
      if (family.name !== 'Azure deployment of GPT-5.6') return;
      expect(first.refused).toBe(3);
      expect(first.learned).toEqual([['max_tokens'], ['temperature'], ['chat_completions']]);
    },
  );
});

describe('the models of one endpoint', () => {
  it('learn from each other where they are the same, and tell of it once', async () => {
    await using double = await OpenAiDouble.start();
    double.otherwise = ({ temperature }) =>
      temperature === undefined ? { content: 'a' } : { status: 400, message: "'temperature' is not supported" };
    const log = new HeardLog();
    const config = { apiKey: 'sk', baseUrl: double.baseUrl, model: 'reports', temperature: 0, timeoutMs: 5000 };
    const models = new OpenAiChatModels(config, new BuiltInAnalyst(), log);
    for (const temperature of [0, 1]) {
      const model = models.choose({ model: null, temperature });
      for await (const _delta of model.stream({ ...aQuestion(), exchanges: [], tools: [] }, PATIENT));
    }

    expect(double.requests).toHaveLength(3);
    expect(log.learned).toEqual([['temperature']]);
  });
});

const TOKEN = 4;

function aColumn(name: string, type: ColumnType, parts: Partial<ColumnProfile> = {}): ColumnProfile {
  return { name, type, nulls: 0, distinct: 999, min: null, max: null, mean: null, topValues: [], ...parts };
}

function texts(...values: readonly string[]): Partial<ColumnProfile> {
  return { distinct: values.length, topValues: values.map((value) => ({ value, count: 1 })) };
}

const SEVEN = [
  aColumn('time', 'time', { min: '2024-01-01T00:00:00.000Z', max: '2024-12-31T23:00:00.000Z' }),
  aColumn('region', 'text', texts('North', 'South', 'East', 'West')),
  aColumn('product', 'text', texts('Chair', 'Table', 'Lamp', 'Desk', 'Shelf', 'Sofa')),
  ...['revenue', 'units', 'cost', 'rating'].map((name) => aColumn(name, 'number', { min: 0.1, max: 99.9, mean: 12.3 })),
];

function many(count: number): readonly ColumnProfile[] {
  const values = texts(...Array.from({ length: 15 }, (_, at) => `a longer value ${at}`));
  return Array.from({ length: count }, (_, at) => aColumn(`metric_${at}`, at % 2 === 0 ? 'text' : 'number', values));
}

function aQuestionOn(columns: readonly ColumnProfile[], parts: Partial<Question['briefing']> = {}): Question {
  const { table, ...rest } = aQuestion().briefing;
  return aQuestion({ ...rest, table: { ...table!, profile: { ...table!.profile, columns } }, ...parts });
}

/** What a model is sent first, as it is sent. */
async function firstRound(question: Question) {
  await using double = await OpenAiDouble.start({ content: 'North.' });
  await foldAnswer(answeringWith(modelOf(double)).answer(question, PATIENT));
  const { tools, messages } = double.requests[0]!.body;
  return { messages, text: JSON.stringify({ tools, messages }) };
}

describe('the first round', () => {
  it('is as it was recorded, and told in at most 2,500 tokens on a table of seven columns', async () => {
    const { messages, text } = await firstRound(aQuestionOn(SEVEN));
    expect(text.length / TOKEN).toBeLessThanOrEqual(2500);
    expect(text).not.toMatch(/\$ref|oneOf|anyOf/);
    const [, mark = ''] = /The marks are <<([0-9a-f]+)>>/.exec(String(messages[0]?.content)) ?? [];
    const { tools } = JSON.parse(text) as { readonly tools: readonly { readonly function: object }[] };
    const told = [
      `${Math.round(text.length / TOKEN)} tokens`,
      ...messages.map(({ role, content }) => `[${role}]\n${content ?? ''}`.replaceAll(mark, 'MARK')),
      ...tools.map((tool) => `[tool]\n${JSON.stringify(tool.function)}`),
    ].join('\n\n');

    await expect(`${told}\n`).toMatchFileSnapshot('openai-chat-model.first-round.txt');
  });

  it.each([7, 500])('begins alike for two questions on one table of %d columns, to four fifths', async (count) => {
    const columns = count === 7 ? SEVEN : many(count);
    const first = await firstRound(aQuestionOn(columns));
    const parts = {
      question: 'Which metric_17 is the highest of all in North, and how has it grown?',
      now: new Date(),
    };
    const second = await firstRound(aQuestionOn(columns, parts));

    let differsAt = 0;
    while (first.text[differsAt] === second.text[differsAt]) differsAt += 1;
    expect(differsAt / Math.max(first.text.length, second.text.length)).toBeGreaterThanOrEqual(0.8);
  });

  it.each([500, 2000])('names every column of %d, or how many are left, in at most 6,000 tokens', async (count) => {
    const columns = many(count);
    const question = aQuestionOn(columns, { question: 'What is the mean of metric_333 and of metric_17 in North?' });
    const table = { ...question.briefing.table!, context: 'From the sensors. '.repeat(300) };

    const { messages, text } = await firstRound(question);
    const widest = await firstRound(aQuestionOn(columns, { ...question.briefing, table }));

    for (const { length } of [text, widest.text]) expect(length / TOKEN).toBeLessThanOrEqual(6000);
    expect(text).toContain('"name":"describe"');
    const told = String(messages.at(-1)?.content);
    const named = columns.filter(({ name }) => told.includes(JSON.stringify(name)));
    if (count === 500) expect(named).toHaveLength(count);
    else expect(told).toContain(' more, which `describe` finds');
    expect(told).toMatch(/Columns that the question may mean:\n- "metric_(?:333|17)"[^]*\n- "metric_(?:333|17)"/);
  });
});
