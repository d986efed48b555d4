import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { EmbeddingModel } from '../../../ports/embedding-model.js';
import { Log } from '../../../ports/log.js';
import { Reconciler } from '../../../queue/reconciler.js';
import { ContextFileRepository } from '../context-file.repository.js';
import { ContextFileLease } from './context-file-lease.js';
import { overdueSentence } from './context-file-run.js';
import { ContextFileWork } from './context-file-work.js';

const HOUR_MS = 3_600_000;

/** Puts back to work what nobody works on: processings that a queue or a process lost. */
@Injectable()
export class ContextFileReconciler extends Reconciler {
  protected override readonly failure = 'context files could not be looked through';

  constructor(
    private readonly files: ContextFileRepository,
    private readonly leases: ContextFileLease,
    private readonly work: ContextFileWork,
    private readonly model: EmbeddingModel,
    protected override readonly log: Log,
  ) {
    super();
  }

  override async onApplicationBootstrap(): Promise<void> {
    await super.onApplicationBootstrap();
    await this.renewVectors();
  }

  /** Asks for new vectors for the files whose vectors another model has made. Until then words find them. */
  @Interval(HOUR_MS)
  renewVectors(): Promise<void> {
    const stale = { status: 'ready', embeddingModel: { not: this.model.name }, deletedAt: null };
    return this.tried(async () => {
      for (const file of await this.files.anywhere(stale)) {
        if (this.leases.isAbandoned(file)) await this.work.ask(file);
      }
    });
  }

  override async reconcile(): Promise<void> {
    for (const file of await this.files.anywhere({ status: 'pending', deletedAt: null })) {
      if (!this.leases.isAbandoned(file)) continue;
      if (this.leases.isOverdue(file)) await this.leases.fail(file, overdueSentence(file.reason));
      else await this.work.ask(file);
    }
  }
}
