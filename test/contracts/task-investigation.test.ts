import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OpenAiChatModel } from '../../src/adapters/openai/openai-chat-model.js';
import type { TaskSubject } from '../../src/answering/tasks/task-assignment.js';
import type { ModelConfig } from '../../src/config/app-config.js';
import { OpenAiDouble, queryCall } from '../support/openai-double.js';
import { investigating } from '../support/investigating-model.js';
import { plantedWorld, type Planted } from './task-investigation.fixture.js';
import { anAssignment, doneWork, openTaskWorkshop, type DoneWork, type TaskWorkshop } from './task-work.fixture.js';

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

  it('ends in words after 24 rounds, however long the model would go on', async () => {
    const { subjects } = first;
    await using double = await OpenAiDouble.start();
    const { arguments: json } = queryCall('SELECT 1 AS one FROM data LIMIT 1');
    const call = {
      name: 'run_query',
      arguments: JSON.stringify({ ...JSON.parse(json), datasource: subjects[0]?.name }),
    };
    double.otherwise = ({ tools = [] }) => (tools.length > 0 ? { calls: [call] } : { content: 'Nothing was found.' });
    const { answer } = await investigated({ baseUrl: double.baseUrl }, subjects);
    expect(double.requests.length).toBe(24);
    expect(answer).toMatch(/^Nothing was found\./);
  });

  it('ends when its tokens are used up', async () => {
    const { subjects } = first;
    await using double = await OpenAiDouble.start();
    const query = JSON.stringify({
      sql: 'SELECT 1 AS one FROM data LIMIT 1',
      purpose: 'x',
      datasource: subjects[0]?.name,
    });
    double.otherwise = ({ tools = [] }) =>
      tools.length > 0
        ? { calls: [{ name: 'run_query', arguments: query }], usage: { prompt_tokens: 150_000, completion_tokens: 1 } }
        : { content: 'Nothing was found.' };
    const { answer } = await investigated({ baseUrl: double.baseUrl }, subjects);
    expect(double.requests.length).toBe(4);
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
