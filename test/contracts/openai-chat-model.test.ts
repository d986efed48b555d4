import { describe, expect, it } from 'vitest';
import { OpenAiChatModel } from '../../src/adapters/openai/openai-chat-model.js';
import { aQuestion } from '../../src/answering/answering.fixture.js';
import { DATA_TOOLS } from '../../src/answering/tools.js';
import type { ModelConfig } from '../../src/config/app-config.js';
import type { ModelDelta, ModelRequest } from '../../src/ports/chat-model.js';
import { eventually } from '../support/eventually.js';
import { OpenAiDouble, type DoubleStep } from '../support/openai-double.js';
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
  describe('is a chat model', () => {
    keepsTheChatModelPromises(async () => {
      const call = { name: 'run_query', arguments: '{"sql":"SELECT 1","purpose":"x"}' };
      const double = await OpenAiDouble.start({ content: 'Let me look at the rows.', calls: [call], pieceAfterMs: 5 });
      return { model: modelOf(double), request: REQUEST, [Symbol.asyncDispose]: () => double[Symbol.asyncDispose]() };
    });
  });

  it('streams text and says why and at what cost it ended', async () => {
    await using double = await OpenAiDouble.start({ content: 'North leads.' });

    const deltas = await deltasOf(modelOf(double));

    expect(textOf(deltas)).toBe('North leads.');
    expect(deltas.at(-1)).toEqual({ kind: 'end', reason: 'stop', verdict: null, tokens: 15, usage: USAGE });
  });

  it('sends the model, the key, the tools and a prompt, to the address it was given', async () => {
    await using double = await OpenAiDouble.start({ content: 'a' });
    await deltasOf(modelOf(double));

    expect(double.requests).toMatchObject([
      {
        path: '/v1/chat/completions',
        headers: { authorization: `Bearer ${KEY}` },
        body: { model: 'double', temperature: 0, max_tokens: 16_000, stream: true },
      },
    ]);
    expect(double.requests[0]?.body.tools?.map((tool) => tool.function.name)).toEqual([
      'analyze',
      'run_query',
      'make_chart',
    ]);
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
    const traced = { LANGSMITH_TRACING: 'true', LANGCHAIN_TRACING_V2: 'true', LANGSMITH_API_KEY: 'x' };
    const redirected = {
      LANGSMITH_ENDPOINT: tracing.baseUrl,
      LANGSMITH_GATEWAY: tracing.baseUrl,
      OPENAI_BASE_URL: tracing.baseUrl,
    };
    const before = { ...process.env };
    Object.assign(process.env, traced, redirected);
    try {
      await deltasOf(modelOf(double));
    } finally {
      for (const name of Object.keys({ ...traced, ...redirected })) {
        if (before[name] === undefined) Reflect.deleteProperty(process.env, name);
        else process.env[name] = before[name];
      }
    }

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
    await eventually(
      () => double.requests.length,
      (count) => count === 1,
    );
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
