import type { Row } from './inspect-dialect.js';
import { isNullMarker } from '../../shared/null-markers.js';
import { typeOf } from './inspect-types.js';

const LOOKED_AT_ROWS = 500;

/**
 * Whether the first row names the columns. Each column votes: for it when the first cell is no value of the type that all others are,
 * against it when it is one, or is found again below. Without a vote it does, unless a cell of it is a value that no name is.
 */
export function hasHeader(rows: readonly Row[], decimal: '.' | ','): boolean {
  const [first = [], ...body] = rows.slice(0, LOOKED_AT_ROWS);
  if (body.length === 0) return !first.some((cell) => isValue(cell, decimal));
  const votes = first.map((cell, column) => {
    const below = body.map((row) => row[column] ?? '');
    return voteOf(cell, below, decimal);
  });
  const sum = votes.reduce((total, vote) => total + vote, 0);
  return sum === 0 ? !first.some((cell) => isValue(cell, decimal)) : sum > 0;
}

function voteOf(cell: string, below: readonly string[], decimal: '.' | ','): number {
  const type = typeOf(below, decimal);
  if (isNullMarker(cell)) return 0;
  if (type === 'text') return below.includes(cell) ? -0.5 : 0;
  if (typeOf([cell], decimal) === 'text') return 1;
  return isYear(cell) && !below.some(isYear) ? 1 : -1;
}

function isValue(cell: string, decimal: '.' | ','): boolean {
  return !isNullMarker(cell) && typeOf([cell], decimal) !== 'text' && !isYear(cell);
}

/** Years are names of columns, too. */
function isYear(cell: string): boolean {
  return /^(?:19|20)\d\d$/.test(cell.trim());
}
