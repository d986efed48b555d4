import { isBold, nodesOfType, spanOf, type WordNode } from './word-tree.js';

/** The texts of a table, and what heads its columns. */
export interface WordTable {
  /** Names of the columns; null when the table has no row of them. */
  readonly header: readonly string[] | null;
  readonly rows: readonly (readonly string[])[];
}

const MOST_COLUMNS = 200;
const LONGEST_NAME = 80;

/** Only one cell in each row: a frame around text, not a table. */
export function isFrame(table: WordNode): boolean {
  return nodesOfType(table, 'tableRow').every((row) => nodesOfType(row, 'tableCell').length <= 1);
}

/** A cell that spans columns or rows is said in each of them, so that every row can stand alone. */
export function wordTable(table: WordNode, textOf: (cell: WordNode) => string): WordTable {
  const rowNodes = nodesOfType(table, 'tableRow');
  const rows = gridOf(rowNodes, textOf);
  const [first, ...others] = rows;
  if (first === undefined || others.length === 0 || !isHeader(rowNodes, rows)) return { header: null, rows };
  return { header: first, rows: others };
}

/** `Name: Ada; Born: 1815` where the columns have names, `Ada | 1815` where they have none. */
export function rowText(cells: readonly string[], header: readonly string[] | null): string {
  const seen = cells.map((cell, at) => ({ cell, name: header?.[at] ?? '' }));
  // What spans columns of one name is said once.
  const once = seen.filter(({ cell, name }, at) => {
    const before = seen[at - 1];
    return cell !== '' && !(before?.cell === cell && before.name === name && name !== '');
  });
  if (header === null) return once.map(({ cell }) => cell).join(' | ');
  return once.map(({ cell, name }) => (name === '' ? cell : `${name}: ${cell}`)).join('; ');
}

function gridOf(rowNodes: readonly WordNode[], textOf: (cell: WordNode) => string): readonly (readonly string[])[] {
  /** By column: what reaches down from a row above, and for how many rows more. */
  const hanging = new Map<number, { text: string; rows: number }>();
  return rowNodes.map((row) => {
    const cells: string[] = [];
    const takeHanging = (): void => {
      for (let above = hanging.get(cells.length); above !== undefined; above = hanging.get(cells.length)) {
        if (--above.rows === 0) hanging.delete(cells.length);
        cells.push(above.text);
      }
    };
    for (const cell of nodesOfType(row, 'tableCell')) {
      takeHanging();
      const [text, rows] = [textOf(cell), spanOf(cell, 'rowSpan', rowNodes.length)];
      for (let column = spanOf(cell, 'colSpan', MOST_COLUMNS); column > 0 && cells.length < MOST_COLUMNS; column--) {
        if (rows > 1) hanging.set(cells.length, { text, rows: rows - 1 });
        cells.push(text);
      }
    }
    takeHanging();
    return cells;
  });
}

/** Marked as one, or bold above rows that are not, or words above a column of figures. */
function isHeader(
  [first, ...others]: readonly WordNode[],
  [names = [], ...rows]: readonly (readonly string[])[],
): boolean {
  if (first === undefined || names.length < 2) return false;
  if (first['isHeader'] === true) return true;
  if (!couldBeNames(names)) return false;
  return (isBold(first) && !others.every(isBold)) || isAboveFigures(names, rows);
}

function couldBeNames(names: readonly string[]): boolean {
  return names.every((name) => name.length <= LONGEST_NAME) && names.filter((name) => name !== '').length >= 2;
}

function isAboveFigures(names: readonly string[], rows: readonly (readonly string[])[]): boolean {
  if (rows.length < 2 || names.some((name) => /\d/.test(name)) || new Set(names).size < names.length) return false;
  return names.some((_, column) => rows.every((row) => /\d/.test(row[column] ?? '')));
}
