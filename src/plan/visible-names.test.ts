import { expect, it } from 'vitest';
import { visibleNames } from './visible-names.js';

it('keeps names that differ', () => {
  expect(visibleNames(['a', 'b', 'A b'])).toEqual(['a', 'b', 'A b']);
});

it('numbers names that differ in case alone, and takes no other column’s name for that', () => {
  expect(visibleNames(['Temp', 'temp', 'TEMP', 'temp_2'])).toEqual(['Temp', 'temp_3', 'TEMP_4', 'temp_2']);
});
