import { describe, expect, it } from 'vitest';
import { columnNamesIn } from './column-names.js';

describe('a list of column names', () => {
  it.each([
    ['a', ['a']],
    ['a,b', ['a', 'b']],
    [' a , b ', ['a', 'b']],
    ['"a,b",c', ['a,b', 'c']],
    ['"a ""b""", " c "', ['a "b"', ' c ']],
    ['5" pipe,b', ['5" pipe', 'b']],
    ['"a" b,c', ['"a" b', 'c']],
    ['"a,c', ['"a', 'c']],
    ['größe 東京,=x', ['größe 東京', '=x']],
    ['a,', ['a', '']],
    [',a', ['', 'a']],
    ['a\nb,c', ['a\nb', 'c']],
    ['""', ['']],
  ])('%j is %j', (list, names) => {
    expect(columnNamesIn(list)).toEqual(names);
  });

  it.each(['a,a', 'a,"a"', ',', 'a, b,a '])('%j has a name twice', (list) => {
    expect(() => columnNamesIn(list)).toThrow(/^columns has ".?" twice$/);
  });

  it('is read in no time, however it is made', () => {
    for (const list of ['"'.repeat(16_001), '"a'.repeat(8000), ' '.repeat(16_000), '"" '.repeat(5000)]) {
      const began = performance.now();
      columnNamesIn(list);
      expect(performance.now() - began).toBeLessThan(200);
    }
  });
});
