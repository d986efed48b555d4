import { Envelope } from '../../../http/envelope.wire.js';
import { type TaskStepView, taskStepView } from '../../../http/task-step.wire.js';
import type { AgentRun, RunStatus, RunTrigger } from '../run/run.types.js';

/** One run of a task, or the note that one was skipped. */
export class RunView {
  readonly id!: string;
  readonly task_id!: string;
  /** manual or schedule. */
  readonly trigger!: RunTrigger;
  /** running, done, error, stopped by a person, or skipped. */
  readonly status!: RunStatus;
  /** Why it was skipped, or what in its condition was met. */
  readonly reason!: string | null;
  /** Times that work on it was begun: 2 after a crash, and when a scheduled run failed at first. */
  readonly attempts!: number;
  readonly steps!: TaskStepView[];
  /** Markdown; empty unless it is done. */
  readonly answer!: string;
  readonly error!: string | null;
  /** When the schedule wanted it; null: a person asked for it. */
  readonly planned_at!: string | null;
  readonly started_at!: string;
  readonly finished_at!: string | null;
}

export class TaskHistoryResponse extends Envelope {
  /** Newest first. */
  readonly history!: RunView[];
  readonly total!: number;
}

export function runView(run: AgentRun): RunView {
  return {
    id: run.id,
    task_id: run.taskId,
    trigger: run.trigger,
    status: run.status,
    reason: run.reason,
    attempts: run.attempts,
    steps: run.steps.map(taskStepView),
    answer: run.answer,
    error: run.status === 'error' ? run.error : null,
    planned_at: run.plannedAt?.toISOString() ?? null,
    started_at: run.startedAt.toISOString(),
    finished_at: run.finishedAt?.toISOString() ?? null,
  };
}
