import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { EmbeddingModel } from '../../../ports/embedding-model.js';
import { Log } from '../../../ports/log.js';
import { messageOf } from '../../../shared/app-error.js';
import { ContextFileRepository } from '../context-file.repository.js';
import { ContextFileLease } from './context-file-lease.js';
import { overdueSentence } from './context-file-run.js';
import { ContextFileWork } from './context-file-work.js';

const HOUR_MS = 3_600_000;

/** Puts back to work what nobody works on: processings and removals that a queue or a process lost. */
@Injectable()
export class ContextFileReconciler implements OnApplicationBootstrap {
  constructor(
    private readonly files: ContextFileRepository,
    private readonly leases: ContextFileLease,
    private readonly work: ContextFileWork,
    private readonly model: EmbeddingModel,
    private readonly log: Log,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.tick();
    await this.renewVectors();
  }

  @Interval(30_000)
  tick(): Promise<void> {
    return this.tried(() => this.reconcile());
  }

  /** Asks for new vectors for the files whose vectors another model has made. Until then words find them. */
  @Interval(HOUR_MS)
  renewVectors(): Promise<void> {
    return this.tried(async () => {
      for (const file of await this.files.allStale(this.model.name)) {
        if (this.leases.isAbandoned(file)) await this.work.ask(file);
      }
    });
  }

  async reconcile(): Promise<void> {
    for (const file of await this.files.allPending()) {
      if (!this.leases.isAbandoned(file)) continue;
      if (this.leases.isOverdue(file)) await this.leases.fail(file, overdueSentence(file.reason));
      else await this.work.ask(file);
    }
    for (const file of await this.files.allDeleted()) {
      if (this.leases.isAbandoned(file)) await this.work.clear({ ...file, leaseOwner: null });
    }
  }

  private async tried(turn: () => Promise<void>): Promise<void> {
    await turn().catch((error: unknown) => {
      this.log.warn('context files could not be looked through; the next turn tries again', {
        reason: messageOf(error),
      });
    });
  }
}
