import { isNullMarker } from '../shared/null-markers.js';
import type { DecimalSign } from '../shared/number-notation.js';
import type { Row } from './inspect-records.js';

/** A number that can only be read with the one decimal sign. Three digits behind a single sign may be a fraction or a group. */
const ONLY: Readonly<Record<DecimalSign, RegExp>> = {
  ',': /^[+-]?(?:\d*,\d{1,2}|\d*,\d{4,30}|0?,\d+|\d{4,30},\d+|\d{1,3}(?:\.\d{3}){2,9}|\d{1,3}(?:[.' \u00a0\u202f\u2019]\d{3})+,\d*)$/,
  '.': /^[+-]?(?:\d*\.\d{1,2}|\d*\.\d{4,30}|0?\.\d+|\d{4,30}\.\d+|\d{1,3}(?:,\d{3}){2,9}|\d{1,3}(?:[,' \u00a0\u202f\u2019]\d{3})+\.\d*)$/,
};
const EITHER = /^[+-]?\d{1,3}[.,]\d{3}$/;
const WITHOUT_SIGN = /^[+-]?\d+(?:[eE][+-]?\d{1,3})?$/;
/** Of a column of numbers at most so many cells are none. */
const SHARE_OF_WORDS = 0.1;
const LONGEST_NUMBER = 40;

/**
 * Which sign the numbers of a file have before their fraction. Each column that is made of numbers under one reading alone is a vote for it. Where only
 * numbers like `1,234` are found, the comma parts groups, except between semicolons, which are used where the comma is the decimal sign.
 */
export function decimalOf(rows: readonly Row[], columns: number, delimiter: string): DecimalSign {
  const votes = { ',': 0, '.': 0, either: 0 };
  for (let column = 0; column < columns; column++) {
    const vote = voteOf(rows, column);
    if (vote !== null) votes[vote]++;
  }
  if (votes[','] !== votes['.']) return votes[','] > votes['.'] ? ',' : '.';
  return votes.either > 0 && delimiter === ';' && votes['.'] === 0 ? ',' : '.';
}

function voteOf(rows: readonly Row[], column: number): DecimalSign | 'either' | null {
  const cells = rows.map((row) => (row[column] ?? '').trim()).filter((cell) => !isNullMarker(cell));
  const counts = { comma: 0, point: 0, either: 0, none: 0, word: 0 };
  for (const cell of cells) counts[signOf(cell)]++;
  if (cells.length === 0 || counts.word > cells.length * SHARE_OF_WORDS) return null;
  if (counts.comma !== counts.point) return counts.comma > counts.point ? ',' : '.';
  return counts.either > 0 ? 'either' : null;
}

/** What a cell tells of the sign. */
function signOf(cell: string): 'comma' | 'point' | 'either' | 'none' | 'word' {
  if (cell.length > LONGEST_NUMBER || !/\d/.test(cell)) return 'word';
  if (ONLY[','].test(cell)) return 'comma';
  if (ONLY['.'].test(cell)) return 'point';
  if (EITHER.test(cell)) return cell.includes(',') ? 'either' : 'none';
  return WITHOUT_SIGN.test(cell) ? 'none' : 'word';
}
