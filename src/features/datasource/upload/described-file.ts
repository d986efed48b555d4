import type { UnpackedFile } from '../../../ports/archive-reader.js';
import { plainDialect, type CsvDescription } from '../../../ports/csv-inspector.js';
import { AppError } from '../../../shared/app-error.js';
import { isNullMarker } from '../../../shared/null-markers.js';

/** What is known of one CSV file of an upload. */
export interface DescribedFile extends CsvDescription {
  /** Its original name; in an archive its path there. */
  readonly name: string;
  /** Bytes of the whole file. */
  readonly size: number;
  /** By column, whether any value was seen: the type of one without tells nothing. */
  readonly known: readonly boolean[];
  /** The workbook that it is a sheet of: one sheet of it is taken. */
  readonly workbook: string | undefined;
}

export function hasRows({ samples }: Pick<DescribedFile, 'samples'>): boolean {
  return samples.length > 0;
}

export function describedFile(
  name: string,
  size: number,
  description: CsvDescription,
  { workbook, written }: Pick<UnpackedFile, 'workbook' | 'written'> = {},
): DescribedFile {
  const { columns, samples } = description;
  const isTyped = (index: number): boolean => (written?.types[index] ?? null) !== null;
  const known = columns.map((_, index) => isTyped(index) || samples.some((row) => !isNullMarker(row[index] ?? '')));
  return { ...description, name, size, known, workbook };
}

/** A file without a byte, or a sheet without a table: no columns and no rows. */
export function emptyFile({ name, workbook }: UnpackedFile): DescribedFile {
  const nothing = { columns: [], types: [], timeFormats: [], known: [], sample: [], samples: [] };
  return { ...nothing, name, workbook, size: 0, dialect: plainDialect(0) };
}

/**
 * The files that become a datasource: those that were chosen, else all, and of a workbook the first sheet with a table.
 *
 * @throws AppError `invalid_input` when one was chosen that is not there or has no rows.
 */
export function chosenFiles(files: readonly DescribedFile[], names: readonly string[]): readonly DescribedFile[] {
  const known = files.filter(hasRows).map(({ name }) => name);
  const missing = names.find((name) => !known.includes(name));
  if (missing !== undefined) {
    const some = known.slice(0, 20).join(', ');
    throw new AppError('invalid_input', `files: "${missing}" has no rows in this upload: ${some}`);
  }
  if (names.length > 0) return files.filter(({ name }) => names.includes(name));
  const firstOf = (workbook: string): DescribedFile | undefined => {
    const sheets = files.filter((file) => file.workbook === workbook && hasRows(file));
    return sheets.find(isTable) ?? sheets[0];
  };
  return files.filter((file) => file.workbook === undefined || file === firstOf(file.workbook));
}

/** More than the few words of a cover. */
function isTable({ columns, types, samples }: DescribedFile): boolean {
  return samples.length > 1 && (columns.length > 2 || types.some((type) => type !== 'text'));
}

/** With fewer and shorter samples, evenly chosen: of a thousand files all of them would fill the memory. */
export function withFewerSamples(file: DescribedFile, rows: number, cellLength: number): DescribedFile {
  const step = Math.max(1, Math.ceil(file.samples.length / rows));
  const kept = file.samples.filter((_, index) => index % step === 0);
  return { ...file, samples: kept.map((row) => row.map((cell) => cell.slice(0, cellLength))) };
}
