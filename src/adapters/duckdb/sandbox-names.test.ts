import { expect, it } from 'vitest';
import { quotedName, quotedText, visibleNames } from './sandbox-names.js';

it('quotes names and texts, whatever they hold', () => {
  expect(quotedName('a "b" c')).toBe('"a ""b"" c"');
  expect(quotedText("it's")).toBe("'it''s'");
});

it('keeps names that differ', () => {
  expect(visibleNames(['a', 'b', 'A b'])).toEqual(['a', 'b', 'A b']);
});

it('numbers names that differ in case alone, and takes no other column’s name for that', () => {
  expect(visibleNames(['Temp', 'temp', 'TEMP', 'temp_2'])).toEqual(['Temp', 'temp_3', 'TEMP_4', 'temp_2']);
});
