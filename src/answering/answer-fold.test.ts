import { describe, expect, it } from 'vitest';
import { AppError } from '../shared/app-error.js';
import { type AnswerStep, EMPTY_ANSWER, withFailure, withStep } from './answer-step.js';

const STEPS: readonly AnswerStep[] = [
  { kind: 'status', text: 'Reading the question' },
  {
    kind: 'query',
    purpose: 'why',
    dbquery: 'SELECT 1',
    result: { columns: [], rows: [], truncated: false, dbquery: 'SELECT 1', rowsScanned: 0 },
    plan: null,
  },
  { kind: 'visualization', filename: 'x.png', chart: { mark: 'bar' } },
  { kind: 'text', text: 'a' },
  { kind: 'text', text: 'b' },
];

describe('withFailure', () => {
  it('keeps what there was of a broken answer, and says why it broke', () => {
    const partial = STEPS.reduce(withStep, EMPTY_ANSWER);

    expect(withFailure(partial, new AppError('timed_out', 'chat timed out'))).toEqual({
      ...EMPTY_ANSWER,
      data: { columns: [], rows: [] },
      response: 'ab',
      query: 'why',
      dbquery: 'SELECT 1',
      visualization: 'x.png',
      chart: { mark: 'bar' },
      error: 'chat timed out',
    });
  });

  it('says nothing of what was not foreseen', () => {
    expect(withFailure(EMPTY_ANSWER, new Error('secret')).error).toBe('the answer could not be finished');
  });
});
