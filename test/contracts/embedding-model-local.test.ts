import { describe, expect, it } from 'vitest';
import { HashingEmbedder } from '../../src/adapters/embedding/hashing-embedder.js';
import { keepsTheEmbeddingModelPromises } from './embedding-model.contract.js';

const PATIENT = new AbortController().signal;

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
