import { inspect } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { HashingEmbedder } from '../../src/adapters/embedding/hashing-embedder.js';
import { OpenAiEmbeddingModel } from '../../src/adapters/openai/openai-embedding-model.js';
import type { EmbeddingConfig } from '../../src/config/app-config.js';
import type { EmbeddingModel } from '../../src/ports/embedding-model.js';
import { type DoubleStep, embeddingsAnswer, embeddingsOf, OpenAiDouble } from '../support/openai-double.js';
import { turnsDuring } from '../support/turns.js';

const PATIENT = new AbortController().signal;
/** What people write, and what they never should. */
const TEXTS = [
  'The pump must be greased every 200 hours.',
  'Die Kündigungsfrist beträgt drei Monate.',
  'Возврат товара возможен в течение 14 дней.',
  '返品は購入後30日以内に行ってください。',
  'يمكن إرجاع المنتج خلال أربعة عشر يوما',
  '',
  ' \n\t',
  'the of and',
  '😀😀 👩‍👩‍👧',
  'half a \ud83d character',
  '\u0000\u0007',
  'x'.repeat(100_000),
];

function lengthOf(vector: Float32Array | undefined): number {
  return Math.sqrt((vector ?? new Float32Array()).reduce((sum, value) => sum + value * value, 0));
}

/** What every embedding model promises. */
function keepsTheEmbeddingModelPromises(ready: () => Promise<EmbeddingModel>): void {
  it('gives every text one vector of length 1, all of the same dimension, the same alone or among others', async () => {
    const model = await ready();
    const vectors = await model.embed(TEXTS, PATIENT);

    expect(vectors).toHaveLength(TEXTS.length);
    expect(new Set(vectors.map(({ length }) => length)).size).toBe(1);
    for (const vector of vectors) expect(lengthOf(vector)).toBeCloseTo(1, 4);
    expect(await model.embed(TEXTS.slice(1, 2), PATIENT)).toEqual(vectors.slice(1, 2));
  });

  it('keeps the order of many texts', async () => {
    const model = await ready();
    const many = Array.from({ length: 300 }, (_, index) => `text number ${index}`);
    const vectors = await model.embed(many, PATIENT);

    expect(vectors).toHaveLength(300);
    for (const place of [0, 63, 64, 299]) {
      expect(vectors[place]).toEqual((await model.embed([many[place] ?? ''], PATIENT))[0]);
    }
  });

  it('throws the reason of a signal that aborts on the way', async () => {
    const model = await ready();
    const reason = new Error('enough');
    const stop = new AbortController();
    const work = model.embed(new Array<string>(5000).fill('The pump must be greased.'.repeat(30)), stop.signal);
    setImmediate(() => {
      stop.abort(reason);
    });

    await expect(work).rejects.toBe(reason);
  });
}

async function cosine(one: string, other: string): Promise<number> {
  const [a, b] = await new HashingEmbedder().embed([one, other], PATIENT);
  return (a ?? new Float32Array()).reduce((sum, value, index) => sum + value * (b?.[index] ?? 0), 0);
}

describe('HashingEmbedder', () => {
  keepsTheEmbeddingModelPromises(() => Promise.resolve(new HashingEmbedder()));

  it('has the same 1,024 numbers for a text in every version of its name', async () => {
    const model = new HashingEmbedder();
    const [vector = new Float32Array()] = await model.embed(['Grease the pump'], PATIENT);
    const largest = [...vector.entries()].sort(([, a], [, b]) => Math.abs(b) - Math.abs(a)).slice(0, 3);

    expect(model.name).toBe('local-hashing-1024-v1');
    expect(vector).toHaveLength(1024);
    // Stored vectors are compared with these: who changes the features changes the name.
    expect(largest.map(([place, value]) => [place, Number(value.toFixed(4))])).toEqual([
      [377, -0.7524],
      [42, 0.4444],
      [807, -0.2222],
    ]);
  });

  it.each([
    ['pumps that were greased', 'greasing the pump', 'the weather in Oslo'],
    ['返品の期限', '返品は三十日以内', '天気予報です'],
  ])('is nearer to what is spelled alike: %s', async (text, near, far) => {
    expect(await cosine(text, near)).toBeGreaterThan((await cosine(text, far)) + 0.1);
  });

  it('hardly looks at words that only hold sentences together', async () => {
    expect(await cosine('What is the pump about?', 'pump')).toBeGreaterThan(0.9);
    expect(await cosine('What is the pump about?', 'What is the weather about?')).toBeLessThan(0.2);
  });

  it('lets others have their turn', async () => {
    const many = new Array<string>(1_000).fill('Every word of this is new. '.repeat(40));

    expect(await turnsDuring(new HashingEmbedder().embed(many, PATIENT))).toBeGreaterThan(5);
  });
});

const KEY = 'sk-canary-0123456789';
const THREE = ['one', 'two', 'three'];
const WELL: DoubleStep = { json: (body) => embeddingsAnswer(embeddingsOf(body)) };

function modelOf(double: OpenAiDouble, config: Partial<EmbeddingConfig> = {}): OpenAiEmbeddingModel {
  const whole = { apiKey: KEY, baseUrl: double.baseUrl, model: 'double-embedding', timeoutMs: 5000, ...config };
  return new OpenAiEmbeddingModel(whole, 5);
}

/** The vectors that come of such an answer. */
async function vectorsOf(...script: readonly DoubleStep[]): Promise<readonly Float32Array[]> {
  await using double = await OpenAiDouble.start(...script);
  return await modelOf(double).embed(THREE, PATIENT);
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
  keepsTheEmbeddingModelPromises(async () => {
    const double = await OpenAiDouble.start();
    onTestFinished(() => double[Symbol.asyncDispose]());
    double.otherwise = () => WELL;
    return modelOf(double);
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

  it('puts in order what comes in another order, and keeps the order where all are numbered alike or not at all', async () => {
    const right = await vectorsOf(WELL);
    const numbered = (indexOf: (index: number) => number | undefined): DoubleStep => ({
      json: (body) => {
        const data = embeddingsOf(body).map((embedding, index) => ({ index: indexOf(index), embedding }));
        return { data: indexOf(1) === 1 ? data.toReversed() : data };
      },
    });

    for (const step of [numbered((index) => index), numbered(() => 0), numbered(() => undefined)])
      expect(await vectorsOf(step)).toEqual(right);
  });

  it.each<readonly [string, DoubleStep]>([
    ['another length', changed((vectors) => (vectors[1] = [1, 2, 3]))],
    ['no numbers', changed((vectors) => (vectors[1] = [1, null, 'x', 4, 5, 6, 7, 8]))],
    ['numbers too large', changed((vectors) => (vectors[1] = new Array<number>(8).fill(1e300)))],
    ['base64 of no numbers', changed((vectors) => (vectors[1] = 'abc'))],
    ['one too few', changed((vectors) => vectors.pop())],
    ['half of it', { json: (body) => embeddingsAnswer(embeddingsOf(body)), then: 'garbage' }],
    ['nothing in time', { headersAfterMs: 2000, json: () => ({}) }],
    ['its connection cut', { json: (body) => embeddingsAnswer(embeddingsOf(body)), then: 'cut' }],
  ])('refuses an answer with %s', async (_, step) => {
    await using double = await OpenAiDouble.start(step, step, step);
    const refusal = { name: 'AppError', kind: 'unavailable', message: expect.stringMatching(/model/) as string };
    await expect(modelOf(double, { timeoutMs: 300 }).embed(THREE, PATIENT)).rejects.toMatchObject(refusal);
  });

  it('tries three times at most, and only what may pass', async () => {
    expect(await vectorsOf({ status: 429 }, { status: 503 }, WELL)).toHaveLength(3);
    await using double = await OpenAiDouble.start(...new Array<DoubleStep>(5).fill({ status: 500 }));
    await expect(modelOf(double).embed(THREE, PATIENT)).rejects.toMatchObject({ kind: 'unavailable' });
    expect(double.requests).toHaveLength(3);

    double.clear();
    double.append({ status: 401, message: `Incorrect API key provided: ${KEY}` }, WELL);
    const refused: unknown = await modelOf(double)
      .embed(THREE, PATIENT)
      .catch((error: unknown) => error);
    expect(String(refused)).toContain('credentials');
    expect(inspect(refused, { depth: 9 })).not.toMatch(/canary|Incorrect/);
    expect(double.requests).toHaveLength(4);
  });

  it('closes the connection at once when nobody waits any more', async () => {
    await using double = await OpenAiDouble.start({
      json: (body) => embeddingsAnswer(embeddingsOf(body)),
      then: 'hang',
    });
    const stop = new AbortController();
    const work = modelOf(double).embed(THREE, stop.signal);
    await expect.poll(() => double.requests.length).toBe(1);
    stop.abort(new Error('enough'));

    await expect(work).rejects.toThrow('enough');
    await double.requests[0]?.closed;
  });
});
