import { ArrayMaxSize, ArrayMinSize, IsArray, IsIn, IsNumber, IsOptional, ValidateIf } from 'class-validator';
import { TASK_MODES, type TaskMode } from '../../../answering/tasks/task-assignment.js';
import { answerOf, Envelope, onWire } from '../../../http/envelope.wire.js';
import {
  IsIdentifier,
  OptionalFlag,
  OptionalOneOf,
  OptionalPart,
  OptionalText,
  OptionalWholeNumber,
  Recipients,
  Name,
  TrimmedText,
} from '../../../http/fields.js';
import type { MailView } from '../../../http/mail.wire.js';
import { WeeklyTimeBody, weeklyTimeFrom, type WeeklyTimeView, weeklyTimeView } from '../../../http/weekly-time.wire.js';
import { type TaskStepView, taskStepView } from '../../../http/task-step.wire.js';
import { type Comparison, COMPARISONS } from '../../../ports/analysis-plan.js';
import type { DatasourceId, TaskId } from '../../../shared/ids.js';
import {
  ALWAYS,
  CONDITION_AGGREGATES,
  CONDITION_TYPES,
  type ConditionAggregate,
  DEFAULT_INTERVAL,
  type RunCondition,
} from '../schedule/condition.js';
import type { AgentRun, RunStatus, RunTrigger } from '../run/run.schema.js';
import type { ShownRun, ShownTask, TaskDraft, TaskStatus } from './task.schema.js';
import type { ScheduleDraft } from './task.service.js';

const LONGEST_WINDOW = 525_600;

const ifThreshold = ValidateIf(({ type }: ConditionBody) => type === 'threshold');

/** When a scheduled run is worth its while; the fields beside `type` belong to a threshold. */
class ConditionBody {
  /** `new_data`: rows have changed since the last run that ended well. `threshold`: a figure compares so with a value. */
  @IsIn(CONDITION_TYPES) readonly type!: (typeof CONDITION_TYPES)[number];

  /** One of the task's datasources. */
  @ifThreshold
  @IsIdentifier()
  readonly datasource_id?: DatasourceId;

  /** Left out or null with `count`: rows are counted. */
  @ifThreshold
  @OptionalText(1, 1000)
  readonly column?: string | null;

  @ifThreshold
  @IsIn(CONDITION_AGGREGATES)
  readonly aggregate?: ConditionAggregate;

  @ifThreshold
  @IsIn(COMPARISONS, { message: `operator must be one of ${COMPARISONS.join(' ')}` })
  readonly operator?: Comparison;

  @ifThreshold
  @IsNumber({ allowNaN: false, allowInfinity: false })
  readonly value?: number;

  /** Only the rows of so many minutes up to the newest row. */
  @ifThreshold
  @OptionalWholeNumber(1, LONGEST_WINDOW)
  readonly window_minutes?: number | null;
}

class ConditionView {
  readonly type!: (typeof CONDITION_TYPES)[number];
  readonly datasource_id?: string;
  readonly column?: string | null;
  readonly aggregate?: ConditionAggregate;
  readonly operator?: Comparison;
  readonly value?: number;
  readonly window_minutes?: number | null;
}

function conditionFrom(body: ConditionBody): RunCondition {
  if (body.type !== 'threshold') return { type: body.type };
  // A threshold that was checked has these; the others may be left out.
  const { type, datasource_id: datasourceId, aggregate, operator, value } = body as Required<ConditionBody>;
  const { column = null, window_minutes: windowMinutes = null } = body;
  return { type, datasourceId, aggregate, column, operator, value, windowMinutes };
}

function conditionView(condition: RunCondition): ConditionView {
  if (condition.type !== 'threshold') return { type: condition.type };
  return onWire(condition, 'type', 'datasourceId', 'column', 'aggregate', 'operator', 'value', 'windowMinutes');
}

const MOST_DATASOURCES = 20;

export class CreateTaskBody {
  /** Not empty, at most 200 characters. */
  @Name(200) readonly name!: string;
  /** What the task is to find out, in 1 to 8,000 characters. */
  @TrimmedText(1, 8000) readonly prompt!: string;

  /** Ids of 1 to 20 datasources of the company. */
  @IsArray()
  @ArrayMinSize(1, { message: `datasources must name 1 to ${MOST_DATASOURCES} datasources` })
  @ArrayMaxSize(MOST_DATASOURCES, { message: `datasources must name 1 to ${MOST_DATASOURCES} datasources` })
  @IsIdentifier({ each: true, message: 'each of datasources must be a valid identifier' })
  readonly datasources!: DatasourceId[];

  /** `solve` answers the prompt, `report` writes a structured report; default `solve`. */
  @OptionalOneOf(TASK_MODES) readonly mode?: TaskMode;
  /** Plan first, work in several rounds, check the result; default false. */
  @OptionalFlag() readonly thinking?: boolean;
  /** Whether the task runs by itself; default false. */
  @OptionalFlag() readonly automation_enabled?: boolean;
  /** Minutes: 1 to 1440, or one of 15, 30, 60, 120, 1440 when `thinking`; default 15. */
  @IsOptional() @IsNumber() readonly automation_interval?: number;
  /** At times of the week in place of the interval; default null: the interval counts. */
  @OptionalPart(() => WeeklyTimeBody) readonly automation_at?: WeeklyTimeBody | null;
  /** When a scheduled run is worth its while; default always. */
  @OptionalPart(() => ConditionBody) readonly condition?: ConditionBody;
  /** Who gets the result of each run by mail, up to 20: people of the company, and whomever a manager names; default nobody. */
  @Recipients() readonly notify_emails?: string[];
}

export class StopTaskBody {
  @IsIdentifier() readonly task_id!: TaskId;
}

export class TaskView {
  readonly id!: string;
  readonly name!: string;
  readonly prompt!: string;
  readonly datasources!: string[];
  /** ready, running, or error when the last run failed. */
  readonly status!: TaskStatus;
  /** Of the run in progress, or of the last one. */
  readonly steps!: TaskStepView[];
  /** The last run's, in Markdown; empty while it runs, and when it did not end well. */
  readonly answer!: string;
  /** Why the last run failed; null when it did not. */
  readonly error!: string | null;
  /** The run in progress, or the last one. */
  readonly run_id!: string | null;
  readonly mode!: TaskMode;
  readonly thinking!: boolean;
  readonly automation_enabled!: boolean;
  /** Minutes; they count while `automation_at` is null. */
  readonly automation_interval!: number;
  readonly automation_at!: WeeklyTimeView | null;
  /** Scheduled runs that don't meet it are skipped, and recorded as such. */
  readonly condition!: ConditionView;
  /** Who gets the result of each run by mail. */
  readonly notify_emails!: string[];
  readonly next_run_at!: string | null;
  readonly last_run_at!: string | null;
  /** Why the schedule paused itself. */
  readonly schedule_note!: string | null;
  /** Scheduled runs that failed since the last that did not; at 5 the schedule pauses itself. */
  readonly failures_in_a_row!: number;
  readonly created_by!: string;
  readonly created_at!: string;
  readonly updated_at!: string;
}

export class TaskResponse extends answerOf({ task: TaskView }) {}
export class TasksResponse extends answerOf({ tasks: [TaskView], total: Number }) {}

/** A task whose run has begun. */
export class RunningTaskView {
  readonly id!: string;
  readonly status!: TaskStatus;
}

export class RunStartedResponse extends answerOf({ task: RunningTaskView, run_id: String }) {}

export function taskDraftFrom(body: CreateTaskBody): TaskDraft {
  return {
    name: body.name,
    prompt: body.prompt,
    datasources: [...new Set(body.datasources)],
    mode: body.mode ?? 'solve',
    thinking: body.thinking ?? false,
    automationEnabled: body.automation_enabled ?? false,
    automationInterval: body.automation_interval ?? DEFAULT_INTERVAL,
    automationAt: body.automation_at == null ? null : weeklyTimeFrom(body.automation_at),
    condition: body.condition == null ? ALWAYS : conditionFrom(body.condition),
    notifyEmails: body.notify_emails ?? [],
  };
}

export function taskView({ task, run }: ShownTask): TaskView {
  return {
    ...onWire(task, 'id', 'name', 'prompt', 'datasources', 'status', 'runId', 'mode', 'thinking'),
    ...onWire(task, 'automationEnabled', 'automationInterval', 'nextRunAt', 'lastRunAt', 'scheduleNote'),
    ...onWire(task, 'failuresInARow', 'createdBy', 'createdAt', 'updatedAt'),
    ...outcomeView(run),
    automation_at: task.automationAt && weeklyTimeView(task.automationAt),
    condition: conditionView(task.condition),
    notify_emails: task.notifyEmails.map(({ address }) => address),
  };
}

function outcomeView(run: AgentRun | null): Pick<TaskView, 'steps' | 'answer' | 'error'> {
  if (run === null) return { steps: [], answer: '', error: null };
  // While it runs, its error is why the first attempt failed, which its steps tell.
  const error = run.status === 'error' ? run.error : null;
  return { steps: run.steps.map(taskStepView), answer: run.answer, error };
}

export class ScheduleBody {
  @IsIdentifier() readonly task_id!: TaskId;
  /** Minutes: 1 to 1440, or one of 15, 30, 60, 120, 1440 when the task is `thinking`. */
  @IsNumber() readonly automation_interval!: number;
  /** At times of the week in place of the interval. Left out or null: the interval counts, and a pause keeps what there was. */
  @OptionalPart(() => WeeklyTimeBody) readonly automation_at?: WeeklyTimeBody | null;
  /** False pauses the schedule and keeps the interval. */
  @OptionalFlag() readonly automation_enabled?: boolean;
  /** Left out: stays as it is. */
  @OptionalPart(() => ConditionBody) readonly condition?: ConditionBody;
  /** Who gets the result of each run by mail, up to 20: people of the company, and whomever a manager names. Left out: stays as it is. */
  @Recipients() readonly notify_emails?: string[];
}

export function scheduleFrom(body: ScheduleBody): ScheduleDraft {
  return {
    taskId: body.task_id,
    interval: body.automation_interval,
    at: body.automation_at == null ? null : weeklyTimeFrom(body.automation_at),
    enabled: body.automation_enabled ?? true,
    condition: body.condition == null ? null : conditionFrom(body.condition),
    notifyEmails: body.notify_emails ?? null,
  };
}

/** One run of a task, or the note that one was skipped. */
class RunView {
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
  /** Who was mailed its result; kept for 30 days. */
  readonly mails!: MailView[];
}

export class TaskHistoryResponse extends Envelope {
  /** Newest first. */
  readonly history!: RunView[];
  readonly total!: number;
}

export function runView({ run, mails }: ShownRun): RunView {
  return {
    ...onWire(run, 'id', 'taskId', 'trigger', 'status', 'reason', 'attempts', 'plannedAt', 'startedAt', 'finishedAt'),
    ...outcomeView(run),
    mails: [...mails],
  };
}
