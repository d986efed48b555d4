import { Schema } from 'mongoose';
import { TASK_MODES, type TaskMode } from '../../../answering/tasks/task-assignment.js';
import { BIN_FIELDS, type BinDocument } from '../../../ports/bin-repository.js';
import type { CollectionDefinition } from '../../../ports/document-store.js';
import type { DatasourceId, RunId, TaskId, UserId } from '../../../shared/ids.js';
import type { Rhythm, WeeklyTime } from '../../../shared/planned-turns.js';
import type { MailState, Recipient } from '../../deliveries/mail.facade.js';
import { type AgentRun, RUN_TRIGGERS, type RunSeed } from '../run/run.schema.js';
import type { RunCondition } from '../schedule/condition.js';

export const TASK_STATUSES = ['ready', 'running', 'error'] as const;
/** `error`: the last run failed. It can be run again. */
export type TaskStatus = (typeof TASK_STATUSES)[number];

/** A question that a company's users ask of datasources again and again. */
export interface AgentTask extends BinDocument {
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
    runId: { type: String, required: true },
    trigger: { type: String, enum: RUN_TRIGGERS, required: true },
    plannedAt: { type: Date, default: null },
    startedAt: { type: Date, required: true },
    reason: { type: String, default: null },
  },
  { _id: false },
);

const schema = new Schema(
  {
    companyId: { type: String, required: true },
    createdBy: { type: String, required: true },
    name: { type: String, required: true },
    prompt: { type: String, required: true },
    datasources: { type: [String], required: true },
    datasourceNames: { type: [String], default: [] },
    mode: { type: String, enum: TASK_MODES, required: true },
    thinking: { type: Boolean, required: true },
    status: { type: String, enum: TASK_STATUSES, required: true },
    runId: { type: String, default: null },
    seed: { type: seed, default: null },
    lastRunAt: { type: Date, default: null },
    leaseOwner: { type: String, default: null },
    leaseUntil: { type: Date, default: null },
    automationEnabled: { type: Boolean, required: true },
    automationInterval: { type: Number, required: true },
    automationAt: { type: Schema.Types.Mixed, default: null },
    notifyEmails: { type: [Schema.Types.Mixed], default: [] },
    condition: { type: Schema.Types.Mixed, required: true },
    nextRunAt: { type: Date, default: null },
    scheduledAt: { type: Date, default: null },
    scheduleNote: { type: String, default: null },
    failuresInARow: { type: Number, default: 0 },
    skip: { type: seed, default: null },
    skippedAt: { type: Date, default: null },
    ...BIN_FIELDS,
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
  },
  { minimize: false },
);
schema.index({ companyId: 1, createdAt: -1 });
schema.index({ status: 1 });
schema.index({ nextRunAt: 1 });
schema.index({ scheduledAt: 1 });
schema.index({ skippedAt: 1 });
schema.index({ restorableUntil: 1, deletedAt: 1 });
schema.index({ companyId: 1, restorableUntil: 1 });

export const AGENT_TASKS: CollectionDefinition<AgentTask> = { name: 'agent-tasks', schema };
