import { expect, it } from 'vitest';
import type { EmbeddingModel } from '../../src/ports/embedding-model.js';

export interface ReadyEmbedder extends AsyncDisposable {
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

export function lengthOf(vector: Float32Array | undefined): number {
  return Math.sqrt((vector ?? new Float32Array()).reduce((sum, value) => sum + value * value, 0));
}

/** What every embedding model promises. */
export function keepsTheEmbeddingModelPromises(ready: () => Promise<ReadyEmbedder>): void {
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
