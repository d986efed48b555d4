import type { ColumnType } from '../../ports/table.js';
import { isNullMarker } from '../../shared/null-markers.js';

/** A leading zero means a code; more than 18 digits are no number that can be kept exactly. */
const INTEGER = /^[+-]?(?:0|[1-9]\d{0,17})$/;
const NUMBER_WITH_POINT = /^[+-]?(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?$/;
const NUMBER_WITH_COMMA = /^[+-]?(?:(?:0|[1-9]\d*)(?:,\d*)?|,\d+)(?:[eE][+-]?\d{1,3})?$/;
const LONG_INTEGER = /^[+-]?\d{19,}$/;
const BOOLEAN = /^(?:true|false)$/i;
const TIME =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?:([T ])(?:[01]\d|2[0-3]):[0-5]\d(:[0-5]\d(?:\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

/**
 * The type that every sample fits; null markers fit all. Text is what fits nothing else: codes with leading zeros, thousands separators,
 * times that are not written as ISO 8601 or not all in one layout.
 */
export function typeOf(values: readonly string[], decimal: '.' | ','): ColumnType {
  const present = values.map((value) => value.trim()).filter((value) => !isNullMarker(value));
  const [first] = present;
  if (first === undefined) return 'text';
  const number = decimal === '.' ? NUMBER_WITH_POINT : NUMBER_WITH_COMMA;
  if (present.every((value) => INTEGER.test(value))) return 'integer';
  if (present.every((value) => number.test(value) && !LONG_INTEGER.test(value))) return 'number';
  if (present.every((value) => BOOLEAN.test(value))) return 'boolean';
  const layout = timeLayoutOf(first);
  return layout !== null && present.every((value) => timeLayoutOf(value) === layout) ? 'time' : 'text';
}

/** Which form of ISO 8601 a text has; null when it is none, or no day of the calendar. */
function timeLayoutOf(text: string): string | null {
  const parts = TIME.exec(text);
  if (!parts) return null;
  const [, separator = '', seconds, zone] = parts;
  const day = text.slice(0, 10);
  if (Number(day.slice(8)) > 28 && new Date(`${day}T00:00Z`).toISOString().slice(0, 10) !== day) return null;
  return `${separator}${seconds === undefined ? '' : 's'}${zone === undefined ? '' : 'z'}`;
}

/** Whether the numbers of a file are written with a comma: not where it parts the columns. */
export function decimalOf(rows: readonly (readonly string[])[], delimiter: string): '.' | ',' {
  if (delimiter === ',') return '.';
  let [commas, points] = [0, 0];
  for (const row of rows) {
    for (const cell of row) {
      const text = cell.trim();
      if (/^[+-]?\d*,\d+$/.test(text)) commas++;
      else if (/^[+-]?\d*\.\d+$/.test(text)) points++;
    }
  }
  return commas > points ? ',' : '.';
}
