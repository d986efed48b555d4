import type { CsvDialect } from '../../src/ports/csv-inspector.js';
import type { ColumnType } from '../../src/ports/table.js';
import type { DirtyFile, ExpectedTable } from './dirty-files.writer.js';

export interface TypedDirtyFile extends DirtyFile {
  readonly expected: ExpectedTable & { readonly types: readonly ColumnType[] };
}

export interface Wanted {
  readonly columns: readonly string[];
  readonly types: readonly ColumnType[];
  readonly dialect?: Partial<CsvDialect>;
  readonly rejectedLines?: readonly number[];
}

export type Cells = readonly string[];

/** Rows made by number. */
export function repeated(count: number, cells: (index: number) => Cells): readonly Cells[] {
  return Array.from({ length: count }, (_, index) => cells(index));
}

/** A file of which the types are known, too. */
export function file(name: string, content: string | Buffer, rows: readonly Cells[], wanted: Wanted): TypedDirtyFile {
  const { columns, types, dialect = {}, rejectedLines = [] } = wanted;
  return {
    ...{ name, pollution: 'second', content: Buffer.from(content) },
    expected: { columns, rows, rejectedLines, dialect, types },
  };
}

export function lined(rows: readonly Cells[], delimiter: string, end = '\n'): string {
  return rows.map((cells) => cells.join(delimiter) + end).join('');
}
