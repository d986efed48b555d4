import { describe, expect, it } from 'vitest';
import { HashingEmbedder } from '../../src/adapters/embedding/hashing-embedder.js';
import { OpenAiEmbeddingModel } from '../../src/adapters/openai/openai-embedding-model.js';
import type { EmbeddingConfig } from '../../src/config/app-config.js';
import type { EmbeddingModel } from '../../src/ports/embedding-model.js';
import { AppError } from '../../src/shared/app-error.js';
import { type DoubleStep, embeddingsAnswer, embeddingsOf, OpenAiDouble } from '../support/openai-double.js';

interface ReadyEmbedder extends AsyncDisposable {
  readonly model: EmbeddingModel;
}

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
function keepsTheEmbeddingModelPromises(ready: () => Promise<ReadyEmbedder>): void {
  it('gives every text one vector of length 1, all of the same dimension', async () => {
    await using it = await ready();
    const vectors = await it.model.embed(TEXTS, PATIENT);

    expect(vectors).toHaveLength(TEXTS.length);
    expect(new Set(vectors.map(({ length }) => length)).size).toBe(1);
    for (const vector of vectors) expect(lengthOf(vector)).toBeCloseTo(1, 4);
  });

  it('gives the same text the same vector, alone or among others', async () => {
    await using it = await ready();
    const [alone] = await it.model.embed(TEXTS.slice(1, 2), PATIENT);

    expect((await it.model.embed(TEXTS, PATIENT))[1]).toEqual(alone);
  });

  it('keeps the order of many texts', async () => {
    await using it = await ready();
    const many = Array.from({ length: 300 }, (_, index) => `text number ${index}`);
    const vectors = await it.model.embed(many, PATIENT);

    expect(vectors).toHaveLength(300);
    for (const place of [0, 63, 64, 299]) {
      expect(vectors[place]).toEqual((await it.model.embed([many[place] ?? ''], PATIENT))[0]);
    }
  });

  it('throws the reason of a signal that aborts on the way', async () => {
    await using it = await ready();
    const reason = new Error('enough');
    const stop = new AbortController();
    const work = it.model.embed(new Array<string>(5000).fill('The pump must be greased.'.repeat(30)), stop.signal);
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
  keepsTheEmbeddingModelPromises(() =>
    Promise.resolve({ model: new HashingEmbedder(), [Symbol.asyncDispose]: () => Promise.resolve() }),
  );

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
    let turns = 0;
    let isDone = false;
    const tick = (): void => {
      turns += 1;
      if (!isDone) setImmediate(tick);
    };
    setImmediate(tick);
    await new HashingEmbedder().embed(new Array<string>(1_000).fill('Every word of this is new. '.repeat(40)), PATIENT);
    isDone = true;

    expect(turns).toBeGreaterThan(5);
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

async function failureOf(...script: readonly DoubleStep[]): Promise<AppError> {
  await using double = await OpenAiDouble.start(...script);
  const failure = await modelOf(double, { timeoutMs: 300 })
    .embed(THREE, PATIENT)
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
    await expect(modelOf(double).embed(THREE, PATIENT)).rejects.toMatchObject({ kind: 'unavailable' });
    expect(double.requests).toHaveLength(3);

    double.clear();
    double.append({ status: 401 }, WELL);
    await expect(modelOf(double).embed(THREE, PATIENT)).rejects.toThrow('credentials');
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
    const work = modelOf(double).embed(THREE, stop.signal);
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
