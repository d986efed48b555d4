import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { notationOf } from './fixtures/plan-notation.fixture.js';
import { aScene, numberColumn, textColumn, timeColumn } from './fixtures/profile-builders.fixture.js';
import { CARS, ORDERS, SERVERS, STRIKES, WEATHER } from './fixtures/scenes.fixture.js';
import { PHRASE_WORDS } from './phrases.js';
import { SUPERLATIVE_WORDS } from './superlatives.js';
import { TIME_WORDS } from './time-words.js';
import { understand } from './understand.js';

const SCENES = [WEATHER, ORDERS, SERVERS, STRIKES, CARS];
const LIMIT_MS = 200;

/** Sentences of the grammar's own words, which get much further in than noise does. */
const speech = fc
  .array(
    fc.oneof(
      fc.constantFrom(...PHRASE_WORDS, ...SUPERLATIVE_WORDS, ...TIME_WORDS),
      fc.constantFrom(...SCENES.flatMap(({ table }) => table.profile.columns.map(({ name }) => name))),
      fc.constantFrom('Seattle', 'web-01', 'laptops', 'rain', 'Medium', 'rows', '"x"', ',', '?'),
      fc.nat({ max: 3000 }).map(String),
    ),
    { maxLength: 25 },
  )
  .map((words) => words.join(' '));

describe('any question at all', () => {
  it('is read or refused, never thrown at, and never for long', () => {
    const question = fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), fc.string({ unit: 'grapheme' }), speech);
    fc.assert(
      fc.property(question, fc.constantFrom(...SCENES), (text, { table, now }) => {
        const start = performance.now();
        const read = understand(text, table, [], now);
        expect(performance.now() - start).toBeLessThan(LIMIT_MS);
        if (read.kind === 'plan') expect(notationOf(read.plan)).not.toBe('');
      }),
      { numRuns: 1500 },
    );
  });

  it('is read the same way twice', () => {
    fc.assert(
      fc.property(speech, (text) => {
        const once = understand(text, ORDERS.table, [], ORDERS.now);
        expect(understand(text, ORDERS.table, [], ORDERS.now)).toEqual(once);
      }),
      { numRuns: 200 },
    );
  });

  it('may follow any other', () => {
    fc.assert(
      fc.property(speech, speech, (first, then) => {
        const read = understand(first, ORDERS.table, [], ORDERS.now);
        const plan = read.kind === 'plan' ? read.plan : null;
        const next = understand(then, ORDERS.table, [{ question: first, answer: '', dbquery: '', plan }], ORDERS.now);
        if (next.kind === 'plan') expect(notationOf(next.plan)).not.toBe('');
      }),
      { numRuns: 300 },
    );
  });

  it('holds only columns that the table has', () => {
    const names = new Set(ORDERS.table.profile.columns.map(({ name }) => name));
    fc.assert(
      fc.property(speech, (text) => {
        const read = understand(text, ORDERS.table, [], ORDERS.now);
        if (read.kind !== 'plan') return;
        const { plan } = read;
        const parts = plan.kind === 'rows' ? [] : [...plan.measures, ...plan.dimensions];
        for (const { column } of [...parts, ...plan.filters]) expect(column === null || names.has(column)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('takes no longer on a table of thousands of values', () => {
    const words = Array.from({ length: 1000 }, (_, index) => `customer ${index.toString(36)} of street ${index % 97}`);
    const { table, now } = aScene({
      name: 'Large',
      rowCount: 1_000_000,
      columns: [
        ...['a', 'b', 'c', 'd', 'e'].map((name) =>
          textColumn(
            `name ${name}`,
            words.map((word) => `${word} ${name}`),
          ),
        ),
        numberColumn('amount', { min: 0, max: 9.5 }),
        timeColumn('at', '2020-01-01T00:00:00.000Z', '2024-01-01T00:00:00.000Z', 900),
      ],
      timeField: 'at',
      metaField: 'name a',
      now: '2024-01-02T00:00:00.000Z',
    });
    understand('warm up', table, [], now);
    const question = 'total amount for custmer 7z of stret 12 b by nmae c in 2022 '.repeat(7);
    const start = performance.now();
    understand(question, table, [], now);
    expect(performance.now() - start).toBeLessThan(LIMIT_MS);
  });
});
