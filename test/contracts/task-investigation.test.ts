import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OpenAiChatModel } from '../../src/adapters/openai/openai-chat-model.js';
import type { TaskSubject } from '../../src/answering/tasks/task-assignment.js';
import type { ModelConfig } from '../../src/config/app-config.js';
import { investigating } from '../support/investigating-model.js';
import { OpenAiDouble, queryCall } from '../support/openai-double.js';
import { anAssignment, doneWork, type DoneWork, openTaskWorkshop, type TaskWorkshop } from './task-work.fixture.js';

/** Two datasources in which one thing went wrong, and what it was. */
interface Planted {
  readonly subjects: readonly TaskSubject[];
  /** The group that lost revenue: `North`. */
  readonly value: string;
  /** What rose in the other datasource for that group: `outages`. */
  readonly measure: string;
  /** `2024-04` */
  readonly month: string;
}

const GROUPS = {
  region: ['North', 'South', 'West'],
  channel: ['Online', 'Partner', 'Store'],
  product: ['Bike', 'Helmet', 'Lamp'],
} as const;
const MEASURES = ['outages', 'complaints', 'delays'] as const;
const FIRST_DAY = Date.UTC(2024, 0, 1);
const DAYS = 182;

/** Half a year of revenue, of which one group loses more than half in one month, while one trouble of that group rises. */
async function plantedWorld(world: TaskWorkshop, seed: number): Promise<Planted> {
  const random = randomFrom(seed);
  const one = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] ?? values[0]!;
  const dimension = one(Object.keys(GROUPS) as (keyof typeof GROUPS)[]);
  const [value, measure] = [one<string>(GROUPS[dimension]), one<string>(MEASURES)];
  const month = one(['2024-03', '2024-04', '2024-05', '2024-06']);
  const hit = (day: string, groups: Readonly<Record<string, string>>): boolean =>
    day.startsWith(month) && groups[dimension] === value;

  const sales = ['day,region,channel,product,revenue'];
  const troubles = [`day,${dimension},${MEASURES.join(',')}`];
  for (let at = 0; at < DAYS; at += 1) {
    const day = new Date(FIRST_DAY + at * 86_400_000).toISOString().slice(0, 10);
    for (const groups of combinations()) {
      const usual = 100 * (0.9 + 0.2 * random());
      const revenue = hit(day, groups) ? usual * 0.35 : usual;
      sales.push([day, groups['region'], groups['channel'], groups['product'], revenue.toFixed(2)].join(','));
    }
    for (const group of GROUPS[dimension]) {
      const counts = MEASURES.map((name) => {
        const usual = Math.floor(3 + 3 * random());
        return name === measure && hit(day, { [dimension]: group }) ? usual * 8 : usual;
      });
      troubles.push([day, group, ...counts].join(','));
    }
  }
  const subjects = [
    await world.load({
      name: 'Sales',
      text: `${sales.join('\n')}\n`,
      columns: [
        ['day', 'time'],
        ['region', 'text'],
        ['channel', 'text'],
        ['product', 'text'],
        ['revenue', 'number'],
      ],
      ...{ timeField: 'day', metaField: 'region', format: '%Y-%m-%d' },
    }),
    await world.load({
      name: 'Troubles',
      text: `${troubles.join('\n')}\n`,
      columns: [['day', 'time'], [dimension, 'text'], ...MEASURES.map((name) => [name, 'integer'] as const)],
      ...{ timeField: 'day', metaField: dimension, format: '%Y-%m-%d' },
    }),
  ];
  return { subjects, value, measure, month };
}

function combinations(): readonly Readonly<Record<string, string>>[] {
  return GROUPS.region.flatMap((region) =>
    GROUPS.channel.flatMap((channel) => GROUPS.product.map((product) => ({ region, channel, product }))),
  );
}

/** Mulberry32: the same numbers for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed * 0x9e3779b9;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const SEEDS = Array.from({ length: process.env['TEST_LONG'] === '1' ? 8 : 1 }, (_, index) => index + 1);
const PROMPT = 'The revenue fell. In which month, and what is behind it?';
const STRANGE = /could not be verified|don’t rely on them/;

describe('an investigation that a model plans', { timeout: 120_000 }, () => {
  let world: TaskWorkshop;
  let first: Planted;
  beforeAll(async () => {
    world = await openTaskWorkshop();
    first = await plantedWorld(world, 1);
  }, 120_000);
  afterAll(async () => {
    await world[Symbol.asyncDispose]();
  });

  async function investigated(config: Partial<ModelConfig>, subjects: readonly TaskSubject[]): Promise<DoneWork> {
    const whole = { apiKey: 'sk', baseUrl: null, model: 'double', temperature: 0, timeoutMs: 60_000, ...config };
    const work = world.work(new OpenAiChatModel(whole, 5));
    return doneWork(work, anAssignment({ prompt: PROMPT, thinking: true, subjects }));
  }

  function namesTheDriver(answer: string, { value, measure, month }: Planted): void {
    expect(answer).toContain(value);
    expect(answer).toContain(measure);
    expect(answer).toContain(month);
    expect(answer).not.toMatch(STRANGE);
  }

  it.each(SEEDS)('names the driver that was planted with seed %i, and no figure that stands nowhere', async (seed) => {
    const planted = seed === 1 ? first : await plantedWorld(world, seed);
    await using double = await OpenAiDouble.start();
    double.otherwise = investigating;
    const { answer, steps } = await investigated({ baseUrl: double.baseUrl }, planted.subjects);
    namesTheDriver(answer, planted);
    const plans = steps.filter(({ type }) => type === 'plan');
    expect(plans.length).toBeGreaterThanOrEqual(2);
    expect(steps.find(({ type }) => type === 'check')?.title).toBe('Every figure of the text stands in a result');
    const asked = steps.filter(({ type }) => type === 'query').map(({ title }) => title.split(':')[0]);
    expect(new Set(asked)).toEqual(new Set(planted.subjects.map(({ name }) => name)));
    expect(steps.filter(({ type }) => type === 'error')).toEqual([]);
    expect(double.requests.length).toBeLessThanOrEqual(24);
  });

  it('marks a figure that the model made up, and says so in its steps', async () => {
    const { subjects } = first;
    const invented = { content: 'Revenue fell by 123,457.' };
    await using double = await OpenAiDouble.start(invented, invented);
    const { answer, steps } = await investigated({ baseUrl: double.baseUrl }, subjects);
    expect(answer).toContain('could not be verified: 123,457');
    expect(steps.find(({ type }) => type === 'check')).toMatchObject({ content: '- 123,457' });
  });

  it.each([
    { end: 'after 24 rounds', tokens: 10, rounds: 24 },
    { end: 'when its tokens are used up', tokens: 150_000, rounds: 4 },
  ])('ends in words $end, however long the model would go on', async ({ tokens, rounds }) => {
    const { subjects } = first;
    await using double = await OpenAiDouble.start();
    const { arguments: json } = queryCall('SELECT 1 AS one FROM data LIMIT 1');
    const call = {
      name: 'run_query',
      arguments: JSON.stringify({ ...JSON.parse(json), datasource: subjects[0]?.name }),
    };
    const usage = { prompt_tokens: tokens, completion_tokens: 1 };
    double.otherwise = ({ tools = [] }) =>
      tools.length > 0 ? { calls: [call], usage } : { content: 'Nothing was found.' };
    const { answer } = await investigated({ baseUrl: double.baseUrl }, subjects);
    expect(double.requests.length).toBe(rounds);
    expect(answer).toMatch(/^Nothing was found\./);
  });

  it('is told which datasource a call must name', async () => {
    const { subjects } = first;
    await using double = await OpenAiDouble.start(
      { calls: [queryCall('SELECT 1 AS one FROM data LIMIT 1')] },
      { content: 'Nothing was found.' },
    );
    await investigated({ baseUrl: double.baseUrl }, subjects);
    const told = double.requests[1]?.body.messages.at(-1)?.content ?? '';
    expect(told).toContain(`datasource must be one of ${subjects.map(({ name }) => name).join(', ')}`);
  });

  const [baseUrl, model, apiKey = 'none'] = ['URL', 'MODEL', 'KEY'].map((name) => process.env[`TEST_MODEL_${name}`]);
  if (baseUrl === undefined || model === undefined) return;
  it('names the driver with the model of TEST_MODEL_URL and TEST_MODEL_MODEL', { timeout: 600_000 }, async () => {
    const { answer } = await investigated({ baseUrl, model, apiKey }, first.subjects);
    expect(answer).toContain(first.value);
    expect(answer).not.toMatch(STRANGE);
  });
});
