import type { ColumnType } from '../../../ports/table.js';
import { numberText } from './export-cells.js';
import { numberOf } from './reader-cells.js';

/** The text of a metadata value, as an import names it: a whole number without a fraction, a time with a space in the middle. */
export function metaText(type: ColumnType, value: unknown): string {
  if (value instanceof Date)
    return value
      .toISOString()
      .replace('T', ' ')
      .replace(/\.?0*Z$/, '');
  const number = type === 'integer' || type === 'number' ? numberOf(value) : null;
  if (type === 'integer') return String(value);
  return number === null ? String(value) : numberText(number);
}

/** The order of code points, which is not that of the halves that JavaScript compares. */
export function byCodePoints(one: string, other: string): number {
  const length = Math.min(one.length, other.length);
  for (let at = 0; at < length; at++) {
    const [left, right] = [one.charCodeAt(at), other.charCodeAt(at)];
    if (left !== right) return isHalf(left) === isHalf(right) ? left - right : isHalf(left) ? 1 : -1;
  }
  return one.length - other.length;
}

/** Half of a code point above all that have one alone. */
function isHalf(code: number): boolean {
  return code >= 0xd800 && code <= 0xdfff;
}

/** The same for the same letters, whatever their case and however their accents are put together. */
export function alike(text: string): string {
  if (/^[\0-\x7f]*$/.test(text)) return text.toLowerCase();
  // Letter by letter: the last one of a word has a form of its own in Greek.
  return Array.from(text, (letter) => letter.toLowerCase())
    .join('')
    .normalize('NFC');
}
