import { isSameCell, plainCell, type RawCell } from './cells.js';

export interface Rows {
  readonly columns: number;
  readonly rows: readonly (readonly RawCell[])[];
}

export interface RowsWanted extends Rows {
  /** A gold column whose values must come in the gold's order. */
  readonly ordered: number | null;
  /** A share may be told in percent, and percent as a share. */
  readonly percent: boolean;
}

/** `exact`: the wanted columns and no others. `surplus`: others too. */
export type RowsGrade = 'exact' | 'surplus' | 'wrong';

/**
 * Compares results with the gold by their values, whatever the columns are called and in which order they come. Several results of one row
 * each are taken together, since a question for several figures may be answered in several steps.
 */
export function gradeRows(results: readonly Rows[], wanted: RowsWanted): RowsGrade {
  const all = [...results, ...together(results)];
  const grades = all.map((result) => gradeOne(result, wanted));
  return grades.find((grade) => grade === 'exact') ?? grades.find((grade) => grade === 'surplus') ?? 'wrong';
}

function together(results: readonly Rows[]): readonly Rows[] {
  if (results.length < 2 || results.some(({ rows }) => rows.length !== 1)) return [];
  const row = results.flatMap(({ rows }) => rows[0] ?? []);
  return [{ columns: row.length, rows: [row] }];
}

function gradeOne(found: Rows, wanted: RowsWanted): RowsGrade {
  if (found.rows.length !== wanted.rows.length || found.columns < wanted.columns) return 'wrong';
  if (!canAssign(found, wanted, [])) return 'wrong';
  return found.columns === wanted.columns ? 'exact' : 'surplus';
}

/** Tries the found columns for each wanted one in turn. */
function canAssign(found: Rows, wanted: RowsWanted, chosen: readonly number[]): boolean {
  if (chosen.length === wanted.columns) return haveSameRows(found, wanted, chosen);
  for (let column = 0; column < found.columns; column += 1) {
    if (chosen.includes(column) || !hasSameValues(found, column, wanted, chosen.length)) continue;
    if (canAssign(found, wanted, [...chosen, column])) return true;
  }
  return false;
}

function hasSameValues(found: Rows, column: number, wanted: RowsWanted, target: number): boolean {
  const inOrder = wanted.ordered === target;
  const one = found.rows.map((row) => [row[column] ?? null]);
  const other = wanted.rows.map((row) => [row[target] ?? null]);
  return areAlike(inOrder ? one : sorted(one), inOrder ? other : sorted(other), wanted.percent);
}

function haveSameRows(found: Rows, wanted: RowsWanted, chosen: readonly number[]): boolean {
  const picked = found.rows.map((row) => chosen.map((column) => row[column] ?? null));
  return areAlike(sorted(picked), sorted(wanted.rows), wanted.percent);
}

function areAlike(
  found: readonly (readonly RawCell[])[],
  wanted: readonly (readonly RawCell[])[],
  isPercent: boolean,
): boolean {
  return found.every((row, index) =>
    row.every((cell, column) => isSameCell(cell, wanted[index]?.[column] ?? null, isPercent)),
  );
}

/** By texts first, so that a difference in the last digit of a number does not part rows that belong together. */
function sorted(rows: readonly (readonly RawCell[])[]): readonly (readonly RawCell[])[] {
  const keyed = rows.map((row) => {
    const cells = row.map(plainCell);
    const texts = cells.map((cell) => (typeof cell === 'number' ? '#' : (cell ?? '')));
    return { row, text: JSON.stringify(texts), numbers: cells.filter((cell) => typeof cell === 'number') };
  });
  keyed.sort((one, other) => {
    if (one.text !== other.text) return one.text < other.text ? -1 : 1;
    const differs = one.numbers.findIndex((number, index) => !isSameCell(number, other.numbers[index] ?? null));
    return differs < 0 ? 0 : (one.numbers[differs] ?? 0) - (other.numbers[differs] ?? 0);
  });
  return keyed.map(({ row }) => row);
}
