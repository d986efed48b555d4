import { expect, it } from 'vitest';
import type { SharedLimits } from '../../src/ports/shared-limits.js';

/** What everything promises that counts limits. */
export function sharedLimitsContract(open: () => Promise<SharedLimits>): void {
  it('counts each key in a window of its own', async () => {
    const limits = await open();
    expect((await limits.count('ada', 60)).count).toBe(1);
    const again = await limits.count('ada', 60);
    expect(again.count).toBe(2);
    expect(again.resetMs).toBeGreaterThan(50_000);
    expect(again.resetMs).toBeLessThanOrEqual(60_000);
    expect((await limits.count('bob', 60)).count).toBe(1);
    expect((await limits.count('ada', 30)).count).toBe(1);
  });

  it('loses none of many that come at once', async () => {
    const limits = await open();
    const counts = await Promise.all(Array.from({ length: 100 }, () => limits.count('ada', 60)));
    expect(counts.map(({ count }) => count).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 100 }, (_, i) => i + 1),
    );
  });

  it('begins a window anew when it is over', async () => {
    const limits = await open();
    await limits.count('ada', 1);
    const { resetMs } = await limits.count('ada', 1);
    await new Promise((wake) => setTimeout(wake, resetMs + 5));
    expect((await limits.count('ada', 1)).count).toBe(1);
  });

  it('gives away as many places as there are, and each again when it is left', async () => {
    const limits = await open();
    const first = await limits.takePlace('ada', 2);
    await limits.takePlace('ada', 2);
    expect(await limits.takePlace('ada', 2)).toBeNull();
    expect(await limits.takePlace('bob', 2)).not.toBeNull();
    first?.();
    // Leaving twice frees one place.
    first?.();
    expect(await limits.takePlace('ada', 2)).not.toBeNull();
    expect(await limits.takePlace('ada', 2)).toBeNull();
  });

  it('gives no place twice when many ask at once', async () => {
    const limits = await open();
    const taken = await Promise.all(Array.from({ length: 20 }, () => limits.takePlace('ada', 3)));
    expect(taken.filter((leave) => leave !== null)).toHaveLength(3);
  });

  it('keeps a note as long as it is to be kept', async () => {
    const limits = await open();
    expect(await limits.note('ada')).toBeNull();
    expect(await limits.replaceNote('ada', null, { text: 'one', forMs: 60_000 })).toBe(true);
    expect(await limits.note('ada')).toBe('one');
    expect(await limits.replaceNote('ada', 'one', null)).toBe(true);
    expect(await limits.note('ada')).toBeNull();
    await limits.replaceNote('ada', null, { text: 'short', forMs: 20 });
    await new Promise((wake) => setTimeout(wake, 30));
    expect(await limits.note('ada')).toBeNull();
  });

  it('replaces a note only where it is as it was seen', async () => {
    const limits = await open();
    await limits.replaceNote('ada', null, { text: 'one', forMs: 60_000 });
    expect(await limits.replaceNote('ada', null, { text: 'two', forMs: 60_000 })).toBe(false);
    expect(await limits.replaceNote('ada', 'other', null)).toBe(false);
    expect(await limits.note('ada')).toBe('one');
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, n) => limits.replaceNote('ada', 'one', { text: String(n), forMs: 60_000 })),
    );
    expect(all.filter(Boolean)).toHaveLength(1);
  });
}
