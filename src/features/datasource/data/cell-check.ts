import type { Cell, ColumnProfile } from '../../../ports/table.js';
import { isNullMarker } from '../../../shared/null-markers.js';
import { type DecimalSign, plainNumber } from '../../../shared/number-notation.js';
import { tame } from '../../../shared/tame.js';
import { parseTime, type TimeLayout } from '../../../shared/time-format/time-format.js';
import { isoTime } from './iso-time.js';

/** A value of a column's type, or why the text is none. */
export type CheckedCell =
  | {
      readonly fits: true;
      readonly cell: Cell | Date;
      /** A number that whole numbers are not. */ readonly wider: boolean;
    }
  | { readonly fits: false; readonly reason: string };

const WHOLE_NUMBER = /^([+-]?\d+)(?:\.0*)?$/;
/** Up to here a number with a fraction holds whole numbers exactly. */
const EXACT = 2 ** 53;
const LONGEST_SHOWN = 60;

const TRUE: ReadonlySet<string> = new Set(['true', 't', 'yes', 'y', '1']);
const FALSE: ReadonlySet<string> = new Set(['false', 'f', 'no', 'n', '0']);

/** How a column's values are written beside the ways that all columns know. */
export interface CellStyle {
  readonly decimal: DecimalSign;
  readonly layout: TimeLayout | undefined;
}

/** Reads a value as a column stores it, by the rules that an imported file is read by. */
export function checkCell(column: ColumnProfile, given: string | number | boolean, style: CellStyle): CheckedCell {
  const text = String(given);
  if (column.type === 'text') return text === '' ? NOTHING : fitting(text);
  if (isNullMarker(text)) return NOTHING;
  switch (column.type) {
    case 'number':
    case 'integer':
      // A number of JSON has a point, whatever the file had.
      return numberCell(column, text, typeof given === 'number' ? '.' : style.decimal);
    case 'boolean':
      return booleanCell(column, text);
    case 'time':
      return timeCell(column, text, style.layout);
  }
}

/** No value. */
export const NOTHING: CheckedCell = { fits: true, cell: null, wider: false };

function fitting(cell: Cell | Date, wider = false): CheckedCell {
  return { fits: true, cell, wider };
}

function misfit({ name }: ColumnProfile, what: string, text: string): CheckedCell {
  return { fits: false, reason: `"${tame(name, LONGEST_SHOWN)}" ${what}: "${tame(text, LONGEST_SHOWN)}"` };
}

function numberCell(column: ColumnProfile, text: string, decimal: DecimalSign): CheckedCell {
  const plain = plainNumber(text, decimal);
  const value = plain === null ? Number.NaN : Number(plain);
  if (plain === null || !Number.isFinite(value)) {
    return misfit(column, decimal === '.' ? 'is not a number' : 'is not a number with a decimal comma', text);
  }
  return column.type === 'integer' ? integerCell(column, plain, text) : fitting(value);
}

function integerCell(column: ColumnProfile, plain: string, text: string): CheckedCell {
  const value = Number(plain);
  const whole = Number.isSafeInteger(value) ? value : wholeText(plain);
  if (whole !== null) return fitting(whole);
  return isLong(column) ? misfit(column, 'is not a whole number', text) : fitting(value, true);
}

/** Too long for a number of JavaScript, and not for the row store. */
function wholeText(plain: string): string | null {
  const [, digits] = WHOLE_NUMBER.exec(plain) ?? [];
  if (digits === undefined) return null;
  const whole = BigInt(digits.replace('+', ''));
  return BigInt.asIntN(64, whole) === whole ? String(whole) : null;
}

/** Its whole numbers would not survive being stored as numbers with a fraction. */
function isLong({ min, max }: ColumnProfile): boolean {
  return [min, max].some((bound) => bound !== null && Math.abs(Number(bound)) >= EXACT);
}

function booleanCell(column: ColumnProfile, text: string): CheckedCell {
  const word = text.trim().toLowerCase();
  if (TRUE.has(word)) return fitting(true);
  return FALSE.has(word) ? fitting(false) : misfit(column, 'is neither true nor false', text);
}

function timeCell(column: ColumnProfile, text: string, layout: TimeLayout | undefined): CheckedCell {
  const moment = isoTime(text.trim()) ?? (layout === undefined ? null : parseTime(layout, text.trim()));
  if (moment !== null) return fitting(moment);
  return misfit(column, layout === undefined ? 'is not a time in ISO 8601' : 'is not a time as in the file', text);
}
