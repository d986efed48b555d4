import { describe, expect, it } from 'vitest';
import { listing } from './plans.fixture.js';
import { WEATHER } from './profiles.fixture.js';
import { factsOf } from './reading/table.js';
import { periodNote } from './message-answer.js';

const facts = factsOf(WEATHER.table);
const asked = (from: string | null, to: string | null): string | null =>
  periodNote(listing({ filters: [{ kind: 'time', column: 'date', from, to }] }), facts);

describe('when the rows are', () => {
  it.each([
    ['2026-02-01T00:00:00Z', '2026-03-01T00:00:00Z'],
    ['2016-01-01T00:00:00Z', null],
    [null, '2012-01-01T00:00:00Z'],
  ])('is said where none are from %s to %s', (from, to) => {
    expect(asked(from, to)).toBe('The rows are of **2012-01-01** to **2015-12-31**.');
  });

  it.each([
    ['2015-12-31T00:00:00Z', '2016-01-31T00:00:00Z'],
    [null, '2012-01-02T00:00:00Z'],
    [null, null],
  ])('is not said where some may be: from %s to %s', (from, to) => {
    expect(asked(from, to)).toBeNull();
    expect(periodNote(listing({}), facts)).toBeNull();
  });
});
