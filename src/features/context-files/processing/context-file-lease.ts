import { Injectable } from '@nestjs/common';
import { Clock } from '../../../ports/clock.js';
import { EventStream } from '../../../ports/event-stream.js';
import { LeaseKeeper, NO_LEASE, type KeptLease, type Lease } from '../../../queue/lease-keeper.js';
import { ContextFileRepository } from '../context-file.repository.js';
import { type ContextFile, MAX_PROCESSING_MS } from '../context-file.schema.js';

const FREE = { ...NO_LEASE, interrupted: 0 } as const;

/** What a finished processing came to. */
export type Processed = Pick<ContextFile, 'passages' | 'pages' | 'collectionId' | 'embeddingModel'> & {
  readonly attempt: string;
};

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
    const { status, leaseOwner, leaseUntil, interrupted } = seen;
    const begun = { startedAt: seen.startedAt ?? this.clock.now(), interrupted: interrupted + 1 };
    const expected = { status, deletedAt: null, leaseOwner, leaseUntil };
    return this.files.swap(seen, expected, { ...this.leases.lease(), ...begun });
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
    const renew = async (lease: Lease): Promise<boolean> => (await this.changed(file, lease)) !== null;
    return this.leases.keep({ context: { fileId: file.id }, renew }, signal);
  }

  /** Gives it back undone, with the problem that there was. The attempt ended in order, whatever came of it. */
  async giveBack(file: ContextFile, problem: string | null): Promise<void> {
    await this.changed(file, { ...FREE, reason: problem });
  }

  /** Null when the lease is lost or the file is deleted. */
  async finish(file: ContextFile, processed: Processed): Promise<ContextFile | null> {
    const done = await this.changed(file, {
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
    const expected = { status: 'pending', deletedAt: null, leaseOwner: seen.leaseOwner };
    const end = { ...FREE, status: 'failed', reason, updatedAt: this.clock.now() } as const;
    const failed = await this.files.swap(seen, expected, end);
    if (failed !== null) this.tell(failed, 'failed', reason);
    return failed;
  }

  /** Null when the lease is lost or the file is deleted. */
  private changed(file: ContextFile, set: Partial<ContextFile>): Promise<ContextFile | null> {
    return this.files.swap(file, { leaseOwner: this.leases.owner, deletedAt: null }, set);
  }

  private tell({ companyId, id: fileId, filename }: ContextFile, status: 'ready' | 'failed', reason: string): void {
    const at = this.clock.now();
    this.events.publish({ type: 'context-file-status', companyId, fileId, filename, status, reason, at });
  }
}
