import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../shared/app-error.js';
import { isPassing, modelFailure } from './model-failure.js';

const KEY = 'sk-canary-0123456789';

function failure(marks: object): Error {
  return Object.assign(new Error(`Incorrect API key provided: ${KEY}`), marks);
}

describe('modelFailure', () => {
  it.each([
    [{ status: 404 }, 'the configured model is not there'],
    [{ status: 400 }, 'the model did not accept the request'],
    [{ name: 'TimeoutError' }, 'the model did not answer in time'],
    [{ name: 'constructor' }, 'the model is not available'],
  ])('says of %j: %s', (marks, message) => {
    const told = modelFailure(failure(marks));
    expect(told).toMatchObject({ kind: 'unavailable', message, retryAfter: null });
    expect(inspect(told, { depth: 9 })).not.toContain('canary');
  });

  it('leaves what is foreseen as it is, and copes with anything that is thrown', () => {
    const foreseen = new AppError('unavailable', 'the model broke off');
    expect(modelFailure(foreseen)).toBe(foreseen);
    for (const thrown of ['text', null]) expect(modelFailure(thrown)).toBeInstanceOf(AppError);
  });
});

describe('isPassing', () => {
  it.each([
    [{ status: 429 }, true],
    [{ status: 500 }, true],
    [{ name: 'TimeoutError' }, true],
    [{ status: 429, code: 'insufficient_quota' }, false],
    [{ status: 401 }, false],
    [{ status: 400 }, false],
  ])('of %j is %s', (marks, passing) => {
    expect(isPassing(failure(marks))).toBe(passing);
  });
});
