import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OpenAiChatModel } from '../../src/adapters/openai/openai-chat-model.js';
import { TestRows } from '../../src/answering/answering.fixture.js';
import { KnownFigures, unknownFigures } from '../../src/answering/figure-check.js';
import type { TaskAssignment, TaskSubject } from '../../src/answering/tasks/task-assignment.js';
import type { AnalysisPlan } from '../../src/ports/analysis-plan.js';
import type { RowReader } from '../../src/ports/row-reader.js';
import type { QueryLimits, QueryResult, TableRef } from '../../src/ports/table.js';
import { AppError } from '../../src/shared/app-error.js';
import { type DoubleCall, type DoubleStep, OpenAiDouble, queryCall } from '../support/openai-double.js';
import { anAssignment, doneWork, type DoneWork, openTaskWorld, type TaskWorld } from './task-work.fixture.js';

/** Rows that do with each plan what the test says before they answer it. */
class TamperedRows extends TestRows {
  readonly results: QueryResult[] = [];

  constructor(
    private readonly rows: RowReader,
    private readonly tamper: (plan: AnalysisPlan, result: QueryResult) => QueryResult | Promise<QueryResult>,
  ) {
    super(() => new Error('not asked for'));
  }

  override async analyze(table: TableRef, plan: AnalysisPlan, limits?: QueryLimits): Promise<QueryResult> {
    const result = await this.tamper(plan, await this.rows.analyze(table, plan, limits!));
    this.results.push(result);
    return result;
  }
}

function sections(answer: string): readonly string[] {
  return [...answer.matchAll(/^## (.*)$/gm)].map(([, title = '']) => title);
}

let world: TaskWorld;
beforeAll(async () => {
  world = await openTaskWorld();
}, 120_000);
afterAll(() => world[Symbol.asyncDispose]());

describe('a task that the built-in analyst works on', { timeout: 120_000 }, () => {
  function done(parts: Partial<TaskAssignment> & Pick<TaskAssignment, 'prompt'>, rows?: RowReader): Promise<DoneWork> {
    return doneWork(world.work(undefined, rows), anAssignment({ subjects: [world.weather], ...parts }));
  }

  it('answers one question directly, with its chart and what it rests on', async () => {
    const { answer, steps, figures } = await done({ prompt: 'What is the average temp_max by location?' });

    expect(answer).toMatch(/^\*\*New York\*\* has the highest average temp_max \(\*\*17\.1\*\*\)/);
    expect(answer).toMatch(
      /!\[Average temp_max by location\]\(\/api\/v1\/secure\/assistant\/visualizations\/[0-9a-f]+\.png\)/,
    );
    expect(answer).toMatch(/\*Based on all 2,922 rows, 2012-01-01 to 2015-12-31\.\*$/);
    expect(steps.map(({ type }) => type)).toEqual(['query', 'chart', 'answer']);
    expect(steps[0]).toMatchObject({
      title: 'average temp_max by location',
      dbquery: expect.stringContaining('SELECT') as string,
    });
    expect(steps.at(-1)?.content).toBe(answer);
    expect(figures.map(({ label }) => label)).toEqual(['average temp_max, New York', 'average temp_max, Seattle']);
  });

  it('answers every question of a prompt, one that leans on the one before too', async () => {
    const { answer } = await done({
      prompt: 'How many rows are there? Total precipitation by location. And in 2013? Use tables.',
    });

    expect(answer).toMatch(
      /^## How many rows are there\?\n\nThere are \*\*2,922 rows\*\*\.\n\n\*Based on all 2,922 rows/,
    );
    expect(answer).toContain('**New York** has the highest total precipitation where date is in 2013 (**902.7**)');
    expect(sections(answer)).toEqual(['How many rows are there?', 'Total precipitation by location', 'And in 2013?']);
  });

  it('asks only the datasource whose columns fit, and compares where several do', async () => {
    const { answer } = await done({
      prompt: 'total revenue; average wind in Seattle',
      subjects: [world.sales, world.otherSales, world.weather],
    });

    expect(answer).toContain('## Sales North: Total revenue\n\nThe total revenue is **93,339.63**.');
    expect(answer).toContain('## Sales South: Total revenue\n\nThe total revenue is **186,679.15**.');
    expect(answer).toMatch(/## Weather: Average wind in Seattle\n\nThe average wind is \*\*[\d.]+\*\*/);
    expect(answer).toContain('| total revenue | 93,339.63 | 186,679.15 | – | 93,339.52 | 2 |');
    expect(sections(answer)).toContain('Comparison');
  });

  it('gives no figure and says what can be asked where it understands nothing', async () => {
    const { answer, figures, steps } = await done({
      prompt: 'Who is the best employee? Forecast next month.',
      subjects: [world.sales],
    });

    expect(answer).toMatch(/^I could not answer any of this from Sales North\.\n/);
    expect(answer).toContain('You can ask, for example:');
    expect(figures).toEqual([]);
    expect(steps.map(({ type }) => type)).toEqual(['answer']);
  });

  it('looks around when a general look is asked for', async () => {
    const { answer } = await done({ prompt: 'Analyse the data.' });

    expect(answer).toContain(
      'There are **2,922 rows**, there are **2 different location values**, the earliest date is **2012-01-01** and the latest date is **2015-12-31**.',
    );
    expect(answer).toContain('**Seattle** has the highest total precipitation (**4,426**)');
    expect(answer).toContain('**December 2015** has the highest total precipitation (**406.2**)');
    expect(answer).toContain(
      'These are the **73 rows** with the highest precipitation where precipitation is an outlier',
    );
    expect(answer.match(/!\[/g)).toHaveLength(3);
  });

  it('writes a report with all its parts, and names gaps, missing values and outliers', async () => {
    const { answer } = await done({
      mode: 'report',
      prompt: 'Which shop has the highest total revenue?',
      subjects: [world.sales],
    });

    expect(answer).toMatch(/^# Report on Sales North\n\n\*4 March 2024, 10:00 UTC\*/);
    expect(sections(answer)).toEqual([
      ...['What was asked', 'Summary', 'Key figures', 'Findings', 'Data quality', 'Method'],
    ]);
    expect(answer).toContain('| Total revenue | 93,339.63 |');
    expect(answer.match(/!\[/g)?.length).toBeGreaterThanOrEqual(3);
    expect(answer).toContain('**Missing values:** revenue 9 (1.7 %).');
    expect(answer).toContain('3 days (the longest: 2024-04-10 to 2024-04-12) without any row');
    expect(answer).toContain('| 2024-05-20 | Station | 1,749.6 |');
  });

  it('plans first, looks further and checks its figures when it thinks', async () => {
    const { answer, steps } = await done({
      prompt: 'total revenue by month',
      thinking: true,
      subjects: [world.sales],
    });
    const types = steps.map(({ type }) => type);

    expect(types[0]).toBe('plan');
    expect(types.at(-1)).toBe('answer');
    expect(types.filter((type) => type === 'check').length).toBeGreaterThanOrEqual(3);
    expect(answer).toContain('### What stood behind the total revenue of May 2024');
    expect(answer).toContain('## Checked\n\n- **Size:** 534 rows');
    expect(answer).toContain('3 days (the longest: 2024-04-10 to 2024-04-12) without any row');
  });

  it.each([
    { mode: 'solve', thinking: true, prompt: 'Analyse the data. What is the average wind by weekday? 3 coldest days.' },
    { mode: 'report', thinking: true, prompt: 'total precipitation per year' },
  ] as const)('names no figure that stands in no result ($mode)', async (parts) => {
    const rows = new TamperedRows(world.reader, (_, result) => result);
    const { answer } = await done(parts, rows);
    const known = new KnownFigures();
    for (const result of rows.results) {
      known.addResult(result);
      known.add(...derivedFrom(result));
    }
    known.addText(parts.prompt);
    const { profile } = world.weather;
    for (const { distinct, min, max } of profile.columns) known.add(distinct, Number(min), Number(max));
    const told = answer.replace(/## Method[\s\S]*/, '').replace(/\d standard deviations/g, '');
    expect(unknownFigures(told, known).filter((figure) => !isOwnCount(figure))).toEqual([]);
  });

  it('goes on when a query fails, says so, and fails itself when the row store stays away', async () => {
    const failing = (error: AppError, word: string): TamperedRows =>
      new TamperedRows(world.reader, (plan, result) => {
        if (JSON.stringify(plan).includes(word)) throw error;
        return result;
      });
    const slow = failing(new AppError('timed_out', 'the query took too long'), '"wind"');
    const { answer, steps } = await done({ prompt: 'average wind by location; average temp_max' }, slow);

    expect(steps.map(({ type }) => type)).toEqual(['error', 'query', 'answer']);
    expect(answer).toContain('The average temp_max is **16.77**');
    expect(answer).toContain('the query took too long');
    const away = failing(new AppError('unavailable', 'the engine is away'), '');
    await expect(done({ prompt: 'Analyse the data.' }, away)).rejects.toMatchObject({ kind: 'unavailable' });
  });

  it('stops at once when it is told to', async () => {
    const reason = new AppError('timed_out', 'the run took too long');
    const stop = new AbortController();
    let asked = 0;
    const rows = new TamperedRows(world.reader, (_, result) => {
      asked += 1;
      if (asked < 3) return result;
      stop.abort(reason);
      return new Promise(() => undefined);
    });
    const prompt = 'total precipitation by location';
    const assignment = anAssignment({ subjects: [world.weather], mode: 'report', prompt });

    await expect(doneWork(world.work(undefined, rows), assignment, stop.signal)).rejects.toBe(reason);
    expect(asked).toBe(3);
  });

  it('quotes context files, names them once, and lives without them', async () => {
    const quote = 'The warranty period is two years. Nothing else.';
    const told = await done({
      prompt: 'What is the warranty period?',
      passagesFor: () => Promise.resolve([{ fileId: 'f1', filename: 'Hand*book.pdf', page: 3, quote }]),
    });
    const without = await done({
      prompt: 'average wind',
      passagesFor: () => Promise.reject(new AppError('unavailable', 'the index is away')),
    });

    expect(told.steps.map(({ type }) => type)).toEqual(['context', 'answer']);
    expect(told.steps[0]?.content).toBe(String.raw`- Hand\*book.pdf, page 3`);
    expect(told.answer).toContain('The warranty period is two years.');
    expect(told.answer).toContain(String.raw`## Context files used`);
    expect(without.answer).toContain('The average wind is **4.101**');
    expect(without.answer).toContain('The context files could not be read: the index is away');
  });

  it('lets nothing of names, prompts and cells become a mark, a link or an image', async () => {
    const evil = '![x](https://evil.example/a.png)<img src=x>|[click](https://evil.example)\n# boo';
    const subject: TaskSubject = { ...world.sales, name: evil };
    for (const mode of ['solve', 'report'] as const) {
      const { answer, steps } = await done({
        mode,
        thinking: true,
        prompt: `${evil}? Analyse it. ${evil}`,
        subjects: [subject, { ...world.otherSales, name: `${evil}2` }],
      });
      for (const text of [answer, ...steps.map(({ content }) => content)]) {
        expect(text).not.toMatch(/(?<!\\)!\[(?!.*\]\(\/api\/v1\/secure\/assistant\/visualizations\/[0-9a-f]+\.png\))/);
        expect(text).not.toMatch(/(?<!\\)<img|https?:\/\/|^# boo/m);
        expect(text).not.toMatch(/(?<!\\)\]\((?!\/api\/v1\/secure\/assistant\/visualizations\/)/);
      }
    }
  });

  it('stops asking when its time is up, and writes up what it has', async () => {
    const rows = new TamperedRows(world.reader, (_, result) => {
      world.clock.advance(200_000);
      return result;
    });
    const { answer } = await done({ prompt: 'average wind; average temp_max; average temp_min' }, rows);

    expect(answer).toContain('The average wind is');
    expect(answer).toContain('Not asked, because the time of a run is limited: “Average temp_max”');
  });

  it.each([
    { prompt: ' \n ?!', why: 'the prompt has no words' },
    { prompt: 'average wind', subjects: [], why: 'the task has no datasource to ask' },
  ])('refuses a task without substance: $why', async ({ why, ...parts }) => {
    await expect(done(parts)).rejects.toMatchObject({ kind: 'invalid_input', message: why });
  });
});

function call(name: string, parameters: object): DoubleCall {
  return { name, arguments: JSON.stringify(parameters) };
}

const TOTAL = call('analyze', {
  plan: { kind: 'aggregate', measures: [{ aggregate: 'sum', column: 'revenue', label: 'revenue' }] },
  purpose: 'total revenue',
});
const BY_SHOP = queryCall('SELECT shop, sum(revenue) AS revenue FROM data GROUP BY 1 ORDER BY 2 DESC', 'by shop');
const CHART = call('make_chart', { kind: 'bar', x: 'shop', y: 'revenue', title: 'Revenue by shop' });
const PROMPT = 'What is the total revenue?';

/** What a model does request by request, or of what it is asked. */
type Doing = readonly DoubleStep[] | OpenAiDouble['otherwise'];

/** What came of a task of a model, and what the model was asked. */
async function modelled(
  doing: Doing,
  parts: Partial<TaskAssignment> = {},
): Promise<DoneWork & { readonly requests: OpenAiDouble['requests'] }> {
  await using double = await OpenAiDouble.start();
  if (typeof doing === 'function') double.otherwise = doing;
  else double.append(...doing);
  const config = { apiKey: 'sk', baseUrl: double.baseUrl, model: 'double', temperature: 0, timeoutMs: 5000 };
  const work = world.work(new OpenAiChatModel(config, 5));
  const outcome = await doneWork(work, anAssignment({ prompt: PROMPT, subjects: [world.sales], ...parts }));
  return { ...outcome, requests: double.requests };
}

describe('a task that a model works on', { timeout: 60_000 }, () => {
  it('is answered in the words of the model, with its charts where it put them', async () => {
    const { answer, steps, figures } = await modelled(
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
    const said = { content: 'It is 93,339.6.' };
    const { requests } = await modelled([{ calls: [TOTAL] }, said, said]);
    const { body } = requests.at(-1)!;
    const { messages } = body;
    expect(body).not.toHaveProperty('tools.0');

    const [system, user] = [String(messages[0]?.content), String(messages.at(-1)?.content)];
    const [, mark = 'none'] = /<<([0-9a-f]+)>>/.exec(system) ?? [];
    const [, inside = '', after = ''] = user.split(new RegExp(`<</?${mark}>>`));
    expect(inside).toContain('It is 93,339.6.');
    expect(after).toContain(PROMPT);
  });

  it('takes the findings as they are when the model keeps inventing, and does without a last word that fails', async () => {
    const invents = { content: 'The revenue is 93,339.6, of which 77,777 is profit.' };
    // Two tries to answer the question, and then two at the whole text.
    const again = { content: 'The profit is 77,777.' };
    const flagged = await modelled([{ calls: [TOTAL] }, invents, invents, again, again]);
    const failed = await modelled([
      { calls: [TOTAL] },
      { content: 'The revenue is 93,339.6.' },
      { status: 400, message: 'no' },
    ]);

    expect(flagged.answer).toMatch(/^The revenue is 93,339\.6/);
    expect(flagged.answer).toContain('don’t rely on them: 77,777.');
    expect(failed.answer).toMatch(/^The revenue is 93,339\.6\./);
    expect(failed.steps.filter(({ type }) => type === 'error')).toHaveLength(1);
  });

  it('takes links, images and tags out of everything that the model writes', async () => {
    const evil =
      '![x](https://evil.example/a.png) [click](https://evil.example) <img src=x> https://evil.example/{chart 9}';
    const { answer } = await modelled([{ calls: [TOTAL] }, { content: evil }, { content: `It is 93,339.6. ${evil}` }]);

    expect(answer).not.toMatch(/!\[|\]\(|<img|https?:/);
  });

  it('spends no more than 8 steps on a model that never stops calling', async () => {
    const script = Array.from({ length: 30 }, () => ({ content: 'x', calls: [TOTAL] }));
    const subjects = [world.sales, world.otherSales];
    const { requests } = await modelled(script, { prompt: 'a? b? c? d? e? f?', subjects });
    expect(requests.length).toBeLessThanOrEqual(8);
    expect(requests.length).toBeGreaterThan(2);
  });

  it('writes the summary of a report and leaves its figures to the queries', async () => {
    const { answer } = await modelled(
      [{ calls: [TOTAL] }, { content: 'It is 93,339.6.' }, { content: 'Revenue came to **93,339.6**.' }],
      { mode: 'report' },
    );

    expect(answer).toContain('## Summary\n\nRevenue came to **93,339.6**.\n\n## Key figures');
    expect(answer).toContain('## Data quality');
  });
});

describe('an investigation that a model plans', { timeout: 120_000 }, () => {
  const about = (): Partial<TaskAssignment> => ({
    prompt: 'Which chain sells more, and what is behind it?',
    thinking: true,
    subjects: [world.sales, world.otherSales],
  });
  const plan = (...steps: readonly string[]): DoubleCall => call('plan', { steps });
  const sum = (datasource: string, purpose = 'total'): DoubleCall =>
    call('run_query', { sql: 'SELECT round(sum(revenue)) AS revenue FROM data', purpose, datasource });

  it('asks each datasource by its name, plans again, and checks every figure of its text', async () => {
    const { answer, steps, requests } = await modelled(
      [
        { calls: [plan('Look at both chains'), sum('Sales North'), queryCall('SELECT 1 AS one FROM data')] },
        { calls: [plan('Look at the other one'), sum('Sales South')] },
        { content: 'Sales South leads with **186,679**, and Sales North has 93,340.' },
      ],
      about(),
    );
    expect(answer).toContain('Sales South leads with **186,679**');
    expect(answer).not.toMatch(STRANGE);
    expect(steps.filter(({ type }) => type === 'plan')).toHaveLength(2);
    expect(steps.find(({ type }) => type === 'check')?.title).toBe('Every figure of the text stands in a result');
    const asked = steps.filter(({ type }) => type === 'query').map(({ title }) => title.split(':')[0]);
    expect(asked).toEqual(['Sales North', 'Sales South']);
    const told = JSON.stringify(requests[1]?.body.messages);
    expect(told).toContain('datasource must be one of Sales North, Sales South');
  });

  it('marks a figure that the model made up, and says so in its steps', async () => {
    const invented = { content: 'Revenue fell by 123,457.' };
    const { answer, steps } = await modelled([invented, invented], about());
    expect(answer).toContain('could not be verified: 123,457');
    expect(steps.find(({ type }) => type === 'check')).toMatchObject({ content: '- 123,457' });
  });

  it.each([
    { end: 'after 24 rounds', tokens: 10, rounds: 24 },
    { end: 'when its tokens are used up', tokens: 150_000, rounds: 4 },
  ])('ends in words $end, however long the model would go on', async ({ tokens, rounds }) => {
    const usage = { prompt_tokens: tokens, completion_tokens: 1 };
    const { answer, requests } = await modelled(
      ({ tools = [] }) =>
        tools.length > 0 ? { calls: [sum('Sales North')], usage } : { content: 'Nothing was found.' },
      about(),
    );
    expect(requests).toHaveLength(rounds);
    expect(answer).toMatch(/^Nothing was found\./);
  });
});

const STRANGE = /could not be verified|don’t rely on them/;

/** Shares in percent, averages of the halves and of the first and last year, and what lies three standard deviations away. */
function derivedFrom({ columns, rows }: QueryResult): readonly number[] {
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const figures = rows.map((row) => row.at(-1)).filter((cell) => typeof cell === 'number');
  const sum = figures.reduce((total, value) => total + value, 0);
  const half = Math.floor(figures.length / 2);
  const isSpread = columns.map(({ name }) => name).join() === 'first,second';
  const [average, deviation] = [Number(rows[0]?.[0]), Number(rows[0]?.[1])];
  const spreads = isSpread ? [average - 3 * deviation, average + 3 * deviation] : [];
  const parts = [figures.slice(0, half), figures.slice(-half), figures.slice(0, 12), figures.slice(-12)];
  return [...figures.map((value) => (100 * value) / sum), ...parts.map(mean), ...spreads];
}

/** Numbers of things that the text itself counts: columns, days, groups of a chart. */
function isOwnCount(figure: string): boolean {
  return ['7', '12', '24'].includes(figure);
}
