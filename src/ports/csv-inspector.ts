import type { ColumnType } from './table.js';

export const DELIMITERS = [',', ';', '\t', '|'] as const;
export type Delimiter = (typeof DELIMITERS)[number];

/** How a CSV file is written. */
export interface CsvDialect {
  readonly delimiter: Delimiter;
  readonly quote: '"' | "'";
  /** A name that iconv knows: `utf-8`, `utf-16le`, `utf-16be`, `iso-8859-1`, `windows-1252` … */
  readonly encoding: string;
  readonly hasHeader: boolean;
  readonly decimal: '.' | ',';
}

/** What a look at the start (and, for types, samples of the middle and the end) of a CSV file tells. */
export interface CsvDescription {
  readonly dialect: CsvDialect;
  /** Names in file order, all different and none empty; without a header `column1`, `column2` … */
  readonly columns: readonly string[];
  readonly types: readonly ColumnType[];
  /** The first data row, as text. Empty when the file has a header and nothing else. */
  readonly sample: readonly string[];
  /** Up to 1,000 data rows as text, from the start, the middle and the end. */
  readonly samples: readonly (readonly string[])[];
  readonly size: number;
}

/** Reads how a CSV file is written, outside the API process, within a second whatever the file's size. */
export abstract class CsvInspector {
  /** @throws AppError `invalid_input` with a sentence that says why the file can't be used (empty, binary, no delimiter …). */
  abstract describe(path: string): Promise<CsvDescription>;
}
