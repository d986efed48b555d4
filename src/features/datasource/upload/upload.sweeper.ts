import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Clock } from '../../../ports/clock.js';
import { Instance } from '../../../ports/instance.js';
import { Log } from '../../../ports/log.js';
import { messageOf } from '../../../shared/app-error.js';
import { DatasourceRepository } from '../datasource.repository.js';
import { UploadService } from './upload.service.js';

const HOUR = 3_600_000;
const KEPT_MS = 24 * HOUR;

/** Removes uploads that were never used, and what is left of others. */
@Injectable()
export class UploadSweeper implements OnApplicationBootstrap {
  constructor(
    private readonly uploads: UploadService,
    private readonly datasources: DatasourceRepository,
    private readonly instance: Instance,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /** Before the first request nothing can be under way, unless other instances live. */
  async onApplicationBootstrap(): Promise<void> {
    if (this.instance.alone) await this.removeOrphans(this.clock.now());
  }

  @Interval(HOUR)
  async tick(): Promise<void> {
    await this.sweep().catch((error: unknown) => {
      this.log.warn('unused uploads could not be removed; the next hour tries again', { reason: messageOf(error) });
    });
  }

  async sweep(): Promise<void> {
    const before = new Date(this.clock.now().getTime() - KEPT_MS);
    await this.uploads.removeOlder(before);
    await this.removeOrphans(before);
  }

  removeOrphans(before: Date): Promise<void> {
    return this.uploads.removeOrphans(before, (companyId, key) => this.datasources.isImporting(companyId, key));
  }
}
