import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boundedBody } from './webhook.facade.js';

const LIMIT = 256 * 1024;

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

describe('the body of a delivery', () => {
  it('is left as it is up to 256 KiB', () => {
    const body = { answer: 'x'.repeat(LIMIT - bytesOf({ answer: '' })) };
    expect(boundedBody(body)).toBe(body);
  });

  it('has its answer cut to what fits, no character in two, and says so', () => {
    expect(boundedBody({ answer: '🍎'.repeat(100_000) })['answer']).toMatch(/^(🍎)+$/u);
    const body = boundedBody({ task_id: 'abc', answer: 'x'.repeat(LIMIT) });
    expect(body).toMatchObject({ task_id: 'abc', answer_truncated: true });
    expect(bytesOf(body)).toBe(LIMIT);
  });

  it('is never longer, whatever is in its answer, and still JSON that can be read', () => {
    const text = fc
      .tuple(fc.constantFrom('x', 'ä', '🍎', '"', '\n', '\u0000', '\ud800'), fc.integer({ min: 1, max: 300_000 }))
      .map(([character, times]) => character.repeat(times));
    fc.assert(
      fc.property(text, text, (begin, end) => {
        const body = boundedBody({ task_id: 'abc', answer: begin + end });
        expect(bytesOf(body)).toBeLessThanOrEqual(LIMIT);
        expect(body).toMatchObject({ task_id: 'abc' });
      }),
      { numRuns: 12 },
    );
  });
});
