import { describe, expect, it } from 'vitest';
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

describe('gaps in time', () => {
  it('are runs of pieces that are not there', () => {
    const starts = [0, 1, 2, 5, 6, 8].map((day) => day * DAY);
    expect(gapsIn(starts, 'day')).toEqual([
      { from: 3 * DAY, to: 5 * DAY, missing: 2 },
      { from: 7 * DAY, to: 8 * DAY, missing: 1 },
    ]);
    expect(gapsIn([], 'day')).toEqual([]);
  });

  it('are looked for in each asset', () => {
    expect(told({ A: [1, 2, 3, 4], B: [2, 3] })).toBe('**Gaps in time:** none.');
    expect(told({ A: [1, 2, 3, 4, 5], B: [1, 5], C: [1, 2, 4, 5] })).toBe(
      '**Gaps in time:** values of shop without rows where others have some: B 3 days (the longest: 2024-01-02 to 2024-01-04), C 1 day (the longest: 2024-01-03).',
    );
  });

  it('of all assets are found though each begins or ends beside them', () => {
    expect(told({ A: [1, 3, 5], B: [2, 4, 6] })).toBe(
      '**Gaps in time:** values of shop without rows where others have some: A 2 days (the longest: 2024-01-02), B 2 days (the longest: 2024-01-03).',
    );
  });

  it('that all assets share are told once', () => {
    expect(told({ A: [1, 2, 5], B: [1, 2, 5] })).toBe(
      '**Gaps in time:** 2 days (the longest: 2024-01-03 to 2024-01-04) without any row.',
    );
    expect(told({ A: [1, 2, 5], B: [1, 5] })).toMatch(
      /^\*\*Gaps in time:\*\* 2 days .* without any row; values of shop without rows where others have some: B 1 day /,
    );
  });

  it('of an asset that was read in part are not judged', () => {
    expect(told({ A: [1, 2, 3], B: [1, 3] }, true)).toMatch(/ none\. Only 1 value of shop could be checked\.$/);
  });
});
