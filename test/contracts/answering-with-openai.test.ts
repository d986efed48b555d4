import { describe, expect, it } from 'vitest';
import { OpenAiChatModel } from '../../src/adapters/openai/openai-chat-model.js';
import { foldAnswer, RESULT, TestRows, aQuestion, answeringWith } from '../../src/answering/answering.fixture.js';
import type { Question } from '../../src/answering/question.js';
import type { ColumnProfile, ColumnType } from '../../src/ports/table.js';
import { AppError } from '../../src/shared/app-error.js';
import { OpenAiDouble, type DoubleStep } from '../support/openai-double.js';

const QUERY = { name: 'run_query', arguments: JSON.stringify({ sql: 'SELECT 1', purpose: 'revenue by region' }) };

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

function aQuestionOn(columns: readonly ColumnProfile[], parts: Partial<Question['briefing']> = {}): Question {
  const { table, ...rest } = aQuestion().briefing;
  return aQuestion({ ...rest, table: { ...table!, profile: { ...table!.profile, columns } }, ...parts });
}

/** What a model is sent first, as it is sent. */
async function firstRound(question: Question) {
  await using it = await asked([{ content: 'North.' }]);
  for await (const step of it.steps(question)) if (step.kind === 'done') break;
  const { tools, messages } = it.double.requests[0]!.body;
  return { messages, text: JSON.stringify({ tools, messages }) };
}

/** A question that is answered by a model which does what the script says. */
async function asked(script: readonly DoubleStep[]) {
  const rows = new TestRows();
  const double = await OpenAiDouble.start(...script);
  const config = { apiKey: 'sk', baseUrl: double.baseUrl, model: 'double', temperature: 0, timeoutMs: 5000 };
  const answering = answeringWith(new OpenAiChatModel(config, 5), rows);
  return {
    double,
    rows,
    steps: (question = aQuestion(), signal = new AbortController().signal) => answering.answer(question, signal),
    /** What the model was told of its calls in the last round. */
    outcomes(): readonly string[] {
      const messages = double.requests.at(-1)?.body.messages ?? [];
      return messages.filter(({ role }) => role === 'tool').map(({ content }) => content ?? '');
    },
    [Symbol.asyncDispose]: () => double[Symbol.asyncDispose](),
  };
}

describe('a question answered over the OpenAI protocol', () => {
  it('runs the query and streams the answer', async () => {
    await using it = await asked([
      { content: 'Let me look.', calls: [QUERY] },
      { content: 'North leads with **149**.', pieceAfterMs: 1 },
    ]);
    const kinds: string[] = [];
    let response = '';
    for await (const step of it.steps()) {
      kinds.push(step.kind);
      if (step.kind === 'text') response += step.text;
    }

    expect(response).toBe('North leads with **149**.');
    expect(kinds.slice(0, 3)).toEqual(['status', 'status', 'query']);
    expect(kinds.at(-1)).toBe('done');
    expect(it.rows.ran).toEqual(['SELECT 1']);
    expect(JSON.parse(it.outcomes()[0] ?? '')).toMatchObject({ result: 'r1', row_count: RESULT.rows.length });
  });

  it('ends with its signal when the model hangs, and hangs up', async () => {
    await using it = await asked([{ content: 'North', then: 'hang' }]);
    const stop = new AbortController();
    const reason = new AppError('timed_out', 'chat timed out');
    const folding = foldAnswer(it.steps(aQuestion(), stop.signal));
    while (it.double.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const began = performance.now();
    stop.abort(reason);

    await expect(folding).rejects.toBe(reason);
    expect(performance.now() - began).toBeLessThan(10_000);
    await it.double.requests[0]?.closed;
  });
});

describe('the first round', () => {
  it('is told in at most 2,500 tokens on a table of seven columns', async () => {
    const { text } = await firstRound(aQuestionOn(SEVEN));

    expect(text.length / TOKEN).toBeLessThanOrEqual(2500);
    expect(text).not.toMatch(/\$ref|oneOf|anyOf/);
  });

  it('is as it was recorded', async () => {
    const { messages, text } = await firstRound(aQuestionOn(SEVEN));
    const [, mark = ''] = /The marks are <<([0-9a-f]+)>>/.exec(String(messages[0]?.content)) ?? [];
    const { tools } = JSON.parse(text) as { readonly tools: readonly { readonly function: object }[] };
    const told = [
      `${Math.round(text.length / TOKEN)} tokens`,
      ...messages.map(({ role, content }) => `[${role}]\n${content ?? ''}`.replaceAll(mark, 'MARK')),
      ...tools.map((tool) => `[tool]\n${JSON.stringify(tool.function)}`),
    ].join('\n\n');

    await expect(`${told}\n`).toMatchFileSnapshot('answering-with-openai.first-round.txt');
  });

  it.each([7, 60, 500])('begins alike for two questions on one table of %d columns, to four fifths', async (count) => {
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
    expect(named.length === count ? 0 : told).toEqual(
      count === 500 ? 0 : expect.stringContaining(' more, which `describe` finds'),
    );
    expect(told).toMatch(/Columns that the question may mean:\n- "metric_(?:333|17)"[^]*\n- "metric_(?:333|17)"/);
  });
});

function many(count: number): readonly ColumnProfile[] {
  const values = texts(...Array.from({ length: 15 }, (_, at) => `a longer value ${at}`));
  return Array.from({ length: count }, (_, at) => aColumn(`metric_${at}`, at % 2 === 0 ? 'text' : 'number', values));
}
