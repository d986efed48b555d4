import { describe, expect, it } from 'vitest';
import { columnNamesIn } from './downloads.service.js';

describe('a list of column names', () => {
  it.each([
    [' a , b ', ['a', 'b']],
    ['"a,b",c', ['a,b', 'c']],
    ['"a ""b""", " c "', ['a "b"', ' c ']],
    ['5" pipe,b', ['5" pipe', 'b']],
    ['"a" b,c', ['"a" b', 'c']],
    ['"a,c', ['"a', 'c']],
    ['a,', ['a', '']],
    ['""', ['']],
  ])('%j is %j', (list, names) => {
    expect(columnNamesIn(list)).toEqual(names);
  });

  it.each(['a,a', 'a,"a"', ',', 'a, b,a '])('%j has a name twice', (list) => {
    expect(() => columnNamesIn(list)).toThrow(/^columns has ".?" twice$/);
  });

  // A reading that tries again from each place would outlast the test's own limit.
  it.each(['"'.repeat(200_001), '"a'.repeat(100_000), ' '.repeat(200_000), '"" '.repeat(70_000)])(
    'is read in one go, however it is made: %#',
    (list) => {
      expect(columnNamesIn(list)).toBeInstanceOf(Array);
    },
  );
});
