import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { instantFrom, timeRangeFrom } from './time-range.js';

/** A Wednesday. */
const NOW = new Date('2024-07-31T17:08:09.123Z');

const UNITS = ['s', 'm', 'h', 'd', 'w', 'M', 'y'];

function instant(text: string, timeFormat = '', now = NOW): string | undefined {
  return instantFrom('from', text, { timeFormat, now })?.toISOString();
}

describe('the ends of a time range', () => {
  it.each([
    ['2024-03-05', '', '2024-03-05T00:00:00.000Z'],
    ['2024-03', '', '2024-03-01T00:00:00.000Z'],
    ['2024-03-05T17:08:09.5+02:00', '', '2024-03-05T15:08:09.500Z'],
    ['1709658489000', '', '2024-03-05T17:08:09.000Z'],
    ['05/03/2024', 'dd/MM/yyyy', '2024-03-05T00:00:00.000Z'],
  ])('%s with layout "%s" is %s', (text, layout, expected) => {
    expect(instant(text, layout)).toBe(expected);
  });

  it('say what is possible where it is no time, also in the layout', () => {
    expect(() => instantFrom('to', '2024-02-30', { timeFormat: 'yyyy-MM-dd', now: NOW })).toThrow(
      "to must be a time: ISO 8601, epoch milliseconds, the datasource's own timeformat, or relative as now, now-1h or now-7d/d",
    );
  });

  it.each([
    ['now', '2024-07-31T17:08:09.123Z'],
    ['now-1d-2h', '2024-07-30T15:08:09.123Z'],
    ['now/m', '2024-07-31T17:08:00.000Z'],
    ['now-1M/M', '2024-06-01T00:00:00.000Z'],
    // How a plus arrives that was not encoded in a query string.
    ['now 15m', '2024-07-31T17:23:09.123Z'],
  ])('%s is %s', (text, expected) => {
    expect(instant(text)).toBe(expected);
  });

  it.each([
    // A month before 31 July there is no 31st.
    ['now-1M', '2024-07-31T00:00:00.000Z', '2024-06-30T00:00:00.000Z'],
    ['now+1M', '2024-01-31T00:00:00.000Z', '2024-02-29T00:00:00.000Z'],
    // Steps follow one another: the day that the first lost does not come back.
    ['now-1M+1M', '2024-03-31T00:00:00.000Z', '2024-03-29T00:00:00.000Z'],
    ['now/w', '1969-12-31T12:00:00.000Z', '1969-12-29T00:00:00.000Z'],
    ['now/y', '0099-06-01T00:00:00.000Z', '0099-01-01T00:00:00.000Z'],
  ])('%s at %s is %s', (text, now, expected) => {
    expect(instant(text, '', new Date(now))).toBe(expected);
  });

  it.each([
    ...['yesterday', '12', "2024-01-01'; DROP", '9999999999999999', 'Now', 'now-1H', 'now-1.5h', 'now/d/d', 'now/d-1h'],
    ...['now-9999999999h', 'now-999999999y', `now${'-1d'.repeat(17)}`, 'now-1h '],
  ])('refuse %s', (text) => {
    expect(() => instant(text)).toThrow('from must be a time');
  });

  it('are a time or refused, whatever the steps are', () => {
    const step = fc
      .tuple(fc.constantFrom('+', '-'), fc.integer({ min: 0, max: 999_999_999 }), fc.constantFrom(...UNITS))
      .map((parts) => parts.join(''));
    const rounding = fc.constantFrom('', ...UNITS.map((unit) => `/${unit}`));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 5 }), rounding, (steps, end) => {
        try {
          expect(instant(`now${steps.join('')}${end}`)).toMatch(/^[+-]?\d{4,6}-/);
        } catch (error) {
          expect(error).toMatchObject({ kind: 'invalid_input' });
        }
      }),
    );
  });

  it('round down to a moment that is not later and from which rounding changes nothing', () => {
    const at = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });
    fc.assert(
      fc.property(at, fc.constantFrom(...UNITS), (now, unit) => {
        const rounded = new Date(instant(`now/${unit}`, '', now) ?? '');
        expect(rounded.getTime()).toBeLessThanOrEqual(now.getTime());
        expect(instant(`now/${unit}`, '', rounded)).toBe(rounded.toISOString());
        // The next unit begins after now.
        expect(Date.parse(instant(`now+1${unit}`, '', rounded) ?? '')).toBeGreaterThan(now.getTime());
      }),
    );
  });

  it('must not be the wrong way round; the same moment twice is an empty range', () => {
    const reading = { timeFormat: '', now: NOW };
    expect(() => timeRangeFrom({ from: 'now', to: 'now-1h' }, reading)).toThrow('to must not be before from');
    const day = new Date('2024-07-31T00:00:00Z');
    expect(timeRangeFrom({ from: 'now/d', to: 'now/d' }, reading)).toEqual({ from: day, to: day });
    expect(timeRangeFrom({ from: '', to: 'now/d' }, reading)).toEqual({ from: null, to: day });
  });
});
