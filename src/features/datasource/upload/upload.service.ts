import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../ports/clock.js';
import { IdSource } from '../../../ports/id-source.js';
import { AppError } from '../../../shared/app-error.js';
import type { CompanyId, UserId } from '../../../shared/ids.js';
import type { DecimalSign } from '../../../shared/number-notation.js';
import type { Principal } from '../../../shared/principal.js';
import { noSuchUpload } from '../datasource.errors.js';
import type { DescribedFile } from './described-file.js';
import type { ReservedRoom } from './storage-quota.js';
import { UploadFiles } from './upload-files.js';
import { UploadRepository } from './upload.repository.js';
import { type Upload, UPLOADS } from './upload.schema.js';

/** A file as it arrives. */
export interface IncomingFile {
  readonly originalName: string;
  readonly source: Readable;
  readonly room: ReservedRoom;
  /** Aborted when its sender goes away before the answer. */
  readonly gone: AbortSignal;
  /** Of what was fetched. */
  readonly fetched?: Pick<Upload, 'written' | 'place' | 'replaces'>;
  /** Of the datasource that it is for. */
  readonly usualDecimal?: DecimalSign | undefined;
}

export interface ReceivedUpload {
  readonly upload: Upload;
  /** In archive order. */
  readonly files: readonly DescribedFile[];
}

/** Whose upload it is. */
export type Uploader = Pick<Principal, 'companyId' | 'userId'>;

const NAME_LENGTH = 255;

/** Takes files in, and says what is in them. */
@Injectable()
export class UploadService {
  constructor(
    private readonly uploads: UploadRepository,
    private readonly files: UploadFiles,
    private readonly ids: IdSource,
    private readonly clock: Clock,
  ) {}

  /** Streams the file to the store and reads its head. A file that can't be used leaves nothing behind. */
  async receive(by: Uploader, incoming: IncomingFile): Promise<ReceivedUpload> {
    const { originalName, source, room, gone, fetched = UPLOADS.blank, usualDecimal } = incoming;
    const { companyId, userId: createdBy } = by;
    const extension = extensionOf(originalName);
    if (extension === null) {
      // Nobody will read it: whoever sends it is told, and nothing waits for it.
      source.destroy();
      throw new AppError('unsupported_type', `unsupported file type: the file must be one of ${TAKEN.join(', ')}`);
    }
    const storageKey = `${this.ids.token()}.${extension}`;
    const size = await this.files.write(companyId, storageKey, room.metered(source));
    try {
      const named = { companyId, storageKey, originalName: originalName.slice(-NAME_LENGTH), ...fetched };
      const files = await this.files.describe(named, usualDecimal);
      // Nobody would ever learn its key.
      if (gone.aborted) throw new AppError('invalid_input', 'the upload was broken off');
      const fileBytes = files.reduce((sum, file) => sum + file.size, 0);
      const upload: Upload = { ...named, id: this.ids.next(), createdBy, size, fileBytes, createdAt: this.clock.now() };
      await room.record(upload);
      return { upload, files };
    } catch (error) {
      await this.files.remove(by.companyId, storageKey);
      throw error;
    }
  }

  /** @throws AppError `not_found` when the key is unknown or another company's. */
  async open(companyId: CompanyId, storageKey: string, usualDecimal?: DecimalSign): Promise<ReceivedUpload> {
    const upload = await this.uploads.named(companyId, storageKey);
    if (upload === null) throw noSuchUpload();
    return { upload, files: await this.files.describe(upload, usualDecimal) };
  }

  /** @throws AppError `not_found`, also when a datasource has it. */
  async delete(by: Pick<Principal, 'companyId'>, storageKey: string): Promise<void> {
    // The record goes first: a datasource that took it keeps the file, and a file left behind is swept.
    await this.take(by.companyId, storageKey);
    await this.files.remove(by.companyId, storageKey);
  }

  /** The upload is the caller's alone: nobody else can use it. */
  async take(companyId: CompanyId, storageKey: string): Promise<void> {
    if (!(await this.uploads.take(companyId, storageKey))) throw noSuchUpload();
  }

  /** Removes what somebody has uploaded and made nothing of. */
  async removeOf(companyId: CompanyId, userId: UserId): Promise<void> {
    await this.removeAll(await this.uploads.allWhere(companyId, { createdBy: userId }));
  }

  /** Of all companies: removes what nothing has been made of since then. */
  async removeOlder(than: Date): Promise<void> {
    await this.removeAll(await this.uploads.anywhere({ createdAt: { lt: than } }));
  }

  /** Undoes `take` for an upload of which nothing was made. */
  putBack(upload: Upload): Promise<void> {
    return this.uploads.insert(upload);
  }

  /** Of all companies: removes files that are older, and that nothing names any more, or not yet, because the process died between the two. */
  async removeOrphans(
    before: Date,
    isUsed: (companyId: CompanyId, storageKey: string) => Promise<boolean>,
  ): Promise<void> {
    for await (const { key, modifiedAt } of this.files.all()) {
      if (modifiedAt >= before) continue;
      const upload = await this.uploads.named(key.companyId, key.name);
      // What was fetched again is of use to that fetch alone, which starts anew.
      const isWaiting = upload?.replaces === null;
      if (isWaiting || (await isUsed(key.companyId, key.name))) continue;
      await this.uploads.take(key.companyId, key.name);
      await this.files.remove(key.companyId, key.name);
    }
  }

  private async removeAll(uploads: readonly Upload[]): Promise<void> {
    for (const { companyId, storageKey } of uploads) {
      // The record goes first: whoever takes it meanwhile keeps the file.
      if (await this.uploads.take(companyId, storageKey)) await this.files.remove(companyId, storageKey);
    }
  }
}

/** What files may be called. What they are, their bytes tell. */
export const TAKEN = ['.csv', '.tsv', '.txt', '.xlsx', '.parquet', '.json', '.ndjson', '.zip', '.gz', '.zst'] as const;

const EXTENSION = /\.(csv|tsv|txt|xlsx|xlsm|parquet|json|ndjson|jsonl|zip|gz|zst)$/i;

export function extensionOf(name: string): string | null {
  return EXTENSION.exec(name)?.[1]?.toLowerCase() ?? null;
}
