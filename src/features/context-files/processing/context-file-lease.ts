import { Injectable } from '@nestjs/common';
import { Clock } from '../../../ports/clock.js';
import { EventStream } from '../../../ports/event-stream.js';
import { LeaseKeeper, NO_LEASE, type KeptLease, type Lease } from '../../../queue/lease-keeper.js';
import { ContextFileRepository } from '../context-file.repository.js';
import { type ContextFile, MAX_PROCESSING_MS } from '../context-file.schema.js';

const FREE = { ...NO_LEASE, interrupted: 0 } as const;

/** What a finished processing came to. */
export type Processed = Pick<ContextFile, 'attempt' | 'passages' | 'pages' | 'collectionId' | 'embeddingModel'>;

/** The state of processings in the document store, and what is told of it. Only who holds the lease changes it. */
@Injectable()
export class ContextFileLease {
  constructor(
    private readonly files: ContextFileRepository,
    private readonly leases: LeaseKeeper,
    private readonly clock: Clock,
    private readonly events: EventStream,
  ) {}

  /** Null when somebody else works on it. Until the lease is given back the attempt counts as interrupted. */
  async take(seen: ContextFile): Promise<ContextFile | null> {
    if (!this.leases.mayTake(seen)) return null;
    return this.files.takeLease(seen, {
      ...this.leases.lease(),
      startedAt: seen.startedAt ?? this.clock.now(),
      interrupted: seen.interrupted + 1,
    });
  }

  /** Nobody works on it. */
  isAbandoned(file: ContextFile): boolean {
    return this.leases.isAbandoned(file);
  }

  /** It was begun so long ago that nobody shall wait for it any more. */
  isOverdue({ startedAt }: ContextFile): boolean {
    return startedAt !== null && this.clock.now().getTime() - startedAt.getTime() > MAX_PROCESSING_MS;
  }

  keep(file: ContextFile, signal: AbortSignal): KeptLease {
    const renew = async (lease: Lease): Promise<boolean> =>
      (await this.files.changeAsOwner(file, lease.leaseOwner, lease)) !== null;
    return this.leases.keep({ context: { fileId: file.id }, renew }, signal);
  }

  /** Gives it back undone, with the problem that there was. The attempt ended in order, whatever came of it. */
  async giveBack(file: ContextFile, problem: string | null): Promise<void> {
    await this.files.changeAsOwner(file, this.leases.owner, { ...FREE, reason: problem });
  }

  /** Null when the lease is lost or the file is deleted. */
  async finish(file: ContextFile, processed: Processed): Promise<ContextFile | null> {
    const done = await this.files.changeAsOwner(file, this.leases.owner, {
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
    if (seen.status !== 'pending' || !this.leases.mayTake(seen)) return null;
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
}
