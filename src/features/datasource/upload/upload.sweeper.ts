import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Clock } from '../../../ports/clock.js';
import { Log } from '../../../ports/log.js';
import { messageOf } from '../../../shared/app-error.js';
import { UploadRepository } from './upload.repository.js';
import { OrphanedUploads } from './orphaned-uploads.js';
import { UploadFiles } from './upload-files.js';

const HOUR = 3_600_000;
const KEPT_MS = 24 * HOUR;

/** Removes uploads that were never used. */
@Injectable()
export class UploadSweeper {
  constructor(
    private readonly uploads: UploadRepository,
    private readonly files: UploadFiles,
    private readonly orphans: OrphanedUploads,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  @Interval(HOUR)
  async tick(): Promise<void> {
    await this.sweep().catch((error: unknown) => {
      this.log.warn('unused uploads could not be removed; the next hour tries again', { reason: messageOf(error) });
    });
  }

  async sweep(): Promise<void> {
    const before = new Date(this.clock.now().getTime() - KEPT_MS);
    for (const { companyId, storageKey } of await this.uploads.olderThan(before)) {
      // The record goes first: whoever takes it meanwhile keeps the file.
      if (await this.uploads.take(companyId, storageKey)) await this.files.remove(companyId, storageKey);
    }
    await this.orphans.sweep(before);
  }
}
