import { describe, expect, it } from 'vitest';
import { selectionOf } from './suggestions.service.js';

const known = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `question ${index}`);

describe('the questions of a turn', () => {
  it.each([5, 6, 7, 8, 9, 12, 24])('are 4 to 6 different ones, and others with the next turn, out of %i', (count) => {
    for (let turn = 0; turn < 30; turn += 1) {
      const [shown, next] = [selectionOf(known(count), turn), selectionOf(known(count), turn + 1)];
      expect(shown.length).toBeGreaterThanOrEqual(4);
      expect(shown.length).toBeLessThanOrEqual(6);
      expect(new Set(shown).size).toBe(shown.length);
      expect(new Set(next)).not.toEqual(new Set(shown));
    }
  });

  it.each([0, 1, 3, 4])('are all of %i', (count) => {
    expect([...selectionOf(known(count), 7)].sort()).toEqual([...known(count)].sort());
  });

  it('begin with the most telling', () => {
    expect(selectionOf(known(12), 0)[0]).toBe('question 0');
  });

  it('come round to every question', () => {
    const seen = new Set(Array.from({ length: 12 }, (_, turn) => selectionOf(known(9), turn)).flat());
    expect(seen.size).toBe(9);
  });
});
