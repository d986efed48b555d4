import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { LeaseKeeper, LeaseLost, type KeptLease, type Lease } from '../../../queue/lease-keeper.js';
import { AppError } from '../../../shared/app-error.js';
import { RunLedger, type HeldRun } from './run-ledger.js';
import { RunLimits } from './run-limits.js';

/** The run has used up its time. */
export class RunTooLong extends AppError {
  constructor(limitMs: number) {
    super('timed_out', `the run took longer than ${Math.round(limitMs / 6_000) / 10} minutes`);
  }
}

/** Keeps the leases of the runs that this instance works on, and their time. */
@Injectable()
export class RunKeeper implements BeforeApplicationShutdown {
  private readonly kept = new Set<AbortController>();
  private stopping = false;

  constructor(
    private readonly ledger: RunLedger,
    private readonly limits: RunLimits,
    private readonly leases: LeaseKeeper,
  ) {}

  /** Its signal is aborted with the job, when the run is lost, when its time is up, and when the service stops. */
  keep(held: HeldRun, job: AbortSignal): KeptLease {
    const end = new AbortController();
    const { wholeMs } = this.limits;
    const limit = setTimeout(() => {
      end.abort(new RunTooLong(wholeMs));
    }, wholeMs);
    const renew = (lease: Lease): Promise<boolean> => this.ledger.keep(held, lease);
    const kept = this.leases.keep({ context: { runId: held.run.id }, renew }, AbortSignal.any([job, end.signal]));
    this.kept.add(end);
    if (this.stopping) this.endAll();
    return {
      signal: kept.signal,
      [Symbol.dispose]: () => {
        clearTimeout(limit);
        kept[Symbol.dispose]();
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
    for (const end of this.kept) end.abort(new LeaseLost('the service is stopping'));
  }
}
