import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { firstTurn, isSameRhythm, isTimeZone, turnAfter, WEEKDAYS, type WeeklyTime } from './planned-turns.js';

const WEEKDAYS_AT_EIGHT: WeeklyTime = { days: WEEKDAYS.slice(0, 5), time: '08:00', timeZone: 'Europe/Berlin' };
const daily = (time: string, timeZone: string): WeeklyTime => ({ days: WEEKDAYS, time, timeZone });

function turnsFrom(text: string, rhythm: WeeklyTime, count: number): readonly string[] {
  const turns = [firstTurn(new Date(text), rhythm)];
  for (let last = turns[0]!; turns.length < count; last = turns.at(-1)!) turns.push(turnAfter(last, last, rhythm));
  return turns.map((turn) => turn.toISOString().slice(0, 16));
}

it('a turn so many minutes after another is the first multiple that lies ahead, and counted from now at first', () => {
  const time = fc.date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });
  const check = (now: Date, planned: Date, minutes: number): void => {
    const [ahead, interval] = [turnAfter(now, planned, minutes).getTime(), minutes * 60_000];
    expect(ahead).toBeGreaterThan(now.getTime());
    expect(ahead - now.getTime()).toBeLessThanOrEqual(interval);
    expect(Math.abs(ahead - planned.getTime()) % interval).toBe(0);
    expect(firstTurn(now, minutes).getTime() - now.getTime()).toBe(interval);
  };
  fc.assert(fc.property(time, time, fc.integer({ min: 1, max: 1440 }), check));
  // At the turn itself.
  check(new Date('2026-01-01T12:00:00Z'), new Date('2026-01-01T12:00:00Z'), 15);
});

describe('a time of the week', () => {
  it('has its turns by the clocks of its zone, on its days alone', () => {
    // The clocks go forward on Sunday.
    const turns = ['2026-03-27T07:00', '2026-03-30T06:00', '2026-03-31T06:00'];
    expect(turnsFrom('2026-03-26T07:00:00Z', WEEKDAYS_AT_EIGHT, 3)).toEqual(turns);
    expect(turnsFrom('2026-03-26T06:59:59.999Z', WEEKDAYS_AT_EIGHT, 1)).toEqual(['2026-03-26T07:00']);
  });

  it.each([
    ['is left out in Berlin', 'Europe/Berlin', '02:30', '2026-03-28T02:00Z', ['2026-03-29T01:30', '2026-03-30T00:30']],
    ['comes twice in Berlin', 'Europe/Berlin', '02:30', '2026-10-24T02:00Z', ['2026-10-25T00:30', '2026-10-26T01:30']],
    ['is left out at 0:00', 'America/Havana', '00:30', '2026-03-07T06:00Z', ['2026-03-08T05:30', '2026-03-09T04:30']],
    ['is in half hours', 'Australia/Lord_Howe', '02:15', '2026-10-03T00:00Z', ['2026-10-03T15:45', '2026-10-04T15:15']],
  ])('that %s has its turn once', (_what, timeZone, time, from, turns) => {
    expect(turnsFrom(from, daily(time, timeZone), 2)).toEqual(turns);
  });

  it('has one turn a day, always ahead, whatever the zone', () => {
    const zone = fc.constantFrom(...Intl.supportedValuesOf('timeZone'));
    const now = fc.date({ min: new Date('2020-01-01'), max: new Date('2035-01-01'), noInvalidDate: true });
    const minutes = fc.integer({ min: 0, max: 1439 });
    fc.assert(
      fc.property(zone, now, minutes, (timeZone, start, minute) => {
        const time = `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
        const rhythm = daily(time, timeZone);
        const first = firstTurn(start, rhythm);
        const second = turnAfter(first, first, rhythm);
        expect(first.getTime()).toBeGreaterThan(start.getTime());
        const hours = (second.getTime() - first.getTime()) / 3_600_000;
        expect(hours).toBeGreaterThanOrEqual(21);
        expect(hours).toBeLessThanOrEqual(27);
      }),
    );
  });

  it('that was missed many times is taken up again where it would be', () => {
    const planned = new Date('2026-03-02T07:00:00Z');
    expect(turnAfter(new Date('2026-03-14T12:00:00Z'), planned, WEEKDAYS_AT_EIGHT)).toEqual(
      new Date('2026-03-16T07:00:00Z'),
    );
  });

  it('is the same in whatever order its days are told', () => {
    const other = { ...WEEKDAYS_AT_EIGHT, days: [...WEEKDAYS_AT_EIGHT.days].reverse() };
    expect(isSameRhythm(WEEKDAYS_AT_EIGHT, other)).toBe(true);
    expect(isSameRhythm(WEEKDAYS_AT_EIGHT, { ...other, time: '08:01' })).toBe(false);
    expect([WEEKDAYS_AT_EIGHT, 15, 30].map((one) => isSameRhythm(15, one))).toEqual([false, true, false]);
  });
});

it('a time zone is one of those that have a name', () => {
  for (const name of ['Europe/Berlin', 'UTC', 'Etc/GMT+5']) expect(isTimeZone(name), name).toBe(true);
  for (const name of ['', '+02:00', 'Europe/Berlin ', 'Mars/Olympus', 'x'.repeat(500)])
    expect(isTimeZone(name), name).toBe(false);
});
