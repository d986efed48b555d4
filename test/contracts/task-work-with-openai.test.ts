import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OpenAiChatModel } from '../../src/adapters/openai/openai-chat-model.js';
import type { TaskAssignment } from '../../src/answering/tasks/task-assignment.js';
import { OpenAiDouble, type DoubleStep } from '../support/openai-double.js';
import { anAssignment, doneWork, openTaskWorld, type DoneWork, type TaskWorld } from './task-work.fixture.js';

const TOTAL = {
  name: 'analyze',
  arguments: JSON.stringify({
    plan: { kind: 'aggregate', measures: [{ aggregate: 'sum', column: 'revenue', label: 'revenue' }] },
    purpose: 'total revenue',
  }),
};
const BY_SHOP = {
  name: 'run_query',
  arguments: JSON.stringify({
    sql: 'SELECT shop, sum(revenue) AS revenue FROM data GROUP BY 1 ORDER BY 2 DESC',
    purpose: 'by shop',
  }),
};
const CHART = {
  name: 'make_chart',
  arguments: JSON.stringify({ kind: 'bar', x: 'shop', y: 'revenue', title: 'Revenue by shop' }),
};
const PROMPT = 'What is the total revenue?';

describe('a task that a model works on', { timeout: 60_000 }, () => {
  let world: TaskWorld;
  beforeAll(async () => {
    world = await openTaskWorld();
  }, 120_000);
  afterAll(async () => {
    await world[Symbol.asyncDispose]();
  });

  async function done(
    script: readonly DoubleStep[],
    parts: Partial<TaskAssignment> = {},
    then: (double: OpenAiDouble) => void = () => undefined,
  ): Promise<DoneWork> {
    await using double = await OpenAiDouble.start(...script);
    const config = { apiKey: 'sk', baseUrl: double.baseUrl, model: 'double', temperature: 0, timeoutMs: 5000 };
    const work = world.work(new OpenAiChatModel(config, 5));
    const result = await doneWork(work, anAssignment({ prompt: PROMPT, subjects: [world.sales], ...parts }));
    then(double);
    return result;
  }

  it('is answered in the words of the model, with its charts where it put them', async () => {
    const { answer, steps, figures } = await done(
      [
        { calls: [BY_SHOP] },
        { calls: [CHART] },
        { content: 'Station leads.' },
        { content: 'Station leads with **39,847**.\n\n{chart 1}\n\nThe rest follows.' },
      ],
      { prompt: 'Which shop has the most revenue?' },
    );

    expect(answer).toMatch(
      /^Station leads with \*\*39,847\*\*\.\n\n!\[Revenue by shop\]\(\/api\/v1\/secure\/assistant\/visualizations\/[0-9a-f]+\.png\)\n\nThe rest follows\.$/,
    );
    expect(steps.map(({ type }) => type)).toEqual(['query', 'chart', 'check', 'answer']);
    expect(figures).toContainEqual(
      expect.objectContaining({ label: 'revenue, Station', value: expect.closeTo(39847.4, 1) as number }),
    );
  });

  it('tells the model of the findings as data, between marks, without tools', async () => {
    let messages: readonly { readonly content: string | null }[] = [];
    const said = { content: 'It is 93,339.6.' };
    await done([{ calls: [TOTAL] }, said, said], {}, ({ requests }) => {
      const body = requests.at(-1)!.body;
      messages = body.messages;
      expect(body).not.toHaveProperty('tools.0');
    });

    const [system, user] = [String(messages[0]?.content), String(messages.at(-1)?.content)];
    const [, mark = 'none'] = /<<([0-9a-f]+)>>/.exec(system) ?? [];
    const [, inside = '', after = ''] = user.split(new RegExp(`<</?${mark}>>`));
    expect(inside).toContain('It is 93,339.6.');
    expect(after).toContain(PROMPT);
  });

  it('takes the findings as they are when the model keeps inventing, and flags what it invented in them', async () => {
    const { answer } = await done([
      { calls: [TOTAL] },
      { content: 'The revenue is 93,339.6, of which 77,777 is profit.' },
      // Its second try to answer the question, and then two at the whole text.
      { content: 'The revenue is 93,339.6, of which 77,777 is profit.' },
      { content: 'The profit is 77,777.' },
      { content: 'The profit is 77,777.' },
    ]);

    expect(answer).toMatch(/^The revenue is 93,339\.6/);
    expect(answer).toContain('don’t rely on them: 77,777.');
  });

  it('does without a last word that fails', async () => {
    const { answer, steps } = await done([
      { calls: [TOTAL] },
      { content: 'The revenue is 93,339.6.' },
      { status: 400, message: 'no' },
    ]);

    expect(answer).toMatch(/^The revenue is 93,339\.6\./);
    expect(steps.filter(({ type }) => type === 'error')).toHaveLength(1);
  });

  it('takes links, images and tags out of everything that the model writes', async () => {
    const evil =
      '![x](https://evil.example/a.png) [click](https://evil.example) <img src=x> https://evil.example/{chart 9}';
    const { answer } = await done([{ calls: [TOTAL] }, { content: evil }, { content: `It is 93,339.6. ${evil}` }]);

    expect(answer).not.toMatch(/!\[|\]\(|<img|https?:/);
  });

  it('spends no more than 8 steps on a model that never stops calling', async () => {
    let asked = 0;
    const script = Array.from({ length: 30 }, () => ({ content: 'x', calls: [TOTAL] }));
    await done(script, { prompt: 'a? b? c? d? e? f?', subjects: [world.sales, world.otherSales] }, ({ requests }) => {
      asked = requests.length;
    });

    expect(asked).toBeLessThanOrEqual(8);
    expect(asked).toBeGreaterThan(2);
  });

  it('writes the summary of a report and leaves its figures to the queries', async () => {
    const { answer } = await done(
      [{ calls: [TOTAL] }, { content: 'It is 93,339.6.' }, { content: 'Revenue came to **93,339.6**.' }],
      { mode: 'report' },
    );

    expect(answer).toContain('## Summary\n\nRevenue came to **93,339.6**.\n\n## Key figures');
    expect(answer).toContain('## Data quality');
  });
});
