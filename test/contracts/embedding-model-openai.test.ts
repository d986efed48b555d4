import { describe, expect, it } from 'vitest';
import { OpenAiEmbeddingModel } from '../../src/adapters/openai/openai-embedding-model.js';
import type { EmbeddingConfig } from '../../src/config/app-config.js';
import { AppError } from '../../src/shared/app-error.js';
import { embeddingsAnswer, embeddingsOf, OpenAiDouble, type DoubleStep } from '../support/openai-double.js';
import { keepsTheEmbeddingModelPromises } from './embedding-model.contract.js';

const KEY = 'sk-canary-0123456789';
const PATIENT = new AbortController().signal;
const TEXTS = ['one', 'two', 'three'];
const WELL: DoubleStep = { json: (body) => embeddingsAnswer(embeddingsOf(body)) };

function modelOf(double: OpenAiDouble, config: Partial<EmbeddingConfig> = {}): OpenAiEmbeddingModel {
  const whole = { apiKey: KEY, baseUrl: double.baseUrl, model: 'double-embedding', timeoutMs: 5000, ...config };
  return new OpenAiEmbeddingModel(whole, 5);
}

/** The vectors that come of such an answer. */
async function vectorsOf(...script: readonly DoubleStep[]): Promise<readonly Float32Array[]> {
  await using double = await OpenAiDouble.start(...script);
  return await modelOf(double).embed(TEXTS, PATIENT);
}

async function failureOf(...script: readonly DoubleStep[]): Promise<AppError> {
  await using double = await OpenAiDouble.start(...script);
  const failure = await modelOf(double, { timeoutMs: 300 })
    .embed(TEXTS, PATIENT)
    .catch((error: unknown) => error);
  if (failure instanceof AppError) return failure;
  throw new Error(`no failure: ${String(failure)}`);
}

function base64Of(vector: readonly number[]): string {
  return Buffer.from(new Float32Array(vector).buffer).toString('base64');
}

function changed(change: (vectors: (readonly unknown[] | string)[]) => unknown): DoubleStep {
  return {
    json: (body) => {
      const vectors = [...embeddingsOf(body)];
      change(vectors);
      return embeddingsAnswer(vectors);
    },
  };
}

describe('OpenAiEmbeddingModel', () => {
  describe('is an embedding model', () => {
    keepsTheEmbeddingModelPromises(async () => {
      const double = await OpenAiDouble.start(...new Array<DoubleStep>(200).fill(WELL));
      return { model: modelOf(double), [Symbol.asyncDispose]: () => double[Symbol.asyncDispose]() };
    });
  });

  it('asks for numbers, by the model and with the key it was given, 64 texts at a time', async () => {
    await using double = await OpenAiDouble.start(...new Array<DoubleStep>(3).fill(WELL));
    await modelOf(double).embed(new Array<string>(130).fill('text'), PATIENT);

    expect(double.requests.map(({ body }) => body.input?.length).sort()).toEqual([2, 64, 64]);
    expect(double.requests[0]).toMatchObject({
      path: '/v1/embeddings',
      headers: { authorization: `Bearer ${KEY}` },
      body: { model: 'double-embedding', encoding_format: 'float' },
    });
  });

  it('sends no empty text and no half characters', async () => {
    await using double = await OpenAiDouble.start(WELL);
    await modelOf(double).embed(['', 'a\ud83d', 'x'.repeat(50_000)], PATIENT);

    const [empty, half, long] = double.requests[0]?.body.input ?? [];
    expect(empty).toMatch(/\S/);
    expect(half).toBe('a\uFFFD');
    expect(long?.length).toBeLessThan(10_000);
  });

  it('reads base64 from a server that sends it to everybody', async () => {
    const plain = await vectorsOf(WELL);
    const packed = await vectorsOf({ json: (body) => embeddingsAnswer(embeddingsOf(body).map(base64Of)) });

    expect(packed.map(({ length }) => length)).toEqual([8, 8, 8]);
    for (const [index, vector] of packed.entries()) {
      for (const [place, value] of vector.entries()) expect(value).toBeCloseTo(plain[index]?.[place] ?? NaN, 5);
    }
  });

  it('puts in order what comes in another order', async () => {
    const reversed: DoubleStep = {
      json: (body) => {
        const data = embeddingsOf(body).map((embedding, index) => ({ index, embedding }));
        return { data: data.toReversed() };
      },
    };

    expect(await vectorsOf(reversed)).toEqual(await vectorsOf(WELL));
  });

  it('keeps the order where a server numbers all alike, or not at all', async () => {
    for (const index of [0, undefined]) {
      const careless: DoubleStep = {
        json: (body) => ({ data: embeddingsOf(body).map((embedding) => ({ index, embedding })) }),
      };

      expect(await vectorsOf(careless)).toEqual(await vectorsOf(WELL));
    }
  });

  it.each<readonly [string, DoubleStep]>([
    ['another length', changed((vectors) => (vectors[1] = [1, 2, 3]))],
    ['no numbers', changed((vectors) => (vectors[1] = [1, null, 'x', 4, 5, 6, 7, 8]))],
    ['numbers too large', changed((vectors) => (vectors[1] = new Array<number>(8).fill(1e300)))],
    ['base64 of no numbers', changed((vectors) => (vectors[1] = 'abc'))],
    ['one too few', changed((vectors) => vectors.pop())],
    ['half of it', { json: (body) => embeddingsAnswer(embeddingsOf(body)), then: 'garbage' }],
  ])('refuses vectors with %s', async (_, step) => {
    const failure = await failureOf(step, step, step);

    expect(failure.kind).toBe('unavailable');
    expect(failure.message).toMatch(/model/);
  });

  it.each([429, 503])('tries again after %i', async (status) => {
    expect(await vectorsOf({ status }, { status }, WELL)).toHaveLength(3);
  });

  it('tries three times at most, and only what may pass', async () => {
    await using double = await OpenAiDouble.start(...new Array<DoubleStep>(5).fill({ status: 500 }));
    await expect(modelOf(double).embed(TEXTS, PATIENT)).rejects.toMatchObject({ kind: 'unavailable' });
    expect(double.requests).toHaveLength(3);

    double.clear();
    double.append({ status: 401 }, WELL);
    await expect(modelOf(double).embed(TEXTS, PATIENT)).rejects.toThrow('credentials');
    expect(double.requests).toHaveLength(4);
  });

  it.each<readonly [string, DoubleStep]>([
    ['is silent', { headersAfterMs: 2000, json: () => ({}) }],
    ['breaks off', { json: (body) => embeddingsAnswer(embeddingsOf(body)), then: 'cut' }],
  ])('gives up on a server that %s', async (_, step) => {
    expect(await failureOf(step, step, step)).toMatchObject({ kind: 'unavailable' });
  });

  it('closes the connection at once when nobody waits any more', async () => {
    await using double = await OpenAiDouble.start({
      json: (body) => embeddingsAnswer(embeddingsOf(body)),
      then: 'hang',
    });
    const stop = new AbortController();
    const work = modelOf(double).embed(TEXTS, stop.signal);
    await expect.poll(() => double.requests.length).toBe(1);
    stop.abort(new Error('enough'));

    await expect(work).rejects.toThrow('enough');
    await double.requests[0]?.closed;
  });

  it('never tells the key or what a server wrote', async () => {
    const failure = await failureOf({ status: 401, message: `Incorrect API key provided: ${KEY}`, code: KEY });
    const told = `${failure.message} ${failure.stack ?? ''} ${String(failure.cause)} ${JSON.stringify(failure)}`;

    expect(told).not.toContain('canary');
    expect(told).not.toContain('Incorrect');
  });
});
