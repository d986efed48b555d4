import { expect, it } from 'vitest';
import { cut, tame } from './tame.js';

it.each([
  ['two\nlines\tand a tab', 'two lines and a tab'],
  ['line\u2028separator', 'line separator'],
  ['turned \u202Eback\u202C', 'turned  back'],
  ['zero\u200Bwidth\uFEFF', 'zero width'],
  ['tags \u{E0041}\u{E0042}', 'tags'],
])('text on one line: %j', (text, line) => {
  expect(tame(text, 100)).toBe(line);
});

it('text that is too long ends with a mark within its length', () => {
  expect(tame('abcdef', 4)).toBe('abc…');
});

it.each([
  ['abc', 3, 'abc'],
  ['abcd', 3, 'ab…'],
  ['a🍎bc', 3, 'a…'],
])('%j of at most %i units is %j', (text, longest, expected) => {
  expect(cut(text, longest)).toBe(expected);
});
