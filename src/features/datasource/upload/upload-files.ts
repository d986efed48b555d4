import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../../config/app-config.js';
import {
  ArchiveReader,
  type ArchiveEntry,
  type UnpackedFiles,
  type UnpackOptions,
} from '../../../ports/archive-reader.js';
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

/** The CSV files of an upload: itself, or what its archive or workbook holds. Dispose of them when done. */
export interface CsvFiles extends UnpackedFiles {
  readonly isArchive: boolean;
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

  /** Of all companies, for the sweeper. */
  all(): AsyncIterable<StoredObject> {
    return this.objects.list('uploads');
  }

  remove(companyId: CompanyId, storageKey: string): Promise<boolean> {
    return this.objects.remove(uploadKey(companyId, storageKey));
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
