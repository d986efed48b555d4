import { Injectable } from '@nestjs/common';
import type { JobPayloads } from '../../../ports/jobs.js';
import type { NumberedTaskStep } from '../../../ports/task-step.js';
import { type KeptLease, type Lease, type Leased, LeaseKeeper, NO_LEASE } from '../../../queue/lease-keeper.js';
import { TaskRepository } from '../tasks/task.repository.js';
import type { AgentTask } from '../tasks/task.schema.js';
import { RunClosing } from './run-closing.js';
import { nextStep, RunRecords, troubleStep } from './run-records.js';
import { RunRepository } from './run.repository.js';
import type { AgentRun, RunEnding, SeenVersions } from './run.schema.js';

type Run = JobPayloads['agent.run'];

/** A run may be begun again once: after a crash, and when the schedule's failed. */
export const MOST_ATTEMPTS = 2;
const INTERRUPTED = 'the run was given up after two attempts: the service ended while it worked on it';

/** A run that this instance works on. */
export interface HeldRun {
  readonly task: AgentTask;
  readonly run: AgentRun;
}

/** Writes down what becomes of a run, as long as it is ours: step by step, and how it ended. */
@Injectable()
export class RunLedger {
  constructor(
    private readonly tasks: TaskRepository,
    private readonly runs: RunRepository,
    private readonly records: RunRecords,
    private readonly closing: RunClosing,
    private readonly leases: LeaseKeeper,
  ) {}

  /** Takes the lease and begins an attempt; null when there is nothing to do: it is over, or somebody else's. */
  async take(payload: Run): Promise<HeldRun | null> {
    const task = await this.takeLease(payload);
    const run = task === null ? null : await this.records.ofRunning(task);
    if (task === null || run === null) return null;
    if (run.status !== 'running') {
      await this.closing.settle(run);
      return null;
    }
    if (run.attempts >= MOST_ATTEMPTS) {
      await this.finish({ task, run }, { status: 'error', error: run.error ?? INTERRUPTED });
      return null;
    }
    const begun = await this.beginAttempt(run);
    return begun === null ? null : { task, run: begun };
  }

  keep(held: HeldRun, signal: AbortSignal): KeptLease {
    const renew = (lease: Lease): Promise<boolean> => this.lease(held, lease);
    return this.leases.keep({ context: { runId: held.run.id }, renew }, signal);
  }

  /** Which rows the run reads. */
  async note({ run }: HeldRun, versions: SeenVersions): Promise<void> {
    await this.runs.swap(run, ours(run), { versions });
  }

  /** Adds the last of these steps to the record and tells it. False when the run is not ours any more. */
  async add({ task, run }: HeldRun, steps: readonly NumberedTaskStep[]): Promise<boolean> {
    const added = await this.runs.swap(run, ours(run), { steps });
    if (added === null) await this.closing.forget(run.companyId, steps.slice(-1));
    else this.records.tell(task, run.id, 'step', steps.at(-1));
    return added !== null;
  }

  /** Leaves the run to a second attempt, here or elsewhere, and why. False when it is not ours any more. */
  async failAttempt(held: HeldRun, error: string): Promise<boolean> {
    const noted = await this.runs.swap(held.run, ours(held.run), { error });
    return noted !== null && (await this.lease(held, NO_LEASE));
  }

  /** Whoever comes second finds that it is over already: the first word counts. */
  async finish({ run }: HeldRun, ending: RunEnding): Promise<void> {
    await this.closing.close(run, ours(run), ending);
  }

  /** The last word on a run that can't be worked on, unless it has got one meanwhile. */
  async giveUp(payload: Run, error: string): Promise<void> {
    const task = await this.takeLease(payload);
    const run = task === null ? null : await this.records.ofRunning(task);
    if (task !== null && run !== null) await this.finish({ task, run }, { status: 'error', error: run.error ?? error });
  }

  private async lease({ task }: HeldRun, lease: Leased): Promise<boolean> {
    const expected = { status: 'running', runId: task.runId, leaseOwner: this.leases.owner } as const;
    return (await this.tasks.swap(task, expected, lease)) !== null;
  }

  private async takeLease({ companyId, taskId, runId }: Run): Promise<AgentTask | null> {
    const seen = await this.tasks.find(companyId, taskId);
    if (seen?.status !== 'running' || seen.runId !== runId || !this.leases.mayTake(seen)) return null;
    const { leaseOwner, leaseUntil } = seen;
    return this.tasks.swap(seen, { status: 'running', runId, leaseOwner, leaseUntil }, this.leases.lease());
  }

  private async beginAttempt(run: AgentRun): Promise<AgentRun | null> {
    const steps = run.attempts === 0 ? [] : this.retrySteps(run);
    const begun = await this.runs.swap(run, ours(run), { attempts: run.attempts + 1, steps, error: null });
    if (begun !== null) await this.closing.forget(run.companyId, run.steps);
    return begun;
  }

  private retrySteps({ error }: AgentRun): readonly NumberedTaskStep[] {
    const title = error === null ? 'The first attempt was interrupted' : 'The first attempt failed';
    const why = error ?? 'The service was interrupted while it worked on the run.';
    const step = nextStep([], troubleStep(title, why, this.leases.now()));
    return step === null ? [] : [step];
  }
}

/** Nobody ended it, and nobody began another attempt. */
function ours(run: AgentRun): { readonly status: 'running'; readonly attempts: number } {
  return { status: 'running', attempts: run.attempts };
}
