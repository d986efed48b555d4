import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { startTestApi } from '../support/test-api.js';
import type { TestResponse } from '../support/test-client.js';
import { importedDatasource } from './world.builder.js';

const DAY = 86_400_000;
const NOW = new Date('2024-07-31T17:08:09.123Z');
const BEGIN = Date.parse('2024-07-01T00:00:00Z');
const ASSETS = ['a', 'b', 'c'];

interface Row {
  readonly asset: string;
  readonly at: number;
  readonly value: number | null;
}

interface Bucket {
  readonly timestamp: string;
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly count: number;
}

interface Plot {
  readonly data: readonly Bucket[];
  readonly total: number;
  readonly bucket_ms: number;
}

interface Question {
  readonly asset: string;
  readonly from: number | null;
  readonly to: number | null;
  readonly points: number;
}

const api = await startTestApi();
api.clock.set(NOW);
const ada = await api.signIn('acme');
afterAll(() => api[Symbol.asyncDispose]());

/** Bursts with nothing between them, moments that several rows share, and rows without a value. */
function someRows(seed: number, count: number): readonly Row[] {
  const value = fc.oneof(
    { weight: 8, arbitrary: fc.double({ min: -1e6, max: 1e6, noNaN: true }).map((number) => number + 0) },
    { weight: 1, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.constantFrom(0, 0.1, 1e300, -1e300, 5e-324) },
  );
  const burst = fc.integer({ min: 0, max: 20 }).map((number) => number * DAY);
  const within = fc.oneof(fc.integer({ min: 0, max: 3_600_000 }), fc.integer({ min: 0, max: 5 }));
  const row = fc
    .tuple(fc.constantFrom(...ASSETS), burst, within, value)
    .map(([asset, day, offset, number]) => ({ asset, at: BEGIN + day + offset, value: number }));
  return fc.sample(row, { numRuns: count, seed });
}

function isoOf(at: number): string {
  return new Date(at).toISOString();
}

function csvOf(rows: readonly Row[]): string {
  return ['asset,at,value', ...rows.map(({ asset, at, value }) => `${asset},${isoOf(at)},${value ?? ''}`)].join('\n');
}

async function stored(rows: readonly Row[]): Promise<string> {
  const imported = rows.slice(0, Math.ceil(rows.length * 0.8));
  const later = rows.slice(imported.length);
  const config = { metafield: 'asset', timefield: 'at', values: ['value'] };
  const id = await importedDatasource(api, ada, csvOf(imported), config);
  for (let next = 0; next < later.length; next += 1000) {
    const data = later.slice(next, next + 1000).map((row) => ({ ...row, at: isoOf(row.at) }));
    expect(await ada.patch('/secure/datasource/insert', { datasource_id: id, data })).toMatchObject({ status: 200 });
  }
  return id;
}

function ask(id: string, query: Readonly<Record<string, unknown>>): Promise<TestResponse> {
  return ada.post('/secure/data/plot', { datasource_id: id, value: 'value', ...query });
}

function inRange(rows: readonly Row[], { asset, from, to }: Question): readonly (Row & { value: number })[] {
  return rows.filter(
    (row): row is Row & { value: number } =>
      row.value !== null &&
      (asset === '' || row.asset === asset) &&
      (from === null || row.at >= from) &&
      (to === null || row.at < to),
  );
}

/** To the last digits: a sum may be added up in any order. */
function expectSame(one: number, other: number, scale: number): void {
  expect(Math.abs(one - other)).toBeLessThanOrEqual(Math.max(scale * 1e-12, Number.MIN_VALUE));
}

function expectBucket(bucket: Bucket, values: readonly number[]): void {
  expect(values.length).toBeGreaterThan(0);
  expect(bucket.count).toBe(values.length);
  expect(bucket.min).toBe(Math.min(...values));
  expect(bucket.max).toBe(Math.max(...values));
  const mean = values.reduce((sum, value) => sum + value / values.length, 0);
  expectSame(bucket.value, mean, Math.max(...values.map(Math.abs)));
  expect(bucket.value).toBeGreaterThanOrEqual(bucket.min);
  expect(bucket.value).toBeLessThanOrEqual(bucket.max);
}

/** What the answer must be is worked out from the rows alone. */
function expectTrue({ data, total, bucket_ms: width }: Plot, rows: readonly Row[], question: Question): void {
  const wanted = inRange(rows, question);
  expect(total).toBe(wanted.length);
  if (wanted.length <= question.points) {
    expect(width).toBe(0);
    const sorted = [...wanted].sort((one, other) => one.at - other.at || one.value - other.value);
    expect(data).toEqual(sorted.map(({ at, value }) => ({ timestamp: isoOf(at), value })));
    return;
  }
  const begin = Math.max(question.from ?? -Infinity, Math.min(...wanted.map(({ at }) => at)));
  expect(width).toBeCloseTo(widthOf(wanted, begin, question), 9);
  expect(data.length).toBeLessThanOrEqual(question.points);
  expect(data.reduce((sum, { count }) => sum + count, 0)).toBe(total);
  expectOrder(data, width);
  // Below a millisecond, timestamps do not tell which rows a bucket has.
  for (const bucket of width < 1 ? [] : data) {
    const at = Date.parse(bucket.timestamp);
    expect((at - begin) % width).toBe(0);
    expectBucket(
      bucket,
      wanted.filter((row) => row.at >= at && row.at < at + width).map(({ value }) => value),
    );
  }
}

function widthOf(rows: readonly Row[], begin: number, { to, points }: Question): number {
  const end = Math.min(to ?? Infinity, Math.max(...rows.map(({ at }) => at)) + 0.001);
  const exact = Math.ceil(((end - begin) * 1000) / points) / 1000;
  return exact < 1 ? exact : Math.ceil(exact);
}

function expectOrder(data: readonly Bucket[], width: number): void {
  const times = data.map(({ timestamp }) => Date.parse(timestamp));
  expect(times).toEqual([...times].sort((one, other) => one - other));
  if (width >= 1) expect(new Set(times).size).toBe(times.length);
}

const moment = fc.option(
  fc.oneof(
    fc.integer({ min: BEGIN - DAY, max: BEGIN + 22 * DAY }),
    fc.integer({ min: BEGIN, max: BEGIN + 10 }),
    fc.integer({ min: BEGIN, max: BEGIN + 3_600_000 }),
  ),
);
const aQuestion: fc.Arbitrary<Question> = fc
  .record({
    asset: fc.constantFrom('', ...ASSETS, 'nobody'),
    from: moment,
    to: moment,
    points: fc.oneof(fc.integer({ min: 10, max: 40 }), fc.integer({ min: 10, max: 3000 })),
  })
  .map((question) => {
    const { from, to } = question;
    return from !== null && to !== null && from > to ? { ...question, from: to, to: from } : question;
  });

describe('a plot', () => {
  it('counts every row of a random series once, in a bucket that is true to it', async () => {
    const rows = someRows(1, 2500);
    const id = await stored(rows);
    await fc.assert(
      fc.asyncProperty(aQuestion, async (question) => {
        const { asset, from, to, points } = question;
        const texts = { from: from === null ? '' : isoOf(from), to: to === null ? '' : String(to) };
        const { status, body } = await ask(id, { asset, ...texts, points });
        expect(status).toBe(200);
        expectTrue(body as unknown as Plot, rows, question);
      }),
      { numRuns: 60, seed: 1 },
    );
  }, 60_000);

  it('answers ranges at the ends of the calendar, and refuses those beyond it and those that end before they begin', async () => {
    const id = await stored([
      { asset: 'a', at: BEGIN, value: 1 },
      { asset: 'a', at: BEGIN + 1, value: 2 },
    ]);
    const total = async (from: string, to: string): Promise<unknown> => (await ask(id, { from, to })).body['total'];
    expect(await total('-8640000000000000', '8640000000000000')).toBe(2);
    expect(await total('now-200000y', 'now+200000y')).toBe(2);
    expect(await total('0000-01-01', '9999-12-31')).toBe(2);
    expect(await total('now+50000y/M', '')).toBe(0);
    for (const from of ['now-999999999y', '9999999999999999', 'now-1H', 'NOW', '+275760-09-13']) {
      const { status, body } = await ask(id, { from });
      expect({ from, status, details: body['details'] }).toMatchObject({ status: 400, details: [{ field: 'from' }] });
    }
    expect(await ask(id, { from: 'now', to: 'now-1h' })).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('to must not be before from') as string, details: [{ field: 'to' }] },
    });
  });

  it('shows all rows of a lifespan that is longer than time', async () => {
    const csv = csvOf([{ asset: 'a', at: BEGIN, value: 1 }]);
    const id = await importedDatasource(api, ada, csv, { metafield: 'asset', timefield: 'at', lifespan: 1e300 });
    expect(await ask(id, {})).toMatchObject({ status: 200, body: { total: 1 } });
  });
});
