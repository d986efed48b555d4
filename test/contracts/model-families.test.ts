import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LmdbDocumentStore } from '../../src/adapters/embedded/lmdb-document-store.js';
import { ProfileMemory } from '../../src/adapters/openai/profile-memory.js';
import { LEARNED_PROFILES, type LearnedProfile } from '../../src/adapters/openai/profile-memory.schema.js';
import { SystemClock } from '../../src/adapters/system/system-clock.js';
import { BuiltInAnalyst } from '../../src/analyst/built-in-analyst.js';
import { OpenAiChatModels } from '../../src/adapters/openai/openai-chat-models.js';
import { aQuestion } from '../../src/answering/answering.fixture.js';
import { AS_CONFIGURED } from '../../src/ports/chat-models.js';
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

describe('what was learned of a model', () => {
  const config = { apiKey: 'sk', model: 'reports', temperature: 0, timeoutMs: 5000 };
  let folder = '';
  let documents: LmdbDocumentStore;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'das-learned-'));
    documents = new LmdbDocumentStore(folder, new SystemClock());
    await documents.open();
  });
  afterEach(async () => {
    await documents.close();
    await rm(folder, { recursive: true });
  });

  /** As a process that has just begun; tells what the log was told. */
  async function askedAnew(baseUrl: string): Promise<readonly (readonly string[])[]> {
    const log = new HeardLog();
    const memory = new ProfileMemory(documents, new SystemClock(), log);
    const models = new OpenAiChatModels({ ...config, baseUrl }, new BuiltInAnalyst(), log, undefined, memory);
    const model = models.choose(AS_CONFIGURED);
    for await (const _delta of model.stream({ ...aQuestion(), exchanges: [], tools: [] }, NEVER));
    return log.learned;
  }

  const stored = (): Promise<readonly LearnedProfile[]> => documents.collection(LEARNED_PROFILES).find({});

  it('is known to the next process, and of this endpoint alone', async () => {
    await using double = await OpenAiDouble.start();
    await using other = await OpenAiDouble.start({ content: 'b' });
    double.otherwise = ({ temperature }) =>
      temperature === undefined ? { content: 'a' } : { status: 400, message: "'temperature' is not supported" };

    expect(await askedAnew(double.baseUrl)).toEqual([['temperature']]);
    expect(await askedAnew(double.baseUrl)).toEqual([]);
    expect(double.requests).toHaveLength(3);
    await askedAnew(other.baseUrl);
    expect(other.requests[0]?.body.temperature).toBe(0);
    expect(await stored()).toMatchObject([{ model: 'reports', refused: ['temperature'] }]);
  });

  it('is learned anew when the endpoint refuses what was learned', async () => {
    await using double = await OpenAiDouble.start();
    double.otherwise = ({ temperature }) =>
      temperature === undefined ? { content: 'a' } : { status: 400, message: "'temperature' is not supported" };
    await askedAnew(double.baseUrl);
    double.otherwise = ({ temperature }) =>
      temperature === undefined ? { status: 400, message: 'say how warm it shall be' } : { content: 'a' };

    await askedAnew(double.baseUrl);
    expect(await stored()).toMatchObject([{ refused: [] }]);
    await askedAnew(double.baseUrl);
    expect(double.requests.map(({ body }) => body.temperature)).toEqual([0, undefined, undefined, 0, 0]);
  });

  it('is not kept where no request was answered', async () => {
    await using double = await OpenAiDouble.start();
    double.otherwise = () => ({ status: 400, message: "'temperature' is not supported" });
    await expect(askedAnew(double.baseUrl)).rejects.toThrow('the model did not accept the request');
    expect(await stored()).toEqual([]);
  });
});
