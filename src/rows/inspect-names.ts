import { wellFormed } from '../shared/well-formed.js';
import type { Row } from './inspect-records.js';

/** Longest name of a column, in characters. */
const LONGEST_NAME = 1000;

/**
 * Names for all columns as they stand in the header, none empty and all different, in upper and lower case too, because in SQL `Temp` and `temp`
 * are one: a name that was there before gets a number, one that is missing is called after its place. They may hold any character but NUL.
 */
export function columnNames(header: readonly string[], count: number): readonly string[] {
  const cleaned = Array.from({ length: count }, (_, index) => cleanName(header[index] ?? '') || `column${index + 1}`);
  const taken = new Set<string>();
  const written = new Set(cleaned.map((name) => name.toLowerCase()));
  const numbers = new Map<string, number>();
  return cleaned.map((name) => {
    const key = name.toLowerCase();
    const free = taken.has(key) ? numbered(name, written, numbers) : name;
    taken.add(free.toLowerCase());
    written.add(free.toLowerCase());
    return free;
  });
}

/** The names of several rows as one, parted by blanks. The titles of the first `groups` rows are carried to the right over empty cells. */
export function joinedHeader(rows: readonly Row[], groups: number): Row {
  const [only = []] = rows;
  if (rows.length < 2) return only;
  const width = Math.max(...rows.map((row) => row.length));
  const carried = rows.map((row, index) => (index < groups ? carriedRight(row, width) : row));
  return Array.from({ length: width }, (_, column) => {
    const parts = carried.map((row) => (row[column] ?? '').trim());
    return parts.filter((part) => part !== '').join(' ');
  });
}

function carriedRight(row: Row, width: number): Row {
  let title = '';
  return Array.from({ length: width }, (_, column) => {
    const cell = row[column] ?? '';
    if (cell.trim() !== '') title = cell;
    return title;
  });
}

/** Without the blanks around it, of which a byte order mark is one. */
function cleanName(name: string): string {
  return cut(wellFormed(name.replaceAll('\u0000', '')).trim());
}

/** Never in the middle of a character. */
function cut(name: string): string {
  if (name.length <= LONGEST_NAME) return name;
  const characters = Array.from(name);
  return characters.length <= LONGEST_NAME ? name : characters.slice(0, LONGEST_NAME).join('').trim();
}

/** Each name remembers its last number: two thousand equal ones are numbered one after the other. */
function numbered(name: string, written: ReadonlySet<string>, numbers: Map<string, number>): string {
  const key = name.toLowerCase();
  let number = numbers.get(key) ?? 2;
  while (written.has(`${name}_${number}`.toLowerCase())) number++;
  numbers.set(key, number + 1);
  return `${name}_${number}`;
}
