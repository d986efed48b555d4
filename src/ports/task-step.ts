export const TASK_STEP_TYPES = ['plan', 'query', 'chart', 'context', 'check', 'answer', 'error'] as const;
export type TaskStepType = (typeof TASK_STEP_TYPES)[number];

/** One thing that a task's run did, for the person who reads how it came to its answer. */
export interface TaskStep {
  readonly type: TaskStepType;
  /** What was done, in a few words. */
  readonly title: string;
  /** What came of it, in Markdown; cut to 8,000 characters. */
  readonly content: string;
  /** The query that ran; empty if none. */
  readonly dbquery: string;
  /** File name of the chart's image; empty if none. */
  readonly visualization: string;
  readonly startedAt: Date;
  readonly finishedAt: Date;
}

/** A step in its run; the first is 1. */
export interface NumberedTaskStep extends TaskStep {
  readonly index: number;
}
