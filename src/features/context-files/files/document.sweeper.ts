import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Clock } from '../../../ports/clock.js';
import { Instance } from '../../../ports/instance.js';
import { Log } from '../../../ports/log.js';
import { messageOf } from '../../../shared/app-error.js';
import { ContextFileRepository } from '../context-file.repository.js';
import { DocumentFiles } from './document-files.js';

const DAY_MS = 24 * 3_600_000;

/** Removes bytes that no record names, because the process died while a request was received. */
@Injectable()
export class DocumentSweeper implements OnApplicationBootstrap {
  constructor(
    private readonly files: ContextFileRepository,
    private readonly documents: DocumentFiles,
    private readonly instance: Instance,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /** Before the first request nothing can be under way, unless other instances live. */
  async onApplicationBootstrap(): Promise<void> {
    if (this.instance.alone) await this.tried(this.clock.now());
  }

  @Interval(DAY_MS)
  tick(): Promise<void> {
    return this.tried(new Date(this.clock.now().getTime() - DAY_MS));
  }

  /** Removes those that are older. */
  async sweep(before: Date): Promise<void> {
    for await (const { key, modifiedAt } of this.documents.all()) {
      if (modifiedAt >= before || (await this.files.knows(key.companyId, key.name))) continue;
      await this.documents.remove(key.companyId, key.name);
    }
  }

  private async tried(before: Date): Promise<void> {
    await this.sweep(before).catch((error: unknown) => {
      this.log.warn('documents of nobody could not be removed; the next day tries again', { reason: messageOf(error) });
    });
  }
}
