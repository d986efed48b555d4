import { BadRequestException, NotFoundException } from '@nestjs/common';
import { describe, expect, it } from 'vitest';
import { AppError } from '../shared/app-error.js';
import { failureOf } from './failure.js';

describe('what a caller is told of an error', () => {
  it('is nothing but "internal error" for what nobody foresaw', () => {
    for (const error of [new Error('password=secret'), 'text', null, undefined, { statusCode: 500, message: 'x' }]) {
      expect(failureOf(error)).toEqual({ status: 500, message: 'internal error', details: [], retryAfter: null });
    }
  });

  it('says when to come back to a back-end that is away', () => {
    expect(failureOf(new AppError('unavailable', 'away')).retryAfter).toBe(5);
    expect(failureOf(new AppError('unavailable', 'away', { retryAfter: 1 })).retryAfter).toBe(1);
  });

  it("puts the framework's refusals into our words", () => {
    expect(failureOf(new NotFoundException('Cannot GET /x'))).toMatchObject({ status: 404, message: 'not found' });
    const large = { status: 413, message: 'request body is too large' };
    expect(failureOf({ statusCode: 413, message: 'FST_ERR' })).toMatchObject(large);
    const broken = { status: 400, message: 'the body is not valid JSON' };
    expect(failureOf(new BadRequestException('Unexpected token } in JSON'))).toMatchObject(broken);
  });
});
