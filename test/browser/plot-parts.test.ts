import { describe, expect, it } from 'vitest';
import { figuresLike } from '../../web/src/shared/format.js';
import { bucketIn, isKnown, joined, seenIn, type Series } from '../../web/src/pages/datasources/detail/plot/series.js';
import { tickTexts } from '../../web/src/pages/datasources/detail/plot/tick-texts.js';
import { covers, tilesOf } from '../../web/src/pages/datasources/detail/plot/tiles.js';
import {
  panned,
  rangeOfView,
  viewOf,
  within,
  wholeOf,
  zoomed,
} from '../../web/src/pages/datasources/detail/plot/view.js';

const WHOLE = { from: 0, to: 1_000_000 };

describe('the view of a plot', () => {
  it('keeps what is under the pointer when it zooms, down to what can be told apart', () => {
    const view = zoomed({ from: 100, to: 300 }, 0.5, 0.25);
    expect(view).toEqual({ from: 125, to: 225 });
    let near = { from: 0, to: 1000 };
    for (let turn = 0; turn < 100; turn += 1) near = zoomed(near, 0.5, 0.5);
    expect(near.to - near.from).toBeCloseTo(10);
    expect(zoomed(near, 2, 0.5).to - zoomed(near, 2, 0.5).from).toBeCloseTo(20);
  });

  it('stays where half of it may have rows, and no longer than everything', () => {
    expect(within({ from: -900_000, to: -800_000 }, WHOLE)).toEqual({ from: -50_000, to: 50_000 });
    expect(within({ from: 5_000_000, to: 5_100_000 }, WHOLE)).toEqual({ from: 950_000, to: 1_050_000 });
    expect(within({ from: -10, to: 2_000_000 }, WHOLE)).toEqual(WHOLE);
    expect(within(panned(WHOLE, 0.3), WHOLE)).toEqual(WHOLE);
  });

  it('is a range in the address, and everything is none', () => {
    expect(rangeOfView(WHOLE, WHOLE)).toBeNull();
    const range = rangeOfView({ from: 1000.4, to: 2000 }, WHOLE);
    expect(range).toEqual({ from: '1970-01-01T00:00:01.000Z', to: '1970-01-01T00:00:02.000Z' });
    expect(viewOf({ from: range?.from ?? '', to: '' }, WHOLE)).toEqual({ from: 1000, to: 1_000_000 });
    // An address that makes no sense shows everything.
    expect(viewOf({ from: '1970-01-01T00:00:02Z', to: '1970-01-01T00:00:01Z' }, WHOLE)).toEqual(WHOLE);
    expect(wholeOf({ from: '1970-01-01T00:00:02Z', to: '1970-01-01T00:00:02Z' })).toEqual({ from: 1000, to: 3000 });
  });
});

describe('the pieces of time that are loaded', () => {
  it('cover the view and are the same for its neighbours', () => {
    for (const from of [0, 123_456, 700_001, 969_000]) {
      const view = { from, to: from + 30_000 };
      const { shown, beside } = tilesOf(view, WHOLE);
      expect(shown.length).toBeLessThanOrEqual(2);
      const seen = { from: Math.max(view.from, 0), to: Math.min(view.to, WHOLE.to) };
      expect(covers({ from: shown[0]?.from ?? Infinity, to: shown.at(-1)?.to ?? 0 }, seen)).toBe(true);
      // A little further the same ones, or one of those beside, are shown.
      const known = [...shown, ...beside].map((tile) => tile.from);
      for (const tile of tilesOf(panned(view, 0.2), WHOLE).shown) expect(known).toContain(tile.from);
    }
  });

  it('are none where everything is as fine, and none where no rows can be', () => {
    expect(tilesOf({ from: 0, to: 600_000 }, WHOLE)).toEqual({ shown: [], beside: [] });
    const { shown, beside } = tilesOf({ from: -5000, to: 5000 }, WHOLE);
    expect([...shown, ...beside].every(({ to }) => to > 0)).toBe(true);
  });
});

/** Points each second from `from` to `to`, of which `value` is the mean. */
function series(from: number, to: number, { value = 0, bucketMs = 1000, everything = false } = {}): Series {
  const times = Array.from(
    { length: (to - from) / Math.max(bucketMs, 1000) },
    (_, place) => from / 1000 + place * (Math.max(bucketMs, 1000) / 1000),
  );
  const all = (number: number): Float64Array => Float64Array.from(times, () => number);
  return {
    ...{ of: everything ? { from: -Infinity, to: Infinity } : { from, to }, bucketMs, total: times.length },
    times: Float64Array.from(times),
    ...{ means: all(value), lowest: all(value - 1), highest: all(value + 1), counts: all(bucketMs === 0 ? 1 : 5) },
  };
}

describe('the ticks of a plot', () => {
  const ticksFrom = (first: string, step: number, count: number): readonly string[] =>
    tickTexts(
      Array.from({ length: count }, (_, place) => Date.parse(first) / 1000 + place * step),
      step,
    );
  const withSecondLine = (texts: readonly string[]): readonly number[] =>
    texts.flatMap((text, place) => (text.includes('\n') ? [place] : []));

  it('say the day where it begins, and the year where months are told', () => {
    expect(withSecondLine(ticksFrom('2024-12-31T12:00:00Z', 6 * 3600, 6))).toEqual([0, 2]);
    expect(withSecondLine(ticksFrom('2024-11-01T00:00:00Z', 30 * 86_400, 5))).toEqual([0, 3]);
    expect(withSecondLine(ticksFrom('2024-12-30T00:00:00Z', 86_400, 4))).toEqual([0, 2]);
    expect(withSecondLine(ticksFrom('2020-01-01T00:00:00Z', 366 * 86_400, 3))).toEqual([]);
  });

  it('are as fine as their distance', () => {
    expect(ticksFrom('2024-05-01T10:00:00Z', 0.25, 2)[1]).toMatch(/00[.,]250/);
    expect(ticksFrom('2024-05-01T10:00:00Z', 15, 2)[1]).toMatch(/10.00.15/);
    expect(ticksFrom('2024-05-01T10:00:00Z', 900, 2)[1]).toMatch(/10.15/);
  });
});

describe('the line of a plot', () => {
  it('is made of the finest there is of each stretch, in time order', () => {
    const coarse = series(0, 100_000, { bucketMs: 10_000, everything: true });
    const fine = series(20_000, 40_000, { value: 7 });
    const finest = series(30_000, 34_000, { value: 9, bucketMs: 0 });
    for (const all of [
      [coarse, fine, finest],
      [finest, coarse, fine],
    ]) {
      const { points, isBand } = joined(all);
      const [times, means] = points;
      expect(isBand).toBe(true);
      expect([...times].sort((one, other) => one - other)).toEqual(times);
      const at = (second: number): number | null | undefined => means[times.indexOf(second)];
      expect([at(10), at(20), at(29), at(31), at(34), at(39), at(40)]).toEqual([0, 7, 7, 9, 7, 7, 0]);
    }
  });

  it('breaks where buckets are missing, also between two pieces', () => {
    const { points } = joined([series(0, 3000), series(8000, 10_000)]);
    expect(points.slice(0, 2)).toEqual([
      [0, 1, 2, 5, 8, 9],
      [0, 0, 0, null, 0, 0],
    ]);
  });

  it('is described by what is seen of it', () => {
    const line = joined([series(0, 100_000, { value: 3 })]);
    const seen = { rows: 55, lowest: 2, highest: 4, from: 10_000, to: 20_000 };
    expect(seenIn(line, { from: 10_000, to: 20_000 }, 0)).toEqual(seen);
    expect(seenIn(line, { from: 200_000, to: 300_000 }, 0)).toBeNull();
    expect(seenIn(joined([]), WHOLE, 0)).toBeNull();
    expect(seenIn(line, { from: 10_000, to: 20_500 }, 1000)?.to).toBe(20_500);
    expect(seenIn(line, { from: 10_000, to: 500_000 }, 1000)?.to).toBe(100_000);
  });

  it('knows how fine it is, and where there is nothing more to load', () => {
    const all = [
      series(0, 100_000, { bucketMs: 10_000, everything: true }),
      series(0, 50_000),
      series(0, 10_000, { bucketMs: 0 }),
    ];
    expect(bucketIn(all, { from: 60_000, to: 70_000 })).toBe(10_000);
    expect(bucketIn(all, { from: 5000, to: 40_000 })).toBe(1000);
    expect(isKnown(all, { from: 2000, to: 8000 })).toBe(true);
    expect(isKnown(all, { from: 2000, to: 12_000 })).toBe(false);
  });
});

it('amounts that stand in one column have their cents alike', () => {
  const column = [14289.9, 14950.19, 3, null];
  expect([14289.9, 3].map(figuresLike(column))).toEqual(['14,289.90', '3.00']);
  expect([23.5].map(figuresLike([23.5, 24]))).toEqual(['23.5']);
});
