import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Clock } from '../../../ports/clock.js';
import type { Where } from '../../../ports/document-store.js';
import { EmbeddingModel } from '../../../ports/embedding-model.js';
import { EventStream } from '../../../ports/event-stream.js';
import { FatalJobError, reasonOf } from '../../../ports/job-queue.js';
import type { JobPayloads } from '../../../ports/jobs.js';
import { JobProcessor } from '../../../queue/job-processor.js';
import { LeaseKeeper, NO_LEASE, type KeptLease, type Lease } from '../../../queue/lease-keeper.js';
import { Reconciler } from '../../../queue/reconciler.js';
import type { CompanyId } from '../../../shared/ids.js';
import { ContextFileRepository } from '../context-file.repository.js';
import { type ContextFile, MAX_PROCESSING_MS } from '../context-file.schema.js';
import { PassageBatchRepository } from '../passages/passage-batch.repository.js';
import { ContextFileWork } from './context-file-work.js';
import { DocumentProcessing, type Processed } from './document-processing.js';
import { HOUR_MS } from '../../../shared/durations.js';

const FREE = { ...NO_LEASE, interrupted: 0 } as const;

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

type Processing = JobPayloads['context-file.process'];

const UNFORESEEN = 'the reason is in the log of the service';
/** Attempts that ended with the process. One more, and the file is taken to be what brings it down. */
const MAX_INTERRUPTED = 3;

/** Makes a pending file ready, or failed with a reason. May be called twice for the same; one call does it. */
@Injectable()
export class ContextFileRun extends JobProcessor<'context-file.process'> {
  override readonly job = 'context-file.process';
  /** One file of a company at a time: a company that sends what is slow to read can't hold every place. */
  private readonly busy = new Set<CompanyId>();
  constructor(
    private readonly files: ContextFileRepository,
    private readonly leases: ContextFileLease,
    private readonly processing: DocumentProcessing,
    private readonly batches: PassageBatchRepository,
    private readonly work: ContextFileWork,
  ) {
    super();
  }

  override async run({ companyId, fileId }: Processing, signal: AbortSignal): Promise<void> {
    // Whoever has the turn asks for the next file when it is done.
    if (this.busy.has(companyId)) return;
    this.busy.add(companyId);
    let isDone = false;
    try {
      const seen = await this.files.find(companyId, fileId);
      if (seen !== null && this.needsWork(seen)) isDone = await this.attempt(seen, signal);
    } finally {
      this.busy.delete(companyId);
      await this.askForNext(companyId, isDone);
    }
  }

  /** The last word of the queue. What may still pass is left to the reconciler, until it has taken too long. */
  override async giveUp({ companyId, fileId }: Processing, error: Error): Promise<void> {
    const seen = await this.files.find(companyId, fileId);
    if (seen === null) return;
    if (error instanceof FatalJobError) await this.leases.fail(seen, error.message);
    else if (this.leases.isOverdue(seen)) await this.leases.fail(seen, overdueSentence(reasonOf(error, UNFORESEEN)));
  }

  private needsWork({ status, embeddingModel }: ContextFile): boolean {
    return status === 'pending' || (status === 'ready' && embeddingModel !== this.processing.model);
  }

  /** Whether it came to its end here. */
  private async attempt(seen: ContextFile, signal: AbortSignal): Promise<boolean> {
    if (this.leases.isOverdue(seen) && seen.status === 'pending') {
      throw new FatalJobError(overdueSentence(seen.reason));
    }
    const file = await this.leases.take(seen);
    if (file === null) return false;
    if (file.interrupted > MAX_INTERRUPTED) {
      throw new FatalJobError('its processing was interrupted too often: the file can not be read by this service');
    }
    using lease = this.leases.keep(file, signal);
    try {
      await this.complete(file, lease.signal);
      return true;
    } catch (error) {
      // A service that stops, or a lease that is lost, is no problem of the file.
      const problem = lease.signal.aborted ? file.reason : reasonOf(error, UNFORESEEN);
      // One that can't be given back runs out.
      await this.leases.giveBack(file, problem).catch(() => undefined);
      throw error;
    }
  }

  private async complete(file: ContextFile, signal: AbortSignal): Promise<void> {
    const processed = await this.processing.process(file, signal);
    const done = await this.leases.finish(file, processed);
    if (done !== null) await this.batches.removeOthers(done);
    // Deleted, or taken over, at the last moment: what was written does not count.
    else await this.batches.removeWhere(file.companyId, { fileId: file.id, attempt: processed.attempt });
  }

  /** What has failed is the queue's to try again; only what nobody has tried follows, so that nothing goes round in circles. */
  private async askForNext(companyId: CompanyId, isDone: boolean): Promise<void> {
    const untried = { status: 'pending', startedAt: null, deletedAt: null };
    const stale = { ...staleFor(this.processing.model), interrupted: { lte: MAX_INTERRUPTED } };
    const oldest = await this.files.first(companyId, untried, [['createdAt', 'asc']]);
    const next = oldest ?? (isDone ? await this.files.first(companyId, stale) : null);
    if (next !== null) await this.work.ask(next);
  }
}

/** Files whose vectors another model has made. */
function staleFor(model: string): Where<ContextFile> {
  return { status: 'ready', embeddingModel: { not: model }, deletedAt: null };
}

function overdueSentence(problem: string | null): string {
  return `it could not be processed within 10 minutes${problem === null ? '' : `: ${problem}`}`;
}

/** Puts back to work what nobody works on: processings that a queue or a process lost. */
@Injectable()
export class ContextFileReconciler extends Reconciler {
  protected override readonly failure = 'context files could not be looked through';

  constructor(
    private readonly files: ContextFileRepository,
    private readonly leases: ContextFileLease,
    private readonly work: ContextFileWork,
    private readonly model: EmbeddingModel,
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
    return this.tried(async () => {
      for (const file of await this.files.anywhere(staleFor(this.model.name)))
        if (this.leases.isAbandoned(file)) await this.work.ask(file);
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
