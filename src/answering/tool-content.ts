import type { Cell, QueryResult } from '../ports/table.js';
import { plainNumber } from '../ports/table-text.js';

/** What a model may be given of one tool call. */
export const MAX_CONTENT = 8000;
const MAX_HEAD = 3000;
const MAX_ROWS = 50;
const MAX_CELL = 200;

/** A query's result as a model reads it: JSON with these notes, cut to a length, and saying so where it was cut. */
export function resultContent(id: string, result: QueryResult, told: readonly string[] = []): string {
  const columns = fitting(
    result.columns.map(({ name, type }) => ({ name, type })),
    MAX_HEAD,
  );
  const notes = [...told];
  if (columns.length < result.columns.length) notes.push(`only ${columns.length} of ${result.columns.length} columns`);
  if (result.truncated) notes.push('the query gave more rows than are kept: aggregate or limit it');
  const head = { result: id, columns, row_count: result.rows.length };
  const room = MAX_CONTENT - JSON.stringify(head).length - JSON.stringify(notes).length - 200;

  const rows = fitting(shownRows(result, columns.length), room);
  if (rows.length < result.rows.length)
    notes.push(`only the first ${rows.length} rows are shown here; a chart draws all`);
  return JSON.stringify({ ...head, rows, ...(notes.length > 0 ? { notes } : {}) });
}

export function problemContent(problem: string): string {
  return JSON.stringify({ error: problem.slice(0, 1000) });
}

/** Lines about columns, as many as fit. */
export function columnsContent(lines: readonly string[]): string {
  const columns = fitting(lines, MAX_CONTENT - 200);
  return JSON.stringify({
    columns,
    ...(columns.length < lines.length ? { left_out: lines.length - columns.length } : {}),
  });
}

function shownRows(result: QueryResult, width: number): readonly unknown[] {
  return result.rows.slice(0, MAX_ROWS).map((row) => row.slice(0, width).map(shownCell));
}

function shownCell(cell: Cell): Cell {
  if (typeof cell === 'number') return plainNumber(cell);
  return typeof cell === 'string' && cell.length > MAX_CELL ? `${cell.slice(0, MAX_CELL)}…` : cell;
}

/** The first values whose JSON is together no longer than that. */
function fitting<T>(values: readonly T[], longest: number): readonly T[] {
  let length = 2;
  const end = values.findIndex((value) => (length += JSON.stringify(value).length + 1) > longest);
  return end < 0 ? values : values.slice(0, end);
}
