import { Schema } from 'mongoose';
import { TASK_MODES, type TaskMode } from '../../../answering/tasks/task-assignment.js';
import type { BinDocument } from '../../../ports/bin-repository.js';
import { binKind, LEASE_FIELDS, lists, MIXED, nullable, required } from '../../../ports/stored-kind.schema.js';
import type { Leased } from '../../../queue/lease-keeper.js';
import type { DatasourceId, RunId, TaskId, UserId } from '../../../shared/ids.js';
import type { Rhythm, WeeklyTime } from '../../../shared/planned-turns.js';
import type { MailState, Recipient } from '../../deliveries/mail.facade.js';
import { type AgentRun, RUN_TRIGGERS, type RunSeed } from '../run/run.schema.js';
import type { RunCondition } from '../schedule/condition.js';

export const TASK_STATUSES = ['ready', 'running', 'error'] as const;
/** `error`: the last run failed. It can be run again. */
export type TaskStatus = (typeof TASK_STATUSES)[number];

/** A question that a company's users ask of datasources again and again. Whoever works on its run holds the lease. */
export interface AgentTask extends BinDocument, Leased {
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
  readonly automationEnabled: boolean;
  /** Minutes; they count while there is no `automationAt`. */
  readonly automationInterval: number;
  readonly automationAt: WeeklyTime | null;
  /** Who gets the result of each run by mail. */
  readonly notifyEmails: readonly Recipient[];
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
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** What a caller asks for. */
export type TaskDraft = Pick<
  AgentTask,
  | 'name'
  | 'prompt'
  | 'datasources'
  | 'mode'
  | 'thinking'
  | 'automationEnabled'
  | 'automationInterval'
  | 'automationAt'
  | 'condition'
> & { readonly notifyEmails: readonly string[] };

export function rhythmOf(task: Pick<AgentTask, 'automationInterval' | 'automationAt'>): Rhythm {
  return task.automationAt ?? task.automationInterval;
}

/** A run of the history, and how its mails stand. */
export interface ShownRun {
  readonly run: AgentRun;
  readonly mails: readonly MailState[];
}

/** A task and the run whose steps and answer it shows; null before the first. */
export interface ShownTask {
  readonly task: AgentTask;
  readonly run: AgentRun | null;
}

const seed = new Schema(
  {
    ...required({ runId: String, startedAt: Date }),
    trigger: { type: String, enum: RUN_TRIGGERS, required: true },
    ...nullable({ plannedAt: Date, reason: String }),
  },
  { _id: false },
);

export const AGENT_TASKS = binKind<AgentTask>(
  'agent-tasks',
  {
    ...required({ createdBy: String, name: String, prompt: String, thinking: Boolean, condition: MIXED }),
    ...required({ automationEnabled: Boolean, automationInterval: Number, createdAt: Date, updatedAt: Date }),
    mode: { type: String, enum: TASK_MODES, required: true },
    status: { type: String, enum: TASK_STATUSES, required: true },
    datasources: { type: [String], required: true },
    ...lists({ datasourceNames: String, notifyEmails: MIXED }),
    ...nullable({ runId: String, seed, lastRunAt: Date, automationAt: MIXED, nextRunAt: Date, scheduledAt: Date }),
    ...nullable({ scheduleNote: String, skip: seed, skippedAt: Date }),
    ...LEASE_FIELDS,
    failuresInARow: { type: Number, default: 0 },
  },
  [{ companyId: 1, createdAt: -1 }, { status: 1 }, { nextRunAt: 1 }, { scheduledAt: 1 }, { skippedAt: 1 }],
);
