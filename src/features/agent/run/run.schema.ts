import { Schema } from 'mongoose';
import type { TaskFigure } from '../../../answering/tasks/task-assignment.js';
import type { TenantDocument } from '../../../ports/document-store.js';
import { lists, MIXED, nullable, required, tenantKind } from '../../../ports/stored-kind.schema.js';
import type { NumberedTaskStep } from '../../../ports/task-step.js';
import type { RunId, TaskId } from '../../../shared/ids.js';

export const RUN_TRIGGERS = ['manual', 'schedule'] as const;
export type RunTrigger = (typeof RUN_TRIGGERS)[number];

export const RUN_STATUSES = ['running', 'done', 'error', 'stopped', 'skipped'] as const;
/** `stopped`: ended by a person. `skipped`: due, and not begun, for the run's `reason`. */
export type RunStatus = (typeof RUN_STATUSES)[number];

/** Which state of its rows each datasource had, by datasource id. */
export type SeenVersions = Readonly<Record<string, string>>;

/** What is settled of a run before it begins. It stands on the task, which is changed first, so that no run is ever half-claimed. */
export interface RunSeed {
  readonly runId: RunId;
  readonly trigger: RunTrigger;
  /** When the schedule wanted it; null: a person asked for it. */
  readonly plannedAt: Date | null;
  readonly startedAt: Date;
  /** Why it was begun, or skipped, in words; null when there is nothing to say. */
  readonly reason: string | null;
}

/** One run of a task, or the note that one was skipped. */
export interface AgentRun extends TenantDocument, Omit<RunSeed, 'runId'> {
  readonly id: RunId;
  readonly taskId: TaskId;
  readonly status: RunStatus;
  /** Times that work on it was begun. Who works on it changes it only while this is as they left it. */
  readonly attempts: number;
  readonly steps: readonly NumberedTaskStep[];
  /** Markdown; empty until it is done. */
  readonly answer: string;
  /** Why it failed; while it runs, why its first attempt did. */
  readonly error: string | null;
  readonly figures: readonly TaskFigure[];
  readonly versions: SeenVersions;
  /** It is over, and the company's webhook has not been told. */
  readonly unannounced: boolean;
  readonly finishedAt: Date | null;
}

/** How a run ends. */
export interface RunEnding {
  readonly status: 'done' | 'error' | 'stopped';
  readonly answer?: string;
  readonly figures?: readonly TaskFigure[];
  readonly error: string | null;
}

const figure = new Schema(
  {
    key: { type: String, default: '' },
    label: { type: String, default: '' },
    value: { type: Number, required: true },
  },
  { _id: false },
);

export const AGENT_RUNS = tenantKind<AgentRun>(
  'agent-runs',
  {
    ...required({ taskId: String, startedAt: Date }),
    trigger: { type: String, enum: RUN_TRIGGERS, required: true },
    status: { type: String, enum: RUN_STATUSES, required: true },
    ...nullable({ plannedAt: Date, reason: String, error: String, finishedAt: Date }),
    attempts: { type: Number, default: 0 },
    // Made by us alone, and written whole with each step: checking every one each time would cost their square.
    ...lists({ steps: MIXED, figures: figure }),
    answer: { type: String, default: '' },
    versions: { type: MIXED, default: {} },
    unannounced: { type: Boolean, default: false },
  },
  [
    { companyId: 1, taskId: 1, _id: -1 },
    { companyId: 1, taskId: 1, status: 1, _id: -1 },
    { companyId: 1, taskId: 1, plannedAt: 1 },
    { unannounced: 1 },
  ],
);
