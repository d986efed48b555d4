import { Injectable } from '@nestjs/common';
import { Sweeper } from '../../../queue/reconciler.js';
import { Clock } from '../../../ports/clock.js';
import { Instance } from '../../../ports/instance.js';
import { DatasourceRepository } from '../datasource.repository.js';
import { UploadService } from './upload.service.js';
import { DAY_MS } from '../../../shared/durations.js';

const KEPT_MS = DAY_MS;

/** Removes uploads that were never used, and what is left of others. */
@Injectable()
export class UploadSweeper extends Sweeper {
  protected override readonly failure = 'unused uploads could not be removed';

  constructor(
    private readonly uploads: UploadService,
    private readonly datasources: DatasourceRepository,
    private readonly instance: Instance,
    private readonly clock: Clock,
  ) {
    super();
  }

  /** Before the first request nothing can be under way, unless other instances live. */
  override async onApplicationBootstrap(): Promise<void> {
    if (this.instance.alone) await this.removeOrphans(this.clock.now());
  }

  override async sweep(): Promise<void> {
    const before = new Date(this.clock.now().getTime() - KEPT_MS);
    await this.uploads.removeOlder(before);
    await this.removeOrphans(before);
  }

  removeOrphans(before: Date): Promise<void> {
    return this.uploads.removeOrphans(before, (companyId, key) => this.datasources.isImporting(companyId, key));
  }
}
