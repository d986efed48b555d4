import { Injectable } from '@nestjs/common';
import { Clock } from '../../../ports/clock.js';
import { EventStream } from '../../../ports/event-stream.js';
import { Instance } from '../../../ports/instance.js';
import { Log } from '../../../ports/log.js';
import { messageOf } from '../../../shared/app-error.js';
import { isAbandoned } from '../../../shared/lease.js';
import { ContextFileRepository } from '../context-file.repository.js';
import type { ContextFile } from '../context-file.schema.js';
import { MAX_PROCESSING_MS } from '../limits.js';

const LEASE_MS = 30_000;
const RENEW_MS = 5_000;
const FREE = { leaseOwner: null, leaseUntil: null, interrupted: 0 } as const;

/** Aborted with the job, or when the lease was lost: the file was deleted or another instance took over. */
export interface KeptLease extends Disposable {
  readonly signal: AbortSignal;
}

/** What a finished processing came to. */
export type Processed = Pick<ContextFile, 'attempt' | 'passages' | 'pages' | 'collectionId' | 'embeddingModel'>;

/** The state of processings in the document store, and what is told of it. Only who holds the lease changes it. */
@Injectable()
export class ContextFileLease {
  constructor(
    private readonly files: ContextFileRepository,
    private readonly instance: Instance,
    private readonly clock: Clock,
    private readonly events: EventStream,
    private readonly log: Log,
  ) {}

  /** Null when somebody else works on it. Until the lease is given back the attempt counts as interrupted. */
  async take(seen: ContextFile): Promise<ContextFile | null> {
    if (!this.isFree(seen)) return null;
    const now = this.clock.now();
    return this.files.takeLease(seen, this.instance.id, this.leaseEnd(now), {
      startedAt: seen.startedAt ?? now,
      interrupted: seen.interrupted + 1,
    });
  }

  /** Nobody works on it. */
  isAbandoned(file: ContextFile): boolean {
    return isAbandoned(file, this.instance, this.clock.now());
  }

  /** It was begun so long ago that nobody shall wait for it any more. */
  isOverdue({ startedAt }: ContextFile): boolean {
    return startedAt !== null && this.clock.now().getTime() - startedAt.getTime() > MAX_PROCESSING_MS;
  }

  keep(file: ContextFile, signal: AbortSignal): KeptLease {
    const lost = new AbortController();
    const renewal = setInterval(() => {
      void this.renew(file, lost);
    }, RENEW_MS);
    return {
      signal: AbortSignal.any([signal, lost.signal]),
      [Symbol.dispose]: () => {
        clearInterval(renewal);
      },
    };
  }

  /** Gives it back undone, with the problem that there was. The attempt ended in order, whatever came of it. */
  async giveBack(file: ContextFile, problem: string | null): Promise<void> {
    await this.files.changeAsOwner(file, this.instance.id, { ...FREE, reason: problem });
  }

  /** Null when the lease is lost or the file is deleted. */
  async finish(file: ContextFile, processed: Processed): Promise<ContextFile | null> {
    const done = await this.files.changeAsOwner(file, this.instance.id, {
      ...FREE,
      ...processed,
      status: 'ready',
      reason: null,
      updatedAt: this.clock.now(),
    });
    if (done !== null && file.status === 'pending') this.tell(done, 'ready', '');
    return done;
  }

  /** Ends a pending file that nobody works on. Null when it is none. */
  async fail(seen: ContextFile, reason: string): Promise<ContextFile | null> {
    if (seen.status !== 'pending' || !this.isFree(seen)) return null;
    const failed = await this.files.failPending(seen, {
      ...FREE,
      status: 'failed',
      reason,
      updatedAt: this.clock.now(),
    });
    if (failed !== null) this.tell(failed, 'failed', reason);
    return failed;
  }

  private tell({ companyId, id, filename }: ContextFile, status: 'ready' | 'failed', reason: string): void {
    this.events.publish({
      type: 'context-file-status',
      companyId,
      fileId: id,
      filename,
      status,
      reason,
      at: this.clock.now(),
    });
  }

  private isFree(file: ContextFile): boolean {
    return file.leaseOwner === this.instance.id || this.isAbandoned(file);
  }

  private async renew(file: ContextFile, lost: AbortController): Promise<void> {
    try {
      const leaseUntil = this.leaseEnd(this.clock.now());
      const kept = await this.files.changeAsOwner(file, this.instance.id, { leaseUntil });
      if (kept === null) lost.abort(new Error('the context file lost its lease'));
    } catch (error) {
      // The store is away for the moment; the lease still has time, and the next turn tries again.
      this.log.warn('a context file lease could not be renewed', { fileId: file.id, reason: messageOf(error) });
    }
  }

  private leaseEnd(now: Date): Date {
    return new Date(now.getTime() + LEASE_MS);
  }
}
