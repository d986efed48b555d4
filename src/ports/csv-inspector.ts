import type { DecimalSign } from '../shared/number-notation.js';
import type { ColumnType } from './table.js';

/** How a CSV file is written. */
export interface CsvDialect {
  /** What parts the fields: one to four bytes in UTF-8; when there is one column a comma, or a sign that no field holds. */
  readonly delimiter: string;
  /** What fields may be wrapped in; empty: nothing. */
  readonly quote: string;
  /**
   * What stands before a quote, or before itself, inside a quoted field: the quote itself, or another character such as the backslash. A doubled quote
   * is one in any case. Empty without quotes.
   */
  readonly escape: string;
  /** A name that iconv knows: `utf-8`, `utf-16le`, `utf-16be`, `iso-8859-1`, `windows-1252` … */
  readonly encoding: string;
  /** Physical lines before the header, or before the first row when there is none: titles, remarks. */
  readonly preambleLines: number;
  /** Rows that name the columns: 0, 1 or, under group titles, more. */
  readonly headerRows: number;
  /** The least fields that a row may have; missing ones at its end are empty. The number of columns, unless nearly all rows are shorter. */
  readonly fewestFields: number;
  /** Blanks and tabs around fields, and around the quotes of fields, are not part of them. */
  readonly trims: boolean;
  readonly decimal: DecimalSign;
  /** By column, the currency or percent sign that may stand beside its numbers; empty: none. Not there: no column has one. */
  readonly units?: readonly string[] | undefined;
  readonly footer?: CsvFooter | undefined;
}

/** By what rows are known that sum up the rows above them, and are none. */
export interface CsvFooter {
  /** The place of a column, from 0. */
  readonly column: number;
  /** What stands in it. */
  readonly labels: readonly string[];
}

/** A UTF-8 file of commas, quotation marks and one header row. */
export function plainDialect(columns: number): CsvDialect {
  return {
    ...{ delimiter: ',', quote: '"', escape: '"', encoding: 'utf-8', decimal: '.' },
    ...{ preambleLines: 0, headerRows: 1, fewestFields: columns, trims: false },
  };
}

/** What a look at the start (and, for types, samples of the middle and the end) of a CSV file tells. */
export interface CsvDescription {
  readonly dialect: CsvDialect;
  /** Names in file order, all different and none empty; without a header `column1`, `column2` … */
  readonly columns: readonly string[];
  readonly types: readonly ColumnType[];
  /** By column, the layout of its times in Unicode tokens; null: ISO 8601, or no times. */
  readonly timeFormats: readonly (string | null)[];
  /** The first data row, as text. Empty when the file has a header and nothing else. */
  readonly sample: readonly string[];
  /** Up to 1,000 data rows as text, from the start, the middle and the end. */
  readonly samples: readonly (readonly string[])[];
  readonly size: number;
}

/** What is known of a CSV file that was made from typed values: commas, quotation marks, UTF-8, decimal points. */
export interface WrittenCsv {
  /** Its first line has the names of the columns; else it is a sheet, in which the table has to be found. */
  readonly isTable: boolean;
  /** By place, the types of columns; null: as the texts tell. */
  readonly types: readonly (ColumnType | null)[];
}

/** Reads how a CSV file is written, outside the API process, within a second whatever the file's size. */
export abstract class CsvInspector {
  /**
   * Numbers that can be read either way have `usualDecimal` before their fraction.
   *
   * @throws AppError `invalid_input` with a sentence that says why the file can't be used (empty, binary, no delimiter …).
   */
  abstract describe(path: string, written?: WrittenCsv, usualDecimal?: DecimalSign): Promise<CsvDescription>;
}
