import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { firstTurn, turnAfter } from '../../../shared/planned-turns.js';
import { assertInterval } from './condition.js';

const MINUTE = 60_000;
const at = (text: string): Date => new Date(`2026-01-01T${text}Z`);

describe('the turn after now', () => {
  it.each([
    ['at the turn itself', '12:00:00', '12:00:00', '12:15:00'],
    ['when the clock was set back', '11:50:00', '17:00:00', '12:00:00'],
  ])('%s', (_when, now, planned, next) => {
    expect(turnAfter(at(now), at(planned), 15)).toEqual(at(next));
  });

  it('is always the first multiple of the interval that lies ahead', () => {
    const time = fc.date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(time, time, fc.integer({ min: 1, max: 1440 }), (now, planned, minutes) => {
        const ahead = turnAfter(now, planned, minutes).getTime();
        expect(ahead).toBeGreaterThan(now.getTime());
        expect(ahead - now.getTime()).toBeLessThanOrEqual(minutes * MINUTE);
        expect(Math.abs(ahead - planned.getTime()) % (minutes * MINUTE)).toBe(0);
      }),
    );
  });
});

describe('an interval', () => {
  it('counts from now', () => {
    expect(firstTurn(at('12:00:00.500'), 30)).toEqual(at('12:30:00.500'));
  });

  it.each([
    [Number.NaN, false],
    [Number.POSITIVE_INFINITY, false],
    [15.0000001, false],
    [15.5, true],
    [Number.NaN, true],
  ])('of %d minutes with thinking %s is refused', (minutes, thinking) => {
    expect(() => {
      assertInterval(minutes, thinking);
    }).toThrow(/automation_interval must be/);
  });
});
