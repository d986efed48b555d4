import type { NumberedTaskStep, TaskStepType } from '../ports/task-step.js';
import { onWire } from './envelope.wire.js';

/** One thing that a task's run did, as routes and frames carry it. */
export class TaskStepView {
  /** Its place in the run; the first is 1. */
  readonly index!: number;
  readonly type!: TaskStepType;
  readonly title!: string;
  /** Markdown. */
  readonly content!: string;
  /** The query that ran; empty if none. */
  readonly dbquery!: string;
  /** File name of the chart's image; empty if none. */
  readonly visualization!: string;
  /** ISO 8601. */
  readonly started_at!: string;
  /** ISO 8601. */
  readonly finished_at!: string;
}

export function taskStepView(step: NumberedTaskStep): TaskStepView {
  return onWire(step, 'index', 'type', 'title', 'content', 'dbquery', 'visualization', 'startedAt', 'finishedAt');
}
