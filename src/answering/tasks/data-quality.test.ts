import { expect, it } from 'vitest';
import { gapsIn, gapWords } from './data-quality.js';
import { aResult } from './tasks.fixture.js';

const DAY = 86_400_000;

function told(days: Readonly<Record<string, readonly number[]>>, truncated = false): string {
  const rows = Object.entries(days).flatMap(([asset, starts]) =>
    starts.map((day) => [asset, new Date(Date.UTC(2024, 0, day)).toISOString(), 1]),
  );
  const result = aResult(Object.entries({ asset: 'text', moment: 'time', rows: 'integer' }), rows);
  return gapWords({ ...result, truncated }, 'day', 'shop');
}

it('gaps in time are runs of pieces that are not there', () => {
  const starts = [0, 1, 2, 5, 6, 8].map((day) => day * DAY);
  expect(gapsIn(starts, DAY)).toEqual([
    { from: 3 * DAY, to: 5 * DAY, missing: 2 },
    { from: 7 * DAY, to: 8 * DAY, missing: 1 },
  ]);
  expect(gapsIn([], DAY)).toEqual([]);
});

const OTHERS = 'values of shop without rows where others have some:';
it.each<[string, Record<string, readonly number[]>, string]>([
  ['none of assets that begin and end elsewhere', { A: [1, 2, 3, 4], B: [2, 3] }, 'none.'],
  [
    ...(['those of each asset', { A: [1, 2, 3, 4, 5], B: [1, 5], C: [1, 2, 4, 5] }] as const),
    `${OTHERS} B 3 days (the longest: 2024-01-02 to 2024-01-04), C 1 day (the longest: 2024-01-03).`,
  ],
  [
    ...(['those of all, though each begins or ends beside them', { A: [1, 3, 5], B: [2, 4, 6] }] as const),
    `${OTHERS} A 2 days (the longest: 2024-01-02), B 2 days (the longest: 2024-01-03).`,
  ],
  [
    ...(['those that all share, once', { A: [1, 2, 5], B: [1, 2, 5] }] as const),
    '2 days (the longest: 2024-01-03 to 2024-01-04) without any row.',
  ],
  [
    ...(['those that all share, before those of one', { A: [1, 2, 5], B: [1, 5] }] as const),
    `2 days (the longest: 2024-01-03 to 2024-01-04) without any row; ${OTHERS} B 1 day (the longest: 2024-01-02).`,
  ],
])('gaps in time are %s', (_, days, words) => {
  expect(told(days)).toBe(`**Gaps in time:** ${words}`);
});

it('gaps of an asset that was read in part are not judged', () => {
  expect(told({ A: [1, 2, 3], B: [1, 3] }, true)).toMatch(/ none\. Only 1 value of shop could be checked\.$/);
});
