import type { ColumnType } from '../../ports/table.js';
import { isNullMarker } from '../../shared/null-markers.js';
import { type DecimalSign, plainNumber, unitBeside, withoutUnit } from '../../shared/number-notation.js';
import { detectTimeFormats } from '../../shared/time-format/time-format.js';
import type { Row } from './records.js';

const DIGIT = /\d/;
const BOOLEAN = /^(?:true|false)$/i;
const TIME =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?:([T ])(?:[01]\d|2[0-3]):[0-5]\d(:[0-5]\d(?:\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/;
/** Digits before anything else, as they are once groups are gone. */
const WHOLE = /^[+-]?\d+$/;
const LEADING_ZERO = /^[+-]?0\d/;
const LONG_EXPONENT = /[eE][+-]?\d{4}/;
/** A dialling code is written with a plus; that of a measure has fewer digits. */
const DIALLED = /^\+\d{7,}$/;
const GROUPED_BY_BLANK = /^\d+(?:[ \u00a0\u202f]\d{3})+$/;

/** So many values that are none may be in a column of numbers … */
const MOST_ODD = 3;
const ODD_SHARE = 0.01;
/** … and, of these, the last ones of a file are often its footer. */
const LEAST_ABOVE_FOOTER = 20;

/** Samples by which a column is taken for one of times in another layout than ISO 8601 … */
const TRIED_FIRST = 5;
/** … and those by which it is known. */
const TRIED = 5_000;

/** The type of a column, of one of times that are not in ISO 8601 their layout, and the unit beside its numbers, if they have one. */
export interface FoundType {
  readonly type: ColumnType;
  readonly timeFormat: string | null;
  readonly unit: string;
}

/** What one text is: the type that it has alone, or that it is a code, of which no sign may be lost. */
type ValueKind = 'integer' | 'number' | 'boolean' | 'time' | 'code' | 'text';

/**
 * The type that every value fits; null markers fit all. In a column of numbers some values that are none do not count, because the import rejects
 * their rows and says so: up to three, if they are no more than one in a hundred or stand at the very end below twenty others. Codes are
 * never passed over: with a leading zero, a dialling code, a whole number beyond 2^53, which answers could not tell exactly, or all of one length
 * in groups, as of telephone numbers.
 */
export function typeOf(values: readonly string[], decimal: DecimalSign, unit = unitOf(values, decimal)): ColumnType {
  const tally = new Tally(decimal, unit);
  for (const value of values) tally.add(value.trim());
  return tally.type();
}

/** The type of a column, whose times may have another layout than ISO 8601. */
export function foundTypeOf(values: readonly string[], decimal: DecimalSign): FoundType {
  const unit = unitOf(values, decimal);
  const type = typeOf(values, decimal, unit);
  const timeFormat = type === 'text' ? timeFormatOf(values) : null;
  return { type: timeFormat === null ? type : 'time', timeFormat, unit };
}

/** The unit that stands beside numbers of a column; empty without one, and when there are several: such numbers make no sum. */
export function unitOf(values: readonly string[], decimal: DecimalSign): string {
  const units = new Set<string>();
  for (const value of values) {
    const text = value.trim();
    const unit = unitBeside(text);
    if (unit !== '' && kindOf(text, decimal, unit) !== 'text') units.add(unit);
  }
  const [unit = '', ...others] = units;
  return others.length === 0 ? unit : '';
}

/**
 * The layout that all values have; null when it is none, or day and month can't be told apart. The year has four digits: `1.10.12` is as often a
 * version or a chapter.
 */
function timeFormatOf(values: readonly string[]): string | null {
  const texts = values.map((value) => value.trim()).filter((value) => !isNullMarker(value));
  if (detectTimeFormats(texts.slice(0, TRIED_FIRST)).best === null) return null;
  const { best, ambiguous } = detectTimeFormats(texts.slice(0, TRIED));
  return ambiguous.length === 0 && best?.includes('yyyy') === true ? best : null;
}

/** The kind of one trimmed text that is no null marker, in a column whose numbers may have a unit. */
export function kindOf(text: string, decimal: DecimalSign, unit = ''): ValueKind {
  if (DIGIT.test(text)) {
    const number = text.length > 60 ? null : plainNumber(text, decimal, unit);
    if (number !== null) return numberKind(text, number);
    return timeLayoutOf(text) === null ? 'text' : 'time';
  }
  return BOOLEAN.test(text) ? 'boolean' : 'text';
}

function numberKind(text: string, number: string): ValueKind {
  if (LEADING_ZERO.test(number) || DIALLED.test(number)) return 'code';
  if (!WHOLE.test(number)) return LONG_EXPONENT.test(number) ? 'text' : 'number';
  return Number.isSafeInteger(Number(number)) ? 'integer' : 'code';
}

class Tally {
  private readonly counts: Record<ValueKind, number> = { integer: 0, number: 0, boolean: 0, time: 0, code: 0, text: 0 };
  private readonly timeLayouts = new Set<string>();
  private readonly groupedLengths = new Set<number>();
  private grouped = 0;
  private present = 0;
  /** Where the first value stands that is no number. */
  private firstOdd = Number.POSITIVE_INFINITY;

  constructor(
    private readonly decimal: DecimalSign,
    private readonly unit: string,
  ) {}

  add(value: string): void {
    if (isNullMarker(value)) return;
    this.present++;
    const kind = kindOf(value, this.decimal, this.unit);
    this.counts[kind]++;
    if (kind === 'time') this.timeLayouts.add(timeLayoutOf(value) ?? '');
    if (kind !== 'integer' && kind !== 'number') this.firstOdd = Math.min(this.firstOdd, this.present);
    else if (GROUPED_BY_BLANK.test(value)) {
      this.grouped++;
      this.groupedLengths.add(value.replace(/\D/g, '').length);
    }
  }

  type(): ColumnType {
    const { integer, number, boolean, time, code } = this.counts;
    if (this.present === 0 || code > 0) return 'text';
    if (this.areNumbers(integer + number)) return number > 0 ? 'number' : 'integer';
    if (boolean === this.present) return 'boolean';
    return time === this.present && this.timeLayouts.size === 1 ? 'time' : 'text';
  }

  private areNumbers(numbers: number): boolean {
    if (numbers === 0 || this.areDialled(numbers)) return false;
    const odd = this.present - numbers;
    if (odd === 0) return true;
    if (odd > MOST_ODD) return false;
    const isFooter = this.firstOdd > this.present - odd && numbers >= LEAST_ABOVE_FOOTER;
    return isFooter || odd <= this.present * ODD_SHARE;
  }

  private areDialled(numbers: number): boolean {
    const [length = 0, ...others] = this.groupedLengths;
    return this.grouped === numbers && numbers >= 3 && others.length === 0 && length >= 7;
  }
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
 * numbers like `1,234` are found, the comma parts groups, except between semicolons, which are used where the comma is the decimal sign. Where nothing tells, it is the usual one.
 */
export function decimalOf(
  rows: readonly Row[],
  columns: number,
  delimiter: string,
  usual: DecimalSign = '.',
): DecimalSign {
  const votes = { ',': 0, '.': 0, either: 0 };
  for (let column = 0; column < columns; column++) {
    const vote = voteOf(rows, column);
    if (vote !== null) votes[vote]++;
  }
  if (votes[','] !== votes['.']) return votes[','] > votes['.'] ? ',' : '.';
  return votes.either > 0 && delimiter === ';' && votes['.'] === 0 ? ',' : usual;
}

function voteOf(rows: readonly Row[], column: number): DecimalSign | 'either' | null {
  const cells = rows.map((row) => (row[column] ?? '').trim()).filter((cell) => !isNullMarker(cell));
  const counts = { comma: 0, point: 0, either: 0, none: 0, word: 0 };
  for (const cell of cells) counts[signOf(withoutUnit(cell, unitBeside(cell)))]++;
  if (cells.length === 0 || counts.word > cells.length * SHARE_OF_WORDS) return null;
  if (counts.comma !== counts.point) return counts.comma > counts.point ? ',' : '.';
  return counts.either > 0 ? 'either' : null;
}

function signOf(cell: string): 'comma' | 'point' | 'either' | 'none' | 'word' {
  if (cell.length > LONGEST_NUMBER || !/\d/.test(cell)) return 'word';
  if (ONLY[','].test(cell)) return 'comma';
  if (ONLY['.'].test(cell)) return 'point';
  if (EITHER.test(cell)) return cell.includes(',') ? 'either' : 'none';
  return WITHOUT_SIGN.test(cell) ? 'none' : 'word';
}
