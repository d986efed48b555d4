import { describe, expect, it } from 'vitest';
import { OpenAiChatModel } from '../../src/adapters/openai/openai-chat-model.js';
import { foldAnswer, TestRows, aQuestion, answeringWith } from '../../src/answering/answering.fixture.js';
import type { Question } from '../../src/answering/question.js';
import type { ColumnProfile, ColumnType } from '../../src/ports/table.js';
import { OpenAiDouble } from '../support/openai-double.js';

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
  await using double = await OpenAiDouble.start({ content: 'North.' });
  const config = { apiKey: 'sk', baseUrl: double.baseUrl, model: 'double', temperature: 0, timeoutMs: 5000 };
  const answering = answeringWith(new OpenAiChatModel(config, 5), new TestRows());
  await foldAnswer(answering.answer(question, new AbortController().signal));
  const { tools, messages } = double.requests[0]!.body;
  return { messages, text: JSON.stringify({ tools, messages }) };
}

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
