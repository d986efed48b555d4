import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '../../../ports/clock.js';
import { Instance } from '../../../ports/instance.js';
import { DatasourceRepository } from '../datasource.repository.js';
import { UploadFiles } from './upload-files.js';
import { UploadRepository } from './upload.repository.js';

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
      const upload = await this.uploads.find(key.companyId, key.name);
      // What was fetched again is of use to that fetch alone, which starts anew.
      const isWaiting = upload !== null && (upload.replaces ?? null) === null;
      if (isWaiting || (await this.datasources.isImporting(key.companyId, key.name))) continue;
      await this.uploads.take(key.companyId, key.name);
      await this.files.remove(key.companyId, key.name);
    }
  }
}
