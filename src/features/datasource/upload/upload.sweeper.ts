import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Clock } from '../../../ports/clock.js';
import { Instance } from '../../../ports/instance.js';
import { Log } from '../../../ports/log.js';
import { messageOf } from '../../../shared/app-error.js';
import { DatasourceRepository } from '../datasource.repository.js';
import { UploadRepository } from './upload.repository.js';
import { UploadFiles } from './upload-files.js';
import { UploadService } from './upload.service.js';

const HOUR = 3_600_000;
const KEPT_MS = 24 * HOUR;

/** Files that no record names any more, or not yet, because the process died between the two. */
@Injectable()
export class OrphanedUploads implements OnApplicationBootstrap {
  constructor(
    private readonly uploads: UploadRepository,
    private readonly files: UploadFiles,
    private readonly datasources: DatasourceRepository,
    private readonly instance: Instance,
    private readonly clock: Clock,
  ) {}

  /** Before the first request nothing can be under way, unless other instances live. */
  async onApplicationBootstrap(): Promise<void> {
    if (this.instance.alone) await this.sweep(this.clock.now());
  }

  /** Removes those that are older. */
  async sweep(before: Date): Promise<void> {
    for await (const { key, modifiedAt } of this.files.all()) {
      if (modifiedAt >= before) continue;
      const upload = await this.uploads.named(key.companyId, key.name);
      // What was fetched again is of use to that fetch alone, which starts anew.
      const isWaiting = upload !== null && (upload.replaces ?? null) === null;
      if (isWaiting || (await this.datasources.isImporting(key.companyId, key.name))) continue;
      await this.uploads.take(key.companyId, key.name);
      await this.files.remove(key.companyId, key.name);
    }
  }
}

/** Removes uploads that were never used. */
@Injectable()
export class UploadSweeper {
  constructor(
    private readonly uploads: UploadService,
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
    await this.uploads.removeOlder(before);
    await this.orphans.sweep(before);
  }
}
