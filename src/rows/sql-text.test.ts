import { expect, it } from 'vitest';
import { quotedName, quotedText } from './sql-text.js';

it('quotes names and texts, whatever they hold', () => {
  expect(quotedName('a "b" c')).toBe('"a ""b"" c"');
  expect(quotedText("it's")).toBe("'it''s'");
});
