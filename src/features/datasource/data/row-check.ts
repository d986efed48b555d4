import type { TypedRow } from '../../../ports/row-engine.js';
import type { Cell, ColumnProfile, TableProfile } from '../../../ports/table.js';
import { isNullMarker } from '../../../shared/null-markers.js';
import { type DecimalSign, plainNumber } from '../../../shared/number-notation.js';
import { tame } from '../../../shared/tame.js';
import { parseLayout, parseTime, type TimeLayout } from '../../../shared/time-format/time-format.js';
import { type Datasource, decimalOf, timeFormatsOf, unitsOf } from '../datasource.types.js';
import { isoTime } from './time-range.js';

/** A row as it was sent: anything may stand in it. */
export type SentRow = Readonly<Record<string, unknown>>;

/** What a row of a datasource must be like. */
export interface RowRules {
  readonly profile: TableProfile;
  readonly timeFormat: string;
  /** Null: every row gets `now`. */
  readonly layout: TimeLayout | null;
  readonly now: Date;
  /** Older rows have outlived the lifespan. */
  readonly visibleFrom: Date | null;
  readonly decimal: DecimalSign;
  /** Of columns of times that are not in ISO 8601. */
  readonly layouts: ReadonlyMap<string, TimeLayout>;
  /** Of columns whose numbers may have one beside them. */
  readonly units?: ReadonlyMap<string, string> | undefined;
}

export type CheckedRow =
  | { readonly fits: true; readonly row: TypedRow; readonly meta: string; readonly wider: boolean }
  | { readonly fits: false; readonly reason: string };

/** A value as its column stores it. */
export interface CheckedCell {
  readonly cell: Cell | Date;
  /** A number that whole numbers are not. */
  readonly wider: boolean;
}

/** How a column's values are written beside the ways that all columns know. */
export interface CellStyle {
  readonly decimal: DecimalSign;
  readonly layout: TimeLayout | undefined;
  readonly unit?: string | undefined;
}

/** Why a row is none; `checkRow` tells it. */
export class Misfit extends Error {
  constructor(column: string, problem: string, text?: string) {
    super(`"${tame(column, LONGEST_SHOWN)}" ${problem}${text === undefined ? '' : `: "${tame(text, LONGEST_SHOWN)}"`}`);
  }
}

const LONGEST_SHOWN = 60;
/** Beyond these years a time can't be written with four digits. */
const FIRST_YEAR = 1;
const LAST_YEAR = 9999;
const WHOLE_NUMBER = /^([+-]?\d+)(?:\.0*)?$/;
/** Up to here a number with a fraction holds whole numbers exactly. */
const EXACT = 2 ** 53;
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ...['true', 't', 'yes', 'y', '1'].map((word) => [word, true] as const),
  ...['false', 'f', 'no', 'n', '0'].map((word) => [word, false] as const),
]);

export function rowRules(
  { config, sources }: Datasource,
  profile: TableProfile,
  { now, visibleFrom }: Pick<RowRules, 'now' | 'visibleFrom'>,
): RowRules {
  return {
    profile,
    timeFormat: config.timeFormat,
    layout: config.isTimeseries ? parseLayout(config.timeFormat) : null,
    now,
    visibleFrom,
    layouts: new Map(timeFormatsOf(sources).map(([column, format]) => [column, parseLayout(format)])),
    units: unitsOf(sources),
    decimal: decimalOf(sources),
  };
}

/** A row as the table stores it, or the first reason why it is none. Fields that are no columns are ignored. */
export function checkRow(sent: SentRow, rules: RowRules): CheckedRow {
  try {
    return { fits: true, ...typedRow(sent, rules) };
  } catch (error) {
    if (error instanceof Misfit) return { fits: false, reason: error.message };
    throw error;
  }
}

function typedRow(sent: SentRow, rules: RowRules): Pick<CheckedRow & { fits: true }, 'row' | 'meta' | 'wider'> {
  const { profile, decimal, layouts, units } = rules;
  const { timeField, metaField, columns } = profile;
  const time = timeOf(sent, rules);
  const meta = metaOf(sent, metaField);
  let wider = false;
  const cells = columns.flatMap((column): (readonly [string, Cell | Date])[] => {
    const { name } = column;
    if (name === timeField || name === metaField) return [];
    const given = scalarOf(sent, name);
    const style = { decimal, layout: layouts.get(name), unit: units?.get(name) };
    const checked = given === null ? NOTHING : checkCell(column, given, style);
    wider ||= checked.wider;
    return [[name, checked.cell]];
  });
  // Not by assignment: a column may have a name that does something when it is assigned to.
  const row = Object.fromEntries<Cell | Date>([[timeField, time], [metaField, meta], ...cells]);
  return { row, meta, wider };
}

function timeOf(sent: SentRow, { profile: { timeField }, layout, timeFormat, now, visibleFrom }: RowRules): Date {
  if (layout === null) return now;
  const text = String(scalarOf(sent, timeField) ?? '');
  if (isNullMarker(text)) throw new Misfit(timeField, 'is missing');
  const time = parseTime(layout, text);
  if (time === null || !isStorable(time)) {
    throw new Misfit(timeField, `does not match the timeformat ${timeFormat}`, text);
  }
  if (visibleFrom !== null && time < visibleFrom) {
    throw new Misfit(timeField, 'is older than the lifespan of the datasource', text);
  }
  return time;
}

function isStorable(time: Date): boolean {
  const year = time.getUTCFullYear();
  return year >= FIRST_YEAR && year <= LAST_YEAR;
}

function metaOf(sent: SentRow, metaField: string): string {
  const given = scalarOf(sent, metaField);
  if (given === null || given === '') throw new Misfit(metaField, 'is missing');
  return String(given).toWellFormed();
}

/** A column may have a name that every object knows, so only what was sent counts. */
function scalarOf(sent: SentRow, name: string): string | number | boolean | null {
  const value: unknown = Object.hasOwn(sent, name) ? sent[name] : null;
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    return value;
  }
  throw new Misfit(name, 'must be a text, a number, true, false or null');
}

const NOTHING: CheckedCell = { cell: null, wider: false };

/** Reads a value as a column stores it, by the rules that an imported file is read by. @throws Misfit */
export function checkCell(column: ColumnProfile, given: string | number | boolean, style: CellStyle): CheckedCell {
  const text = String(given);
  if (column.type === 'text') return text === '' ? NOTHING : { cell: text, wider: false };
  if (isNullMarker(text)) return NOTHING;
  switch (column.type) {
    case 'number':
    case 'integer':
      // A number of JSON has a point, whatever the file had.
      return numberCell(column, text, typeof given === 'number' ? { ...style, decimal: '.' } : style);
    case 'boolean':
      return { cell: booleanOf(column, text), wider: false };
    case 'time':
      return { cell: momentOf(column, text, style.layout), wider: false };
  }
}

function numberCell(column: ColumnProfile, text: string, { decimal, unit }: CellStyle): CheckedCell {
  const plain = plainNumber(text, decimal, unit);
  const value = plain === null ? Number.NaN : Number(plain);
  if (plain === null || !Number.isFinite(value)) {
    throw new Misfit(column.name, decimal === '.' ? 'is not a number' : 'is not a number with a decimal comma', text);
  }
  if (column.type === 'number') return { cell: value, wider: false };
  const whole = Number.isSafeInteger(value) ? value : wholeText(plain);
  if (whole === null && isLong(column)) throw new Misfit(column.name, 'is not a whole number', text);
  return { cell: whole ?? value, wider: whole === null };
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

function booleanOf({ name }: ColumnProfile, text: string): boolean {
  const value = BOOLEANS.get(text.trim().toLowerCase());
  if (value === undefined) throw new Misfit(name, 'is neither true nor false', text);
  return value;
}

function momentOf({ name }: ColumnProfile, text: string, layout: TimeLayout | undefined): Date {
  const moment = isoTime(text.trim()) ?? (layout === undefined ? null : parseTime(layout, text.trim()));
  if (moment !== null) return moment;
  throw new Misfit(name, layout === undefined ? 'is not a time in ISO 8601' : 'is not a time as in the file', text);
}
