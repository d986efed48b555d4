import { Injectable } from '@nestjs/common';
import type { Change, Where } from '../../../ports/document-store.js';
import { IdSource } from '../../../ports/id-source.js';
import { JobQueue } from '../../../ports/job-queue.js';
import { LeaseKeeper, NO_LEASE } from '../../../queue/lease-keeper.js';
import type { RunId, TaskId } from '../../../shared/ids.js';
import type { Principal } from '../../../shared/principal.js';
import { AppError } from '../../../shared/app-error.js';
import { TaskRepository } from '../tasks/task.repository.js';
import type { AgentTask } from '../tasks/task.schema.js';
import { RunClosing } from './run-closing.js';
import { RunRecords } from './run-records.js';
import type { AgentRun, RunSeed } from './run.schema.js';

/** A turn of the schedule that is being claimed: it is ours if the task still is as expected. */
export interface Turn {
  readonly plannedAt: Date;
  readonly expected: Where<AgentTask>;
  readonly set: Change<AgentTask>['set'];
}

/**
 * Begins runs, and skips them. The task is changed first, by compare-and-set: whoever succeeds in that has begun the run, and
 * what then fails or is cut off is made up for by the reconciler.
 */
@Injectable()
export class RunStarter {
  constructor(
    private readonly tasks: TaskRepository,
    private readonly records: RunRecords,
    private readonly leases: LeaseKeeper,
    private readonly jobs: JobQueue,
    private readonly ids: IdSource,
  ) {}

  /** Null when the task runs already, was changed, or is gone. `turn`: the schedule's; null: a person asks. */
  async begin(seen: AgentTask, turn: Turn | null, reason: string | null): Promise<AgentTask | null> {
    const seed = this.seed(turn, reason);
    const begun = await this.tasks.swap(
      seen,
      { ...turn?.expected, status: { in: ['ready', 'error'] } },
      { ...turn?.set, status: 'running', seed, runId: seed.runId, lastRunAt: seed.startedAt, ...NO_LEASE },
    );
    if (begun === null) return null;
    await this.records.write(begun, seed, 'running');
    this.records.tell(begun, seed.runId, 'started');
    const { companyId, id: taskId } = begun;
    await this.jobs.enqueue('agent.run', seed.runId, { companyId, taskId, runId: seed.runId });
    return begun;
  }

  /** Takes the turn without a run and records why. */
  async skip(seen: AgentTask, turn: Turn, reason: string): Promise<void> {
    const skip = this.seed(turn, reason);
    const claimed = await this.tasks.swap(seen, turn.expected, { ...turn.set, skip, skippedAt: skip.startedAt });
    if (claimed !== null) await this.recordSkip(claimed);
  }

  /** Writes down the skipped run that the task still carries, if it does. */
  async recordSkip(task: AgentTask): Promise<void> {
    const { skip, skippedAt } = task;
    if (skip === null || skippedAt === null) return;
    await this.records.write(task, skip, 'skipped');
    await this.tasks.swap(task, { skippedAt }, { skip: null, skippedAt: null });
    this.records.tell(task, skip.runId, 'updated');
  }

  private seed(turn: Turn | null, reason: string | null): RunSeed {
    return {
      runId: this.ids.next(),
      trigger: turn === null ? 'manual' : 'schedule',
      plannedAt: turn?.plannedAt ?? null,
      startedAt: this.leases.now(),
      reason,
    };
  }
}

/** What a person does with runs: begins one, and stops it. */
@Injectable()
export class RunService {
  constructor(
    private readonly tasks: TaskRepository,
    private readonly starter: RunStarter,
    private readonly records: RunRecords,
    private readonly closing: RunClosing,
    private readonly jobs: JobQueue,
  ) {}

  /** @throws AppError `not_found`, or `conflict` when it runs already. */
  async run(by: Principal, id: TaskId): Promise<{ readonly task: AgentTask; readonly runId: RunId }> {
    const begun = await this.starter.begin(await this.tasks.get(by.companyId, id), null, null);
    if (begun?.seed != null) return { task: begun, runId: begun.seed.runId };
    await this.tasks.get(by.companyId, id);
    throw new AppError('conflict', 'agent task is already running');
  }

  /** Ends the run; its steps are kept. @throws AppError `not_found`, or `conflict` when it does not run, or ended by itself at this moment. */
  async stop(by: Principal, id: TaskId): Promise<AgentTask> {
    const task = await this.tasks.get(by.companyId, id);
    const run = await this.records.ofRunning(task);
    if (run === null || !(await this.end(run))) throw new AppError('conflict', 'agent task is not running');
    return this.tasks.get(by.companyId, id);
  }

  /** Whoever works on it is told in any case: the store may fail after the run's end is written down. */
  private async end(run: AgentRun): Promise<boolean> {
    try {
      return await this.closing.close(run, { status: 'running' }, { status: 'stopped', error: null });
    } finally {
      await this.jobs.cancel('agent.run', run.id);
    }
  }
}
