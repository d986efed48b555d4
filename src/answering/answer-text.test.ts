import { describe, expect, it } from 'vitest';
import { AppError } from '../shared/app-error.js';
import { type AnswerStep, EMPTY_ANSWER, withFailure, withStep } from './answer-step.js';
import { AnswerText, CitationOrder, MAX_ANSWER } from './answer-text.js';

describe('AnswerText', () => {
  it('is cut at 20,000 characters, leaves no half of one, and says nothing more', () => {
    const text = new AnswerText();
    const piece = text.write('€ 5 '.repeat(10_000));
    expect(piece).toHaveLength(MAX_ANSWER);
    expect(piece.endsWith('…')).toBe(true);
    expect(text.full).toBe(true);
    expect(text.write('more') + text.endPart()).toBe('');
    const faces = new AnswerText();
    faces.write('👍'.repeat(MAX_ANSWER));
    expect(faces.response.at(-2)).toMatch(/[\uDC00-\uDFFF]/);
  });
});

describe('CitationOrder', () => {
  it.each([1, 2, 3, 7, 39])('reads the same in %i pieces', (pieces) => {
    const text = 'Six months [4], a year [12, 4][3] [99] [2024] [x] [0] [';
    const citations = new CitationOrder(12);
    const size = Math.ceil(text.length / pieces);
    let read = '';
    for (let from = 0; from < text.length; from += size) read += citations.push(text.slice(from, from + size));
    expect(read + citations.end()).toBe('Six months [1], a year [2, 1][3] [99] [2024] [x] [0] [');
    expect(citations.order).toEqual([4, 12, 3]);
  });

  it('leaves numbers alone where there are no passages', () => {
    const citations = new CitationOrder(0);
    expect(citations.push('a[1] and [0] and [7]') + citations.end()).toBe('a[1] and [0] and [7]');
    expect(citations.order).toEqual([]);
  });

  it('holds no more back than a citation can be long', () => {
    expect(new CitationOrder(6).push(`[${'1'.repeat(200)}`)).not.toBe('');
  });
});

describe('an answer that broke', () => {
  it('keeps what there was, and says why', () => {
    const result = { columns: [], rows: [], truncated: false, dbquery: 'SELECT 1', rowsScanned: 0 };
    const steps: readonly AnswerStep[] = [
      { kind: 'status', text: 'Reading the question' },
      { kind: 'query', purpose: 'why', dbquery: 'SELECT 1', result, plan: null },
      { kind: 'visualization', title: 'X', filename: 'x.png', chart: { mark: 'bar' } },
      ...['a', 'b'].map((text) => ({ kind: 'text' as const, text })),
    ];
    expect(withFailure(steps.reduce(withStep, EMPTY_ANSWER), new AppError('timed_out', 'chat timed out'))).toEqual({
      ...{ ...EMPTY_ANSWER, data: { columns: [], rows: [] }, response: 'ab', query: 'why', dbquery: 'SELECT 1' },
      ...{ visualization: 'x.png', chart: { mark: 'bar' }, error: 'chat timed out' },
    });
  });

  it('says nothing of what was not foreseen', () => {
    expect(withFailure(EMPTY_ANSWER, new Error('secret')).error).toBe('the answer could not be finished');
  });
});
