import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { Log } from '../../../ports/log.js';
import { AppError, messageOf } from '../../../shared/app-error.js';
import { RunLedger, type HeldRun } from './run-ledger.js';
import { RunLimits } from './run-limits.js';

const RENEW_MS = 5_000;

/** The run is somebody else's, or for the next start: whoever worked on it has nothing to say about its end. */
export class LostRun extends Error {}

/** The run has used up its time. */
export class RunTooLong extends AppError {
  constructor(limitMs: number) {
    super('timed_out', `the run took longer than ${Math.round(limitMs / 6_000) / 10} minutes`);
  }
}

/** A lease that is kept until it is disposed of. */
export interface KeptRun extends Disposable {
  /** Aborted with the job, when the run is lost, when its time is up, and when the service stops. */
  readonly signal: AbortSignal;
}

/** Keeps the leases of the runs that this instance works on, and their time. */
@Injectable()
export class RunKeeper implements BeforeApplicationShutdown {
  private readonly kept = new Set<AbortController>();
  private stopping = false;

  constructor(
    private readonly ledger: RunLedger,
    private readonly limits: RunLimits,
    private readonly log: Log,
  ) {}

  keep(held: HeldRun, job: AbortSignal): KeptRun {
    const end = new AbortController();
    const { wholeMs } = this.limits;
    const limit = setTimeout(() => {
      end.abort(new RunTooLong(wholeMs));
    }, wholeMs);
    const renewal = setInterval(() => {
      void this.renew(held, end);
    }, RENEW_MS);
    this.kept.add(end);
    if (this.stopping) this.endAll();
    return {
      signal: AbortSignal.any([job, end.signal]),
      [Symbol.dispose]: () => {
        clearTimeout(limit);
        clearInterval(renewal);
        this.kept.delete(end);
      },
    };
  }

  /** What runs is found again at the next start, or by another instance. */
  beforeApplicationShutdown(): void {
    this.stopping = true;
    this.endAll();
  }

  private endAll(): void {
    for (const end of this.kept) end.abort(new LostRun('the service is stopping'));
  }

  private async renew(held: HeldRun, end: AbortController): Promise<void> {
    try {
      if (!(await this.ledger.keep(held))) end.abort(new LostRun('the run is not ours any more'));
    } catch (error) {
      // The store is away for the moment; the lease still has time, and the next turn tries again.
      this.log.warn('the lease of a run could not be renewed', { runId: held.run.id, reason: messageOf(error) });
    }
  }
}
