import { Injectable } from '@nestjs/common';
import type { UnpackedFile } from '../../../ports/archive-reader.js';
import { CsvInspector } from '../../../ports/csv-inspector.js';
import { AppError, isAppError } from '../../../shared/app-error.js';
import { describedFile, emptyFile, hasRows, withFewerSamples, type DescribedFile } from './described-file.js';
import { UploadFiles, type UploadedFile } from './upload-files.js';

const DESCRIBE_MS = 45_000;
/** Of all files of an archive together; a file always keeps some. */
const MOST_SAMPLES = 1000;
const LEAST_SAMPLES = 5;
/** A longer cell is neither a time nor a number. */
const CELL_LENGTH = 200;

const MOST_COLUMNS = 2000;
/** Headers are kept with the datasource and shown with it: characters of all files together. */
const LONGEST_HEADERS = 2 * 1024 ** 2;
/** What a column takes besides its name. */
const PER_COLUMN = 16;

/** Counts the columns of an archive's files as they become known. */
class HeaderBudget {
  private readonly different = new Set<string>();
  private length = 0;

  /** @throws AppError `invalid_input` when the files have too many columns for one table, or headers beyond all measure. */
  add(columns: readonly string[]): void {
    for (const name of columns) {
      this.different.add(name.toLowerCase());
      this.length += name.length + PER_COLUMN;
    }
    if (this.different.size > MOST_COLUMNS) {
      throw new AppError('invalid_input', `the files of the archive have more than ${MOST_COLUMNS} columns together`);
    }
    if (this.length > LONGEST_HEADERS) {
      throw new AppError('invalid_input', 'the headers of the files of the archive are too long together');
    }
  }
}

/** Says what is in uploads, as far as it takes to choose how they are to be read. */
@Injectable()
export class UploadInspector {
  constructor(
    private readonly files: UploadFiles,
    private readonly inspector: CsvInspector,
  ) {}

  /**
   * The CSV files of an upload, in archive order. At least one has rows.
   *
   * @throws AppError `invalid_input` naming the file of the archive that can't be used, and why.
   */
  async describe(upload: UploadedFile): Promise<readonly DescribedFile[]> {
    const limit = AbortSignal.timeout(DESCRIBE_MS);
    try {
      await using opened = await this.files.open(upload, 'a part', { signal: limit });
      return opened.isArchive
        ? await this.describeArchive(opened.files, limit)
        : await this.describeAlone(opened.files);
    } catch (error) {
      if (!limit.aborted) throw error;
      throw new AppError('invalid_input', 'the archive holds too much to look into; upload it in parts', {
        cause: error,
      });
    }
  }

  /** One file of an archive, whole or its first lines. @throws AppError `invalid_input` that names it. */
  async describeEntry(file: UnpackedFile): Promise<DescribedFile> {
    if (file.size === 0) return emptyFile(file);
    const described = await this.described(file).catch((error: unknown) => {
      throw isAppError(error, 'invalid_input') ? unusableEntry(file.name, error.message, error) : error;
    });
    if (hasRows(described) || file.isWhole) return described;
    throw unusableEntry(file.name, 'its first row is too long');
  }

  private async describeAlone([file]: readonly UnpackedFile[]): Promise<readonly DescribedFile[]> {
    if (file === undefined) return [];
    const described = await this.described(file);
    if (hasRows(described)) return [described];
    throw new AppError('invalid_input', 'the file has a header but no rows');
  }

  private async describeArchive(files: readonly UnpackedFile[], limit: AbortSignal): Promise<readonly DescribedFile[]> {
    const rows = Math.max(LEAST_SAMPLES, Math.floor(MOST_SAMPLES / files.length));
    const headers = new HeaderBudget();
    const described: DescribedFile[] = [];
    for (const file of files) {
      limit.throwIfAborted();
      const isAlternative = file.workbook !== undefined && files.length > 1;
      const whole = isAlternative ? await this.describeSheet(file) : await this.describeEntry(file);
      if (!isAlternative) headers.add(whole.columns);
      // Only the first row of all is shown.
      const sample = described.some(hasRows) ? [] : whole.sample;
      described.push(withFewerSamples({ ...whole, sample }, rows, CELL_LENGTH));
    }
    if (!described.some(hasRows)) throw nothingIn(described);
    return described;
  }

  /** A workbook may have sheets that are no tables. */
  private async describeSheet(file: UnpackedFile): Promise<DescribedFile> {
    try {
      return await this.describeEntry(file);
    } catch (error) {
      if (isAppError(error, 'invalid_input')) return emptyFile(file);
      throw error;
    }
  }

  private async described(file: UnpackedFile): Promise<DescribedFile> {
    return describedFile(file.name, file.size, await this.inspector.describe(file.path, file.written), file);
  }
}

function unusableEntry(name: string, problem: string, cause?: unknown): AppError {
  return new AppError('invalid_input', `a file of the archive can't be used: ${problem} (${name})`, {
    details: [{ field: name, problem }],
    cause,
  });
}

function nothingIn(files: readonly DescribedFile[]): AppError {
  const details = files.map(({ name, columns }) => ({
    field: name,
    problem: columns.length === 0 ? 'the file is empty' : 'the file has a header but no rows',
  }));
  const [first] = details;
  return new AppError(
    'invalid_input',
    `no file of the archive has rows: ${first?.problem ?? 'it is empty'} (${first?.field ?? ''})`,
    { details },
  );
}
