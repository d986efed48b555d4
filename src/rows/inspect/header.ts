import { visibleNames } from '../../plan/visible-names.js';
import { type ColumnType, isNumeric } from '../../ports/table.js';
import { isNullMarker } from '../../shared/null-markers.js';
import type { DecimalSign } from '../../shared/number-notation.js';
import type { Row } from './records.js';
import { kindOf, typeOf, unitOf } from './types.js';

const LOOKED_AT_ROWS = 500;
/** Of wide tables fewer rows tell as much. */
const LOOKED_AT_CELLS = 100_000;
/** Rows of a header at most: titles of groups, names, units. */
const MOST_HEADER_ROWS = 4;

/** A column as it is below the rows that may be its header. */
interface ColumnBelow {
  readonly type: ColumnType;
  readonly unit: string;
  readonly values: ReadonlySet<string>;
  readonly hasYears: boolean;
}

/** What the rows below tell about rows that may name the columns. */
export class HeaderJudge {
  private readonly columns: readonly ColumnBelow[];

  constructor(
    body: readonly Row[],
    width: number,
    private readonly decimal: DecimalSign,
  ) {
    const looked = body.slice(0, Math.min(LOOKED_AT_ROWS, Math.ceil(LOOKED_AT_CELLS / width)));
    this.columns = Array.from({ length: width }, (_, column) => {
      const values = looked.map((row) => row[column] ?? '');
      const unit = unitOf(values, decimal);
      return { type: typeOf(values, decimal, unit), unit, values: new Set(values), hasYears: values.some(isYear) };
    });
  }

  /**
   * Each column votes: for a header when the cell is no value of the type that all others are, against it when it is one, or is found again below.
   */
  votes(row: Row): number {
    return row.reduce((total, cell, column) => total + this.vote(cell, this.columns[column]), 0);
  }

  private vote(cell: string, below: ColumnBelow | undefined): number {
    if (below === undefined || isNullMarker(cell)) return 0;
    if (below.type === 'text') return below.values.has(cell) ? -0.5 : 0;
    const kind = kindOf(cell.trim(), this.decimal, below.unit);
    const isOther = kind === 'text' || (kind === 'time' && isNumeric(below.type));
    return isOther || (isYear(cell) && !below.hasYears) ? 1 : -1;
  }

  /** Units, or names of types, below the names: no value stands in the row, and at least one unit that is known is of a column of numbers. */
  isUnits(row: Row): boolean {
    const hasUnit = row.some((cell, column) => this.columns[column]?.type !== 'text' && isUnit(cell));
    return hasUnit && row.every((cell, column) => this.canBeUnit(cell.trim(), this.columns[column]));
  }

  /** A text like `x` or `Ada` in a column of texts is a value, and not a unit; above numbers or times a short one is as `1/min`, which nobody lists. */
  private canBeUnit(cell: string, below: ColumnBelow | undefined): boolean {
    if (cell === '' || cell === '-') return true;
    if (below === undefined || below.type === 'text') return IN_BRACKETS.test(cell) || TYPE_NAME.test(cell);
    return isUnit(cell) || (cell.length <= LONGEST_UNIT && !isValue(cell, this.decimal, below.unit));
  }

  /** Columns whose values tell a name from them. */
  get typed(): number {
    return this.columns.filter(({ type }) => type !== 'text').length;
  }

  isValueRow(row: Row): boolean {
    return row.some((cell, column) => isValue(cell, this.decimal, this.columns[column]?.unit) && !isYear(cell));
  }
}

/** The first rows of a table that name its columns. */
export interface Header {
  readonly rows: number;
  /** The first of them, that are titles of groups of columns. */
  readonly groups: number;
}

const NONE: Header = { rows: 0, groups: 0 };
const ONE: Header = { rows: 1, groups: 0 };

/**
 * How many of the first rows name the columns: one, more when titles of groups stand above the names or units below them, or none. Without a typed
 * column nothing tells whether there is a second one, so that no row of texts is lost.
 */
export function headerOf(rows: readonly Row[], width: number, decimal: DecimalSign): Header {
  for (let count = Math.min(MOST_HEADER_ROWS, rows.length - 1); count > 1; count--) {
    const judge = new HeaderJudge(rows.slice(count), width, decimal);
    const header = severalRows(rows.slice(0, count), judge);
    if (header !== null) return header;
  }
  return hasHeader(rows, width, decimal) ? ONE : NONE;
}

/** Rows like the first one, as files that were joined have them, say nothing about it, if the others have types. */
export function judgeBelow(first: Row, body: readonly Row[], width: number, decimal: DecimalSign): HeaderJudge {
  const others = body.filter((row) => !isSameRow(row, first));
  const judge = new HeaderJudge(others, width, decimal);
  return judge.typed > 0 || others.length === body.length ? judge : new HeaderJudge(body, width, decimal);
}

export function isSameRow(one: Row, other: Row): boolean {
  return one.length === other.length && one.every((cell, column) => cell === other[column]);
}

/** Whether the first row names the columns. Without a vote it does, unless a cell of it is a value that no name is. */
function hasHeader([first = [], ...body]: readonly Row[], width: number, decimal: DecimalSign): boolean {
  const judge = judgeBelow(first, body, width, decimal);
  const sum = body.length === 0 ? 0 : judge.votes(first);
  return sum === 0 ? !judge.isValueRow(first) : sum > 0;
}

/** Some titles of groups, the names, and perhaps units. */
function severalRows(rows: readonly Row[], judge: HeaderJudge): Header | null {
  if (judge.typed === 0) return null;
  const hasUnits = endsInUnits(rows, judge);
  const named = hasUnits ? rows.slice(0, -1) : rows;
  const groups = named.slice(0, -1);
  const isHeader = isNames(named.at(-1) ?? [], judge) && groups.every((row) => isGroups(row, judge));
  return isHeader ? { rows: rows.length, groups: groups.length } : null;
}

/** Nothing that has no name has a unit. */
function endsInUnits(rows: readonly Row[], judge: HeaderJudge): boolean {
  const [names = [], units = []] = rows.slice(-2);
  return judge.isUnits(units) && units.every((cell, column) => cell.trim() === '' || names[column]?.trim() !== '');
}

function isNames(row: Row, judge: HeaderJudge): boolean {
  const present = row.filter((cell) => cell.trim() !== '');
  return judge.votes(row) > 0 && present.length * 2 >= row.length;
}

/** Titles leave cells empty, or are repeated, over the columns that they are about. One in the first cells alone is the title of the table. */
function isGroups(row: Row, judge: HeaderJudge): boolean {
  const present = row.filter((cell) => cell.trim() !== '');
  if (present.length === 0 || judge.isValueRow(row)) return false;
  const last = row.findLastIndex((cell) => cell.trim() !== '');
  return last >= present.length || new Set(present).size < present.length;
}

const LONGEST_UNIT = 12;
const IN_BRACKETS = /^[[({<].{1,12}[\])}>]$/;
const TYPE_NAME =
  /^(?:int(?:eger|32|64)?|float(?:32|64)?|double|decimal|string|text|number|numeric|date|datetime|timestamp|bool(?:ean)?|varchar|char)$/i;
const SYMBOL = /^(?:[%‰°€$£¥]|°\w|[µμ]\w{1,3})$/;
const KNOWN =
  '[cdkmnµ]?m[²³23]?|km2|ha|[mnu]?s|sec|min|hr?s?|hours?|d|days?|years?|[km]?g|t|lbs?|oz|ft|in|mi|[cdm]?l|[kmg]?w|[kmg]?wh|[km]?va|k?v|m?a|[kmg]?hz|[hkm]?pa|m?bar|psi|k|c|f|deg|rad|k?n|k?j|ppm|ppb|ph|db|rpm|lux|lx|mol|eur|usd|gbp|chf|jpy|pcs|pieces?|people|persons?|units?|count|n';
const UNIT = new RegExp(`^(?:${KNOWN})(?:/(?:${KNOWN}))?$`, 'i');

function isUnit(cell: string): boolean {
  const text = cell.trim();
  return SYMBOL.test(text) || UNIT.test(text) || IN_BRACKETS.test(text) || TYPE_NAME.test(text);
}

function isValue(cell: string, decimal: DecimalSign, unit?: string): boolean {
  return !isNullMarker(cell) && kindOf(cell.trim(), decimal, unit) !== 'text';
}

/** Years are names of columns, too. */
function isYear(cell: string): boolean {
  return /^(?:19|20)\d\d$/.test(cell.trim());
}

/** Longest name of a column, in characters. */
const LONGEST_NAME = 1000;

/**
 * Names for all columns as they stand in the header, none empty and all different, in upper and lower case too: one that is missing is called
 * after its place. They may hold any character but NUL.
 */
export function columnNames(header: readonly string[], count: number): readonly string[] {
  return visibleNames(
    Array.from({ length: count }, (_, index) => cleanName(header[index] ?? '') || `column${index + 1}`),
  );
}

/** The names of several rows as one, parted by blanks. The titles of the first `groups` rows are carried to the right over empty cells. */
export function joinedHeader(rows: readonly Row[], groups: number): Row {
  const [only = []] = rows;
  if (rows.length < 2) return only;
  const width = Math.max(...rows.map((row) => row.length));
  const carried = rows.map((row, index) => (index < groups ? carriedRight(row, width) : row));
  return Array.from({ length: width }, (_, column) => {
    const parts = carried.map((row) => (row[column] ?? '').trim());
    // Cells that are merged over several rows have one name in each.
    return parts.filter((part, index) => part !== '' && part !== parts[index - 1]).join(' ');
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

/** Without the blanks around it, of which a byte order mark is one; never cut in the middle of a character. */
function cleanName(text: string): string {
  const name = text.replaceAll('\u0000', '').toWellFormed().trim();
  if (name.length <= LONGEST_NAME) return name;
  return Array.from(name).slice(0, LONGEST_NAME).join('').trim();
}
