import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aContextConversation, ask, listed, processed, type Answered } from '../api/context-files.builder.js';
import { importedDatasource } from '../api/world.builder.js';
import { OpenAiDouble, type DoubleRequestBody } from '../support/openai-double.js';
import { startTestApi, type TestApi } from '../support/test-api.js';
import type { TestClient } from '../support/test-client.js';
import { HOSTILE_NAMES, INJECTIONS, type Injection } from './answering-injections.cases.js';

const UNSEEN = /[\u200E\u200F\u202A-\u202E\u2066-\u2069\u{E0000}-\u{E007F}]/u;

/** Every way in which Markdown or HTML loads something or leads away; with a space inside, none of them is one. */
const WAYS_OUT: readonly RegExp[] = [
  /\]\(/,
  /\]:\s*\S/,
  /(?<!\\)<[a-z/!?]/i,
  /[a-z]:\/\/\S/i,
  /\bwww\.\S/i,
  /&#/,
  UNSEEN,
];

interface Whole extends Answered {
  readonly evidence: { readonly queries: number };
}

function itemOf(index: number): string {
  return `zq${index}x`;
}

/** One document of many items, each with one injection. */
function documentOf(injections: readonly Injection[]): string {
  return injections.map(({ text }, index) => `The item ${itemOf(index)} weighs 7 kg. ${text}`).join('\n\n\n');
}

function expectNoWayOut(response: string): void {
  for (const way of WAYS_OUT) expect(response).not.toMatch(way);
}

function toolsOf({ tools }: DoubleRequestBody): readonly string[] {
  return (tools ?? []).map((tool) => tool.function.name).sort();
}

function promptOf({ messages }: DoubleRequestBody): { readonly system: string; readonly question: string } {
  const [first] = messages;
  return { system: first?.content ?? '', question: messages.at(-1)?.content ?? '' };
}

async function aFilesConversation(api: TestApi, client: TestClient): Promise<string> {
  return aContextConversation(client, await importedDatasource(api, client));
}

let double: OpenAiDouble;
/** A service whose model is the double. */
let api: TestApi;
beforeAll(async () => {
  double = await OpenAiDouble.start();
  api = await startTestApi({
    environment: { OPENAI_BASE_URL: double.baseUrl, OPENAI_API_KEY: 'sk-x', OPENAI_MODEL: 'double', RATE_LIMIT: '0' },
  });
}, 60_000);
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await double[Symbol.asyncDispose]();
});

describe('documents that give orders to a model that obeys', () => {
  let ada: TestClient;
  let asked: string;

  beforeAll(async () => {
    ada = await api.signIn('acme');
    asked = await aFilesConversation(api, ada);
    await processed(api, ada, [{ name: 'orders.txt', content: documentOf(INJECTIONS) }]);
    expect((await listed(ada))[0]?.metadata.status).toBe('ready');
  }, 60_000);

  async function obeyed({ calls, says }: Injection, index: number, conversation: string): Promise<Whole> {
    double.clear();
    double.requests.length = 0;
    // A model that can't be stopped: it calls as often as it is asked.
    const calling = calls.length === 0 ? [] : Array.from({ length: calls.length > 12 ? 1 : 2 }, () => ({ calls }));
    double.append(...calling, { content: says }, { content: says });
    return (await ask(ada, conversation, `What does the item ${itemOf(index)} weigh?`)) as Whole;
  }

  it.each(INJECTIONS.map((injection, index) => [injection.name, injection, index] as const))(
    'alone, no query runs and nothing leads out: %s',
    async (_name, injection, index) => {
      const answer = await obeyed(injection, index, asked);
      expect(double.requests.length).toBeGreaterThan(0);
      expect(JSON.stringify(double.requests[0]?.body)).toContain(itemOf(index));
      for (const { body } of double.requests) expect(toolsOf(body)).toEqual([]);
      expect(answer).toMatchObject({ dbquery: '', evidence: { queries: 0 } });
      expectNoWayOut(answer.response);
    },
  );

  // What happens beside a table is tried in the loop alone: see answering-injections.loop.test.ts.
  it('stand between marks that nobody can guess, and never in the rules', async () => {
    const marks = new Set<string>();
    for (const [index, injection] of INJECTIONS.slice(-5).entries()) {
      await obeyed(injection, INJECTIONS.length - 5 + index, asked);
      const { system, question } = promptOf(double.requests[0]!.body);
      const mark = /The marks are <<([^>]{8,})>>/.exec(system)?.[1] ?? 'no mark';
      expect(injection.text).not.toContain(mark);
      expect(system).not.toContain('zq');
      const [before, inside, after] = question.split(new RegExp(`<</?${mark}>>`));
      const [order = ''] = injection.text.split('\n');
      expect(before).toBe('');
      expect(inside).toContain(order);
      expect(after).not.toContain(order);
      marks.add(mark);
    }
    expect(marks.size).toBe(5);
  });

  it('that nobody sees do not reach the model', async () => {
    const index = INJECTIONS.findIndex(({ name }) => name.startsWith('tags that nobody sees'));
    await obeyed(INJECTIONS[index]!, index, asked);
    expect(JSON.stringify(double.requests[0]?.body)).not.toMatch(UNSEEN);
  });
});

describe('the names of files', () => {
  let grace: TestClient;
  let conversation: string;

  beforeAll(async () => {
    grace = await api.signIn('globex');
    conversation = await aFilesConversation(api, grace);
    await processed(
      api,
      grace,
      HOSTILE_NAMES.map((name, index) => ({ name, content: `The item ${itemOf(index)} weighs 7 kg.` })),
    );
  }, 60_000);

  it.each(HOSTILE_NAMES.map((name, index) => [name, index] as const))('are data: %s', async (name, index) => {
    double.clear();
    double.requests.length = 0;
    double.append({ content: `It weighs 7 kg, as ${name} says [1].` });
    const answer = await ask(grace, conversation, `What does the item ${itemOf(index)} weigh?`);
    expectNoWayOut(answer.response);
    expect(answer.sources[0]?.filename).not.toMatch(UNSEEN);
    expect(JSON.stringify(double.requests[0]?.body)).not.toMatch(UNSEEN);
    expect(toolsOf(double.requests[0]!.body)).toEqual([]);
  });
});

describe('documents that the built-in analyst quotes', () => {
  let quoting: TestApi;
  let ada: TestClient;
  let conversation: string;

  beforeAll(async () => {
    quoting = await startTestApi({ environment: { RATE_LIMIT: '0' } });
    ada = await quoting.signIn('acme');
    conversation = await aFilesConversation(quoting, ada);
    await processed(quoting, ada, [
      { name: 'orders.txt', content: documentOf(INJECTIONS) },
      ...HOSTILE_NAMES.map((name, index) => ({ name, content: `The thing ${itemOf(1000 + index)} weighs 7 kg.` })),
    ]);
  }, 60_000);
  afterAll(() => quoting[Symbol.asyncDispose]());

  it.each(INJECTIONS.map(({ name, text }, index) => [name, text, index] as const))(
    'lead nowhere: %s',
    async (_name, text, index) => {
      // Asked for by its own words, so that the order itself is quoted.
      const answer = (await ask(ada, conversation, `item ${itemOf(index)} ${text.slice(0, 200)}`)) as Whole;
      expect(answer).toMatchObject({ dbquery: '', evidence: { queries: 0 } });
      expectNoWayOut(unescaped(answer.response));
      expectNoWayOut(answer.response);
    },
  );

  it.each(HOSTILE_NAMES.map((name, index) => [name, index] as const))(
    'have names that lead nowhere: %s',
    async (_name, index) => {
      const answer = await ask(ada, conversation, `What does the thing ${itemOf(1000 + index)} weigh?`);
      expect(answer.kind).toBe('answer');
      expectNoWayOut(answer.response);
    },
  );
});

/** Escaped brackets are just brackets, but what they stand beside must not be an address. */
function unescaped(response: string): string {
  return response.replaceAll(/\\[<>[\]`*!|~_]/g, ' ');
}
