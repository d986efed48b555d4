import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../../config/app-config.js';
import {
  ArchiveReader,
  type ArchiveEntry,
  type UnpackedFile,
  type UnpackedFiles,
  type UnpackOptions,
} from '../../../ports/archive-reader.js';
import { CsvInspector } from '../../../ports/csv-inspector.js';
import { ObjectStore, type ObjectKey, type StoredObject } from '../../../ports/object-store.js';
import { AppError, isAppError } from '../../../shared/app-error.js';
import type { CompanyId } from '../../../shared/ids.js';
import type { DecimalSign } from '../../../shared/number-notation.js';
import { describedFile, type DescribedFile, emptyFile, hasRows, withFewerSamples } from './described-file.js';
import type { Upload } from './upload.schema.js';

const MIB = 1024 ** 2;
/** An archive of up to this is unpacked as a whole to be described; of a larger one this much. */
const LOOKED_AT_BYTES = 256 * MIB;
/** The more files, the longer it takes to describe the same bytes. */
const MANY_FILES = 64;
const LOOKED_AT_BYTES_OF_MANY = 32 * MIB;
const HEAD_BYTES = 8 * MIB;

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

/** Names the bytes of an upload. */
export type UploadedFile = Pick<Upload, 'companyId' | 'storageKey' | 'originalName' | 'written'>;

/** The CSV files of an upload: itself, or what its archive or workbook holds. Dispose of them when done. */
export interface CsvFiles extends UnpackedFiles {
  readonly isArchive: boolean;
}

/** The bytes of uploads, and what is in them, as far as it takes to choose how they are to be read. Whether one is an archive is told by them, not by its name. */
@Injectable()
export class UploadFiles {
  constructor(
    private readonly objects: ObjectStore,
    private readonly archives: ArchiveReader,
    private readonly inspector: CsvInspector,
    private readonly config: AppConfig,
  ) {}

  write(companyId: CompanyId, storageKey: string, source: Readable): Promise<number> {
    return this.objects.write(uploadKey(companyId, storageKey), source, this.config.limits.uploadMaxBytes);
  }

  /** The whole of each file, or of an archive's as much as it takes to describe it. @throws AppError as the archive reader does. */
  async open(
    { companyId, storageKey, originalName, written }: UploadedFile,
    reads: 'all' | 'a part',
    watch: Omit<UnpackOptions, 'headBytes' | 'name'>,
  ): Promise<CsvFiles> {
    const key = uploadKey(companyId, storageKey);
    const local = await this.objects.localFile(key, reads);
    if (await this.archives.isArchive(local.path)) {
      // What was unpacked stays when the archive goes.
      await using archive = local;
      const headBytes = reads === 'all' ? null : headBytesOf(await this.archives.list(archive.path));
      const unpacked = await this.archives.unpack(archive.path, { ...watch, headBytes, name: originalName });
      return { isArchive: true, files: unpacked.files, [Symbol.asyncDispose]: () => unpacked[Symbol.asyncDispose]() };
    }
    const size = (await this.objects.stat(key))?.size ?? 0;
    const file = { name: originalName, size, path: local.path, isWhole: true, ...(written ? { written } : {}) };
    return { isArchive: false, files: [file], [Symbol.asyncDispose]: () => local[Symbol.asyncDispose]() };
  }

  /**
   * The CSV files of an upload, in archive order. At least one has rows. Numbers that can be read either way have `usualDecimal`.
   *
   * @throws AppError `invalid_input` naming the file of the archive that can't be used, and why.
   */
  async describe(upload: UploadedFile, usualDecimal?: DecimalSign): Promise<readonly DescribedFile[]> {
    const limit = AbortSignal.timeout(DESCRIBE_MS);
    try {
      await using opened = await this.open(upload, 'a part', { signal: limit });
      return opened.isArchive
        ? await this.describeArchive(opened.files, limit, usualDecimal)
        : await this.describeAlone(opened.files, usualDecimal);
    } catch (error) {
      if (!limit.aborted) throw error;
      throw new AppError('invalid_input', 'the archive holds too much to look into; upload it in parts', {
        cause: error,
      });
    }
  }

  /** One file of an archive, whole or its first lines. @throws AppError `invalid_input` that names it. */
  async describeEntry(file: UnpackedFile, usualDecimal?: DecimalSign): Promise<DescribedFile> {
    if (file.size === 0) return emptyFile(file);
    const described = await this.described(file, usualDecimal).catch((error: unknown) => {
      throw isAppError(error, 'invalid_input') ? unusableEntry(file.name, error.message, error) : error;
    });
    if (hasRows(described) || file.isWhole) return described;
    throw unusableEntry(file.name, 'its first row is too long');
  }

  /** Of all companies, for the sweeper. */
  all(): AsyncIterable<StoredObject> {
    return this.objects.list('uploads');
  }

  remove(companyId: CompanyId, storageKey: string): Promise<boolean> {
    return this.objects.remove(uploadKey(companyId, storageKey));
  }

  private async describeAlone(
    [file]: readonly UnpackedFile[],
    usualDecimal: DecimalSign | undefined,
  ): Promise<readonly DescribedFile[]> {
    if (file === undefined) return [];
    const described = await this.described(file, usualDecimal);
    if (hasRows(described)) return [described];
    throw new AppError('invalid_input', 'the file has a header but no rows');
  }

  private async describeArchive(
    files: readonly UnpackedFile[],
    limit: AbortSignal,
    usualDecimal: DecimalSign | undefined,
  ): Promise<readonly DescribedFile[]> {
    const rows = Math.max(LEAST_SAMPLES, Math.floor(MOST_SAMPLES / files.length));
    const headers = new HeaderBudget();
    const described: DescribedFile[] = [];
    for (const file of files) {
      limit.throwIfAborted();
      const isAlternative = file.workbook !== undefined && files.length > 1;
      const whole = await this.describeEntry(file, usualDecimal).catch((error: unknown) => {
        // A workbook may have sheets that are no tables.
        if (isAlternative && isAppError(error, 'invalid_input')) return emptyFile(file);
        throw error;
      });
      if (!isAlternative) headers.add(whole.columns);
      described.push(withFewerSamples({ ...whole, sample: [] }, rows, CELL_LENGTH));
    }
    if (!described.some(hasRows)) throw nothingIn(described);
    return described;
  }

  private async described(file: UnpackedFile, usualDecimal: DecimalSign | undefined): Promise<DescribedFile> {
    const description = await this.inspector.describe(file.path, file.written, usualDecimal);
    return describedFile(file.name, file.size, description, file);
  }
}

/** How much of each file of an archive is unpacked to describe it; `null`: all of it. */
export function headBytesOf(entries: readonly Pick<ArchiveEntry, 'size' | 'isConverted'>[]): number | null {
  // What is made CSV takes longer to unpack.
  if (entries.some(({ isConverted = false }) => isConverted)) return HEAD_BYTES;
  const total = entries.reduce((sum, { size }) => sum + size, 0);
  const budget = entries.length > MANY_FILES ? LOOKED_AT_BYTES_OF_MANY : LOOKED_AT_BYTES;
  return total <= budget ? null : Math.min(HEAD_BYTES, Math.floor(budget / entries.length));
}

function uploadKey(companyId: CompanyId, storageKey: string): ObjectKey {
  return { companyId, area: 'uploads', name: storageKey };
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
    `nothing in the file has rows: ${first?.problem ?? 'it is empty'} (${first?.field ?? ''})`,
    { details },
  );
}
