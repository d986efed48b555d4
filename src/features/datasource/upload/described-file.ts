import { plainDialect, type CsvDescription, type CsvDialect } from '../../../ports/csv-inspector.js';
import type { ColumnType } from '../../../ports/table.js';
import { isNullMarker } from '../../../shared/null-markers.js';

/** What is known of one CSV file of an upload. */
export interface DescribedFile {
  /** Its original name; in an archive its path there. */
  readonly name: string;
  /** Bytes of the whole file. */
  readonly size: number;
  readonly dialect: CsvDialect;
  readonly columns: readonly string[];
  readonly types: readonly ColumnType[];
  /** By column, whether any value was seen: the type of one without tells nothing. */
  readonly known: readonly boolean[];
  /** The first data row. */
  readonly sample: readonly string[];
  /** Rows as text from all over the file; none: it has no rows. */
  readonly samples: readonly (readonly string[])[];
}

export function hasRows({ samples }: Pick<DescribedFile, 'samples'>): boolean {
  return samples.length > 0;
}

export function describedFile(name: string, size: number, description: CsvDescription): DescribedFile {
  const { dialect, columns, types, sample, samples } = description;
  const known = columns.map((_, index) => samples.some((row) => !isNullMarker(row[index] ?? '')));
  return { name, size, dialect, columns, types, known, sample, samples };
}

/** A file without a byte: no columns and no rows. */
export function emptyFile(name: string): DescribedFile {
  return { name, size: 0, dialect: plainDialect(0), columns: [], types: [], known: [], sample: [], samples: [] };
}

/** With fewer and shorter samples, evenly chosen: of a thousand files all of them would fill the memory. */
export function withFewerSamples(file: DescribedFile, rows: number, cellLength: number): DescribedFile {
  const step = Math.max(1, Math.ceil(file.samples.length / rows));
  const kept = file.samples.filter((_, index) => index % step === 0);
  return { ...file, samples: kept.map((row) => row.map((cell) => cell.slice(0, cellLength))) };
}
