import { pipeline, Transform, type Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../../config/app-config.js';
import { ObjectStore } from '../../../ports/object-store.js';
import { AppError } from '../../../shared/app-error.js';
import type { CompanyId, DatasourceId } from '../../../shared/ids.js';
import { KeyedSemaphore } from '../../../shared/keyed-semaphore.js';
import { DatasourceRepository } from '../datasource.repository.js';
import type { Datasource } from '../datasource.types.js';
import { sizeText } from './size-text.js';
import { UploadRepository } from './upload.repository.js';
import type { Upload } from './upload.schema.js';

/** What surrounds a file in a form: an announced length is more than the file's. */
const FORM_BYTES = 64 * 1024;

/** What room is kept for. */
interface Reservation {
  readonly companyId: CompanyId;
  /** Its rows don't count. */
  readonly replaced: DatasourceId | null;
  /** Bytes. */
  readonly announced: number;
  /** Bytes that the company had stored at its beginning. */
  readonly used: number;
}

/** The room that is kept for an upload on its way. Dispose of it when the upload is recorded or broken off. */
export class ReservedRoom implements Disposable {
  #received = 0;

  constructor(
    readonly of: Reservation,
    private readonly quota: StorageQuota,
  ) {}

  /** What was announced, or more when more has come. */
  get bytes(): number {
    return Math.max(this.of.announced, this.#received);
  }

  /** Announced, and not yet on the disk. */
  get missing(): number {
    return Math.max(0, this.of.announced - this.#received);
  }

  /** The same bytes, counted. It fails with AppError `no_space` as soon as they don't fit. */
  metered(source: Readable): Readable {
    const meter = new Transform({
      transform: (chunk: Buffer, _encoding, done): void => {
        this.#received += chunk.length;
        done(this.#received > this.of.announced ? this.quota.excess(this.of) : null, chunk);
      },
    });
    // Whoever reads the meter hears of what goes wrong with either.
    return pipeline(source, meter, () => undefined);
  }

  /** Records the upload while its bytes still fit. @throws AppError `no_space`, and then it is not recorded. */
  record(upload: Upload): Promise<void> {
    return this.quota.record(upload, this.of.replaced);
  }

  [Symbol.dispose](): void {
    this.quota.release(this);
  }
}

/** Sees to it that uploads fit: on the disk, and in what their company may store. */
@Injectable()
export class StorageQuota {
  /** Of uploads that are on their way. */
  private readonly reserved = new Set<ReservedRoom>();
  private readonly turns = new KeyedSemaphore();

  constructor(
    private readonly uploads: UploadRepository,
    private readonly datasources: DatasourceRepository,
    private readonly objects: ObjectStore,
    private readonly config: AppConfig,
  ) {}

  /**
   * Keeps room for an upload of so many bytes (`null`: nobody knows) until it is disposed of.
   * What it replaces does not count.
   *
   * @throws AppError `no_space` when it would not fit, together with those of the company that are on their way.
   */
  async reserve(
    companyId: CompanyId,
    announcedBytes: number | null,
    replaced: DatasourceId | null = null,
  ): Promise<ReservedRoom> {
    const { freeBytes } = await this.objects.check();
    const used = await this.usedBy(companyId, replaced);
    const announced = Math.max(0, (announcedBytes ?? 0) - FORM_BYTES);
    const room = new ReservedRoom({ companyId, replaced, announced, used }, this);
    // From here to the end nobody else gets a turn: two that come at once see each other.
    this.reserved.add(room);
    try {
      const excess = this.excess(room.of);
      if (excess !== null) throw excess;
      // Of others none is counted: who announces much and sends it slowly would keep all of them waiting.
      const expected = this.comingOf(companyId).reduce((sum, { missing }) => sum + missing, 0);
      if (expected > freeBytes || freeBytes <= 0) throw new AppError('no_space', 'no room left on the storage');
      return room;
    } catch (error) {
      room[Symbol.dispose]();
      throw error;
    }
  }

  /**
   * One upload of a company after the other, so that two that end at once can't both have the last room. Those of other instances
   * are seen once they are recorded: where two are too much, none of them stays.
   *
   * @throws AppError `no_space`
   */
  async record(upload: Upload, replaced: DatasourceId | null): Promise<void> {
    const { companyId, storageKey } = upload;
    const bytes = uploadBytes(upload);
    await this.turns.run(companyId, async () => {
      const used = await this.usedBy(companyId, replaced);
      if (used + bytes > this.quota) throw this.noRoom(used);
      await this.uploads.insert(upload);
      const usedThen = await this.usedBy(companyId, replaced);
      if (usedThen <= this.quota) return;
      await this.uploads.take(companyId, storageKey);
      throw this.noRoom(usedThen - bytes);
    });
  }

  release(room: ReservedRoom): void {
    this.reserved.delete(room);
  }

  /** AppError `no_space` when more is on its way than may be stored; else null. */
  excess({ companyId, used }: Reservation): AppError | null {
    const expected = this.comingOf(companyId).reduce((sum, { bytes }) => sum + bytes, 0);
    return used + expected > this.quota ? this.noRoom(used) : null;
  }

  private comingOf(companyId: CompanyId): readonly ReservedRoom[] {
    return [...this.reserved].filter(({ of }) => of.companyId === companyId);
  }

  private async usedBy(companyId: CompanyId, replaced: DatasourceId | null): Promise<number> {
    if (this.quota === Infinity) return 0;
    const uploads = await this.uploads.allWhere(companyId, {});
    let used = uploads.reduce((sum, upload) => sum + uploadBytes(upload), 0);
    for await (const datasource of this.datasources.allStored(companyId)) {
      if (datasource.id !== replaced) used += datasourceBytes(datasource);
    }
    return used;
  }

  private get quota(): number {
    return this.config.limits.storageQuotaBytes;
  }

  private noRoom(used: number): AppError {
    return new AppError(
      'no_space',
      `no room left for this upload: ${sizeText(used)} of ${sizeText(this.quota)} are used by the company's uploads and datasources, with those in the bin`,
    );
  }
}

/** An archive counts as what is in it. */
function uploadBytes({ size, fileBytes }: Upload): number {
  return Math.max(size, fileBytes);
}

/** Of a failed import nothing is stored. */
function datasourceBytes({ import: { status }, generation, fileBytes, loadedFiles, append }: Datasource): number {
  if (status === 'failed' && generation === 0) return 0;
  const loaded = loadedFiles.reduce((sum, { size }) => sum + size, 0);
  return Math.max(fileBytes, loaded) + (append?.fileBytes ?? 0);
}
