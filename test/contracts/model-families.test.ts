import { describe, expect, it } from 'vitest';
import { BuiltInAnalyst } from '../../src/analyst/built-in-analyst.js';
import { OpenAiChatModels } from '../../src/adapters/openai/openai-chat-models.js';
import { aQuestion } from '../../src/answering/answering.fixture.js';
import { ANSWER, askFamily, HeardLog } from '../support/model-families/asking.js';
import { FAMILIES } from '../support/model-families/families.js';
import type { Family } from '../support/model-families/family.js';
import { OpenAiDouble } from '../support/openai-double.js';

const NEVER = new AbortController().signal;

function familyOf(name: string): Family {
  const family = FAMILIES.find((each) => each.name === name);
  if (family === undefined) throw new Error(`there is no family ${name}`);
  return family;
}

describe('models of every family', () => {
  it.each(FAMILIES)('$name answers a question that needs a query', async (family) => {
    const asked = await askFamily(family);

    expect(asked).toMatchObject({ response: ANSWER, ran: ['SELECT 1'], api: family.api });
    expect(asked.learned.flat()).toEqual(family.learned);
  });

  it.each(FAMILIES)('$name is asked without detours the second time', async (family) => {
    const { response, refused, requests, learned } = await askFamily(family, 2);

    const rounds = family.style.fallsSilent === true ? 3 : 2;
    expect({ response, refused, rounds: requests.length }).toEqual({ response: ANSWER, refused: 0, rounds });
    expect(learned.flat()).toEqual(family.learned);
  });

  it('are each refused no more often than there is something to learn', async () => {
    const { refused, learned } = await askFamily(familyOf('Azure deployment of GPT-5.6'));

    expect(refused).toBe(3);
    expect(learned).toEqual([['max_tokens'], ['temperature'], ['chat_completions']]);
  });
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
      for await (const _delta of model.stream({ ...aQuestion(), exchanges: [], tools: [] }, NEVER));
    }

    expect(double.requests).toHaveLength(3);
    expect(log.learned).toEqual([['temperature']]);
  });
});
