import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../../config/app-config.js';
import { ArchiveReader, type ArchiveEntry, type UnpackedFile } from '../../../ports/archive-reader.js';
import { ObjectStore, type ObjectKey, type StoredObject } from '../../../ports/object-store.js';
import type { CompanyId } from '../../../shared/ids.js';
import type { Upload } from './upload.schema.js';

const MIB = 1024 ** 2;
/** An archive of up to this is unpacked as a whole to be described; of a larger one this much. */
const LOOKED_AT_BYTES = 256 * MIB;
/** The more files, the longer it takes to describe the same bytes. */
const MANY_FILES = 64;
const LOOKED_AT_BYTES_OF_MANY = 32 * MIB;
const HEAD_BYTES = 8 * MIB;

/** Names the bytes of an upload. */
export type UploadedFile = Pick<Upload, 'companyId' | 'storageKey' | 'originalName' | 'written'>;

/** One CSV file of an upload: the upload itself, or what was unpacked of it. */
export type CsvFile = UnpackedFile;

/** The CSV files of an upload: itself, or what its archive or workbook holds. Dispose of them when done. */
export interface CsvFiles extends AsyncDisposable {
  readonly isArchive: boolean;
  /** In archive order. */
  readonly files: readonly CsvFile[];
}

export interface UnpackWatch {
  readonly signal: AbortSignal;
  /** The share of an archive that is unpacked, 0 to 1. */
  readonly onProgress?: (share: number) => void;
  /** Only the files of these names; without it all. */
  readonly only?: readonly string[];
}

/** The bytes of uploads. Whether one is an archive is told by them, not by its name. */
@Injectable()
export class UploadFiles {
  constructor(
    private readonly objects: ObjectStore,
    private readonly archives: ArchiveReader,
    private readonly config: AppConfig,
  ) {}

  write(companyId: CompanyId, storageKey: string, source: Readable): Promise<number> {
    return this.objects.write(uploadKey(companyId, storageKey), source, this.config.limits.uploadMaxBytes);
  }

  /**
   * As much of each file as it takes to describe it.
   *
   * @throws AppError as the archive reader does.
   */
  async openHeads(upload: UploadedFile, watch: UnpackWatch): Promise<CsvFiles> {
    return this.open(upload, 'a part', watch, async (path) => headBytesOf(await this.archives.list(path)));
  }

  /** The whole of each file. @throws AppError as the archive reader does. */
  async openWhole(upload: UploadedFile, watch: UnpackWatch): Promise<CsvFiles> {
    return this.open(upload, 'all', watch, () => Promise.resolve(null));
  }

  /** Of all companies, for the sweeper. */
  all(): AsyncIterable<StoredObject> {
    return this.objects.list('uploads');
  }

  remove(companyId: CompanyId, storageKey: string): Promise<boolean> {
    return this.objects.remove(uploadKey(companyId, storageKey));
  }

  private async open(
    { companyId, storageKey, originalName, written }: UploadedFile,
    reads: 'all' | 'a part',
    watch: UnpackWatch,
    headBytesIn: (path: string) => Promise<number | null>,
  ): Promise<CsvFiles> {
    const key = uploadKey(companyId, storageKey);
    const local = await this.objects.localFile(key, reads);
    if (await this.archives.isArchive(local.path)) {
      // What was unpacked stays when the archive goes.
      await using archive = local;
      const headBytes = await headBytesIn(archive.path);
      const unpacked = await this.archives.unpack(archive.path, { ...watch, headBytes, name: originalName });
      return { isArchive: true, files: unpacked.files, [Symbol.asyncDispose]: () => unpacked[Symbol.asyncDispose]() };
    }
    const size = (await this.objects.stat(key))?.size ?? 0;
    const known = written === null || written === undefined ? {} : { written };
    const file = { name: originalName, size, path: local.path, isWhole: true, ...known };
    return { isArchive: false, files: [file], [Symbol.asyncDispose]: () => local[Symbol.asyncDispose]() };
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

export function uploadKey(companyId: CompanyId, storageKey: string): ObjectKey {
  return { companyId, area: 'uploads', name: storageKey };
}
