import { onlyColumnAt, type ColumnHere } from './column-mentions.js';
import type { Line } from './line.js';

/** The one thing in a list; `null` when it has none or several. */
export function theOnly<T>([first, another]: readonly T[]): T | null {
  return first === undefined || another !== undefined ? null : first;
}

/** The one column of numbers that is named from here on. */
export function onlyFigureAt(line: Line, at: number): ColumnHere | null {
  const named = onlyColumnAt(line, at);
  return named?.column.role === 'figure' ? named : null;
}
