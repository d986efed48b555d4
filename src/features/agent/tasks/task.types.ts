import type { TaskMode } from '../../../answering/tasks/task-assignment.js';
import type { TenantDocument } from '../../../ports/document-store.js';
import type { DatasourceId, RunId, TaskId, UserId } from '../../../shared/ids.js';
import type { AgentRun, RunSeed } from '../run/run.types.js';
import type { RunCondition } from '../schedule/condition.types.js';

export const TASK_STATUSES = ['ready', 'running', 'error'] as const;
/** `error`: the last run failed. It can be run again. */
export type TaskStatus = (typeof TASK_STATUSES)[number];

/** A question that a company's users ask of datasources again and again. */
export interface AgentTask extends TenantDocument {
  readonly id: TaskId;
  readonly createdBy: UserId;
  readonly name: string;
  readonly prompt: string;
  readonly datasources: readonly DatasourceId[];
  /** As they were at the creation, to tell people which one is gone. */
  readonly datasourceNames: readonly string[];
  readonly mode: TaskMode;
  readonly thinking: boolean;
  readonly status: TaskStatus;
  /** The run in progress, or the last one; null before the first. Skipped ones don't count. */
  readonly runId: RunId | null;
  /** Of the run in progress; null when there is none. */
  readonly seed: RunSeed | null;
  readonly lastRunAt: Date | null;
  /** Whoever works on the run holds a lease, so that nothing stays `running` when they die. */
  readonly leaseOwner: string | null;
  readonly leaseUntil: Date | null;
  readonly automationEnabled: boolean;
  /** Minutes. */
  readonly automationInterval: number;
  /** Scheduled runs alone look at it. */
  readonly condition: RunCondition;
  /** Null while the schedule is off. */
  readonly nextRunAt: Date | null;
  /** What the clock said when `nextRunAt` was set: later than now means that the clock was set back. */
  readonly scheduledAt: Date | null;
  /** Why the schedule paused itself. */
  readonly scheduleNote: string | null;
  /** Scheduled runs that failed since the last run that did not. */
  readonly failuresInARow: number;
  /** A skipped run that was claimed and is not recorded yet, and since when; null both: there is none. */
  readonly skip: RunSeed | null;
  readonly skippedAt: Date | null;
  /** Set from the moment of deletion until its runs are gone; nobody sees it then. */
  readonly deletedAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** What a caller asks for. */
export interface TaskDraft {
  readonly name: string;
  readonly prompt: string;
  readonly datasources: readonly DatasourceId[];
  readonly mode: TaskMode;
  readonly thinking: boolean;
  readonly automationEnabled: boolean;
  readonly automationInterval: number;
  readonly condition: RunCondition;
}

/** A task and the run whose steps and answer it shows; null before the first. */
export interface ShownTask {
  readonly task: AgentTask;
  readonly run: AgentRun | null;
}
