import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { TestResponse } from '../support/test-client.js';
import { aService } from './a-service.js';
import { importedDatasource, insert } from './world.builder.js';

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

interface Question {
  readonly asset: string;
  readonly from: number | null;
  readonly to: number | null;
  readonly points: number;
}

const api = await aService();
api.clock.set(NOW);
const ada = await api.signIn('acme');

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

const isoOf = (at: number): string => new Date(at).toISOString();
const csvOf = (rows: readonly Row[]): string =>
  ['asset,at,value', ...rows.map(({ asset, at, value }) => `${asset},${isoOf(at)},${value ?? ''}`)].join('\n');

async function stored(rows: readonly Row[]): Promise<string> {
  const imported = rows.slice(0, Math.ceil(rows.length * 0.8));
  const later = rows.slice(imported.length);
  const config = { metafield: 'asset', timefield: 'at', values: ['value'] };
  const id = await importedDatasource(api, ada, csvOf(imported), config);
  for (let next = 0; next < later.length; next += 1000) {
    const data = later.slice(next, next + 1000).map((row) => ({ ...row, at: isoOf(row.at) }));
    expect(await insert(ada, id, data)).toMatchObject({ status: 200 });
  }
  return id;
}

function ask(id: string, query: Readonly<Record<string, unknown>>): Promise<TestResponse> {
  return ada.post('/secure/data/plot', { datasource_id: id, value: 'value', ...query });
}

function expectBucket(bucket: Bucket, values: readonly number[]): void {
  const { count, min, max, value } = bucket;
  expect({ count, min, max }).toEqual({ count: values.length, min: Math.min(...values), max: Math.max(...values) });
  const mean = values.reduce((sum, one) => sum + one / values.length, 0);
  // To the last digits: a sum may be added up in any order.
  const scale = Math.max(...values.map(Math.abs));
  expect(Math.abs(value - mean)).toBeLessThanOrEqual(Math.max(scale * 1e-12, Number.MIN_VALUE));
  expect(value >= min && value <= max).toBe(true);
}

/** What the answer must be is worked out from the rows alone. */
function expectTrue(plot: Readonly<Record<string, unknown>>, rows: readonly Row[], question: Question): void {
  const { asset, from, to, points } = question;
  const [data, width] = [plot['data'] as readonly Bucket[], plot['bucket_ms'] as number];
  const wanted = rows.flatMap(({ value, ...row }) => {
    const isIn = (asset === '' || row.asset === asset) && row.at >= (from ?? -Infinity) && row.at < (to ?? Infinity);
    return isIn && value !== null ? [{ at: row.at, value }] : [];
  });
  expect(plot['total']).toBe(wanted.length);
  if (wanted.length <= points) {
    expect(width).toBe(0);
    const sorted = [...wanted].sort((one, other) => one.at - other.at || one.value - other.value);
    expect(data).toEqual(sorted.map(({ at, value }) => ({ timestamp: isoOf(at), value })));
    return;
  }
  const begin = Math.max(from ?? -Infinity, Math.min(...wanted.map(({ at }) => at)));
  expect(width).toBeCloseTo(widthOf(wanted, begin, question), 9);
  expect(data.length).toBeLessThanOrEqual(points);
  expect(data.reduce((sum, { count }) => sum + count, 0)).toBe(wanted.length);
  const times = data.map(({ timestamp }) => Date.parse(timestamp));
  expect(times).toEqual([...times].sort((one, other) => one - other));
  // Below a millisecond, timestamps do not tell which rows a bucket has.
  if (width < 1) return;
  expect(new Set(times).size).toBe(times.length);
  for (const [index, at] of times.entries()) {
    expect((at - begin) % width).toBe(0);
    const own = wanted.filter((row) => row.at >= at && row.at < at + width);
    expectBucket(
      data[index]!,
      own.map(({ value }) => value),
    );
  }
}

function widthOf(rows: readonly { at: number }[], begin: number, { to, points }: Question): number {
  const end = Math.min(to ?? Infinity, Math.max(...rows.map(({ at }) => at)) + 0.001);
  const exact = Math.ceil(((end - begin) * 1000) / points) / 1000;
  return exact < 1 ? exact : Math.ceil(exact);
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
  .map((question) => ((question.from ?? -Infinity) > (question.to ?? Infinity) ? { ...question, to: null } : question));

it('a plot counts every row of a random series once, in a bucket that is true to it', async () => {
  const rows = someRows(1, 2500);
  const id = await stored(rows);
  await fc.assert(
    fc.asyncProperty(aQuestion, async (question) => {
      const { asset, from, to, points } = question;
      const texts = { from: from === null ? '' : isoOf(from), to: to === null ? '' : String(to) };
      const { status, body } = await ask(id, { asset, ...texts, points });
      expect(status).toBe(200);
      expectTrue(body, rows, question);
    }),
    { numRuns: 60, seed: 1 },
  );
}, 60_000);

it('a plot answers ranges at the ends of the calendar, and refuses those beyond it and those that end before they begin', async () => {
  const config = { metafield: 'asset', timefield: 'at', lifespan: 1e300 };
  const id = await importedDatasource(api, ada, csvOf([{ asset: 'a', at: BEGIN, value: 1 }]), config);
  for (const [from, to, total] of [
    ['', '', 1],
    ['-8640000000000000', '8640000000000000', 1],
    ['now-200000y', 'now+200000y', 1],
    ['0000-01-01', '9999-12-31', 1],
    ['now+50000y/M', '', 0],
  ])
    expect(await ask(id, { from, to })).toMatchObject({ status: 200, body: { total } });
  for (const from of ['now-999999999y', '+275760-09-13'])
    expect(await ask(id, { from })).toMatchObject({ status: 400, body: { details: [{ field: 'from' }] } });
  expect(await ask(id, { from: 'now', to: 'now-1h' })).toMatchObject({
    status: 400,
    body: { details: [{ field: 'to' }] },
  });
});
