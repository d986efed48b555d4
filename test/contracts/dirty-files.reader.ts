import { readFile } from 'node:fs/promises';
import { describeCsv } from '../../src/rows/inspect/inspect-csv.js';
import { decoded } from '../../src/rows/inspect/encoding.js';
import { linesOf, splitText } from '../../src/rows/inspect/records.js';
import type { CsvDescription } from '../../src/ports/csv-inspector.js';

/** What a reader that does as the description says gets out of a file. */
export interface ReadTable {
  readonly description: CsvDescription;
  readonly rows: readonly (readonly string[])[];
  readonly rejectedLines: readonly number[];
}

/** Reads a small file whole as it is described: rows of another length, and lines whose quotes make no sense, are rejected. */
export async function readAsDescribed(path: string): Promise<ReadTable> {
  const description = await describeCsv(path);
  const { dialect, columns } = description;
  const { rows, faults } = splitText(linesOf(decoded(await readFile(path), dialect.encoding)), dialect);
  const table = rows.filter(({ line }) => line > dialect.preambleLines).slice(dialect.headerRows);
  const fits = (length: number): boolean => length >= dialect.fewestFields && length <= columns.length;
  const misfits = table.filter(({ cells }) => !fits(cells.length)).map(({ line }) => line);
  const rejected = [...misfits, ...faults.filter((line) => line > dialect.preambleLines)];
  return {
    description,
    rows: table
      .filter(({ cells }) => fits(cells.length))
      .map(({ cells }) => columns.map((_, index) => cells[index] ?? '')),
    rejectedLines: rejected.sort((one, other) => one - other),
  };
}
