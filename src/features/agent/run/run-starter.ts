import { Injectable } from '@nestjs/common';
import type { Change, Where } from '../../../ports/document-store.js';
import { IdSource } from '../../../ports/id-source.js';
import { JobQueue } from '../../../ports/job-queue.js';
import { LeaseKeeper, NO_LEASE } from '../../../queue/lease-keeper.js';
import { TaskRepository } from '../tasks/task.repository.js';
import type { AgentTask } from '../tasks/task.types.js';
import { RunRecords } from './run-records.js';
import type { RunSeed } from './run.types.js';

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
    await this.jobs.enqueue('agent.run', seed.runId, {
      companyId: begun.companyId,
      taskId: begun.id,
      runId: seed.runId,
    });
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
