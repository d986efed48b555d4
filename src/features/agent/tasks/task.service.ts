import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AGENT_TASKS, type AgentTask, rhythmOf, type ShownRun, type ShownTask, type TaskDraft } from './task.schema.js';
import { type NotebookPart, Notebooks, type WrittenNotebook } from '../../../answering/notebook.js';
import { Clock } from '../../../ports/clock.js';
import { IdSource } from '../../../ports/id-source.js';
import { Log, warned } from '../../../ports/log.js';
import { NEWEST_FIRST } from '../../../ports/tenant-repository.js';
import { AppError } from '../../../shared/app-error.js';
import type { RunId, TaskId } from '../../../shared/ids.js';
import type { Page, PageOf } from '../../../shared/page.js';
import { firstTurn, turnWhenSet, type WeeklyTime } from '../../../shared/planned-turns.js';
import { assertMayManage, manageableBy, type Principal } from '../../../shared/principal.js';
import { Bin } from '../../bin/bin.facade.js';
import { DatasourceFacade, type ReadableDatasource } from '../../datasource/datasource.facade.js';
import { MailFacade, RecipientsFacade } from '../../deliveries/mail.facade.js';
import { RunRemover } from '../run/run-records.js';
import { RunRepository } from '../run/run.repository.js';
import type { AgentRun } from '../run/run.schema.js';
import { assertCondition, assertInterval, type RunCondition } from '../schedule/condition.js';
import { TaskRepository } from './task.repository.js';

/** What a caller wants of a schedule; without a condition the task's own stays. */
export interface ScheduleDraft {
  readonly taskId: TaskId;
  readonly interval: number;
  /** Counts in place of the interval; null: the interval does. Left out of a pause, it stays. */
  readonly at: WeeklyTime | null;
  readonly enabled: boolean;
  readonly condition: RunCondition | null;
  /** Null: those who are named stay. */
  readonly notifyEmails: readonly string[] | null;
}

/** Makes tasks and sets their schedules. They belong to the company: every user of it may run them, and so do both. */
@Injectable()
export class TaskService {
  constructor(
    private readonly tasks: TaskRepository,
    private readonly datasources: DatasourceFacade,
    private readonly recipients: RecipientsFacade,
    private readonly ids: IdSource,
    private readonly clock: Clock,
  ) {
    recipients.keptIn(tasks, (task, notifyEmails) => tasks.swap(task, {}, { notifyEmails }));
  }

  /** @throws AppError `invalid_input`, `not_found` when a datasource is not the company's, `conflict` when a condition can't be checked yet, `forbidden` for a recipient. */
  async create(by: Principal, draft: TaskDraft): Promise<ShownTask> {
    assertInterval(draft.automationInterval, draft.thinking);
    const datasources = await this.datasourcesOf(by, draft);
    assertCondition(draft.condition, datasources);
    const notifyEmails = await this.recipients.checked(by, draft.notifyEmails);
    const now = this.clock.now();
    const task: AgentTask = {
      ...AGENT_TASKS.blank,
      ...draft,
      notifyEmails,
      id: this.ids.next(),
      companyId: by.companyId,
      createdBy: by.userId,
      datasourceNames: datasources.map(({ name }) => name),
      status: 'ready',
      nextRunAt: draft.automationEnabled ? firstTurn(now, rhythmOf(draft)) : null,
      scheduledAt: draft.automationEnabled ? now : null,
      failuresInARow: 0,
      createdAt: now,
      updatedAt: now,
    };
    await this.tasks.insert(task);
    return { task, run: null };
  }

  /** A pause keeps the interval; resuming, or another interval, counts from now. @throws AppError `not_found`, `invalid_input`, `conflict`, `forbidden` */
  async schedule(by: Principal, draft: ScheduleDraft): Promise<AgentTask> {
    for (;;) {
      const task = await this.tasks.get(by.companyId, draft.taskId);
      assertInterval(draft.interval, task.thinking);
      if (draft.condition?.type === 'threshold') await this.assertFits(task, draft.condition);
      const notifyEmails = await this.recipients.checked(by, draft.notifyEmails, task.notifyEmails);
      const { automationEnabled, automationInterval, nextRunAt } = task;
      const changed = await this.tasks.swap(
        task,
        { automationEnabled, automationInterval, nextRunAt },
        { ...scheduleChange(task, draft, this.clock.now()), notifyEmails },
      );
      // Null: somebody changed the schedule at this moment, or it paused itself.
      if (changed !== null) return changed;
    }
  }

  /** @throws AppError `not_found`, saying which of them is not the company's. */
  private async datasourcesOf({ companyId }: Principal, draft: TaskDraft): Promise<readonly ReadableDatasource[]> {
    const found = await this.datasources.findAll(companyId, draft.datasources);
    return found.map((datasource, index) => {
      if (datasource !== null) return datasource;
      const problem = `datasource ${index + 1} of ${found.length} not found`;
      throw new AppError('not_found', problem, { details: [{ field: `datasources.${index}`, problem }] });
    });
  }

  /** A deleted datasource is no reason to refuse a condition on another. */
  private async assertFits({ companyId, datasources }: AgentTask, condition: RunCondition): Promise<void> {
    const found = await this.datasources.findAll(companyId, datasources);
    const kept = found.filter((datasource) => datasource !== null);
    assertCondition(condition, kept);
  }
}

function scheduleChange(
  task: AgentTask,
  { interval, at, enabled, condition }: ScheduleDraft,
  now: Date,
): Partial<AgentTask> {
  const before = task.automationEnabled ? rhythmOf(task) : null;
  const nextRunAt = turnWhenSet(before, enabled ? (at ?? interval) : null, now);
  return {
    automationEnabled: enabled,
    automationInterval: interval,
    ...(enabled || at !== null ? { automationAt: at } : {}),
    ...(condition === null ? {} : { condition }),
    ...(nextRunAt === undefined ? {} : { nextRunAt, scheduledAt: now }),
    scheduleNote: null,
    failuresInARow: 0,
    updatedAt: now,
  };
}

/** Reads tasks, beside the run whose steps and answer they show, and what they have done. */
@Injectable()
export class TaskReader {
  constructor(
    private readonly tasks: TaskRepository,
    private readonly runs: RunRepository,
    private readonly notebooks: Notebooks,
    private readonly mail: MailFacade,
  ) {}

  async get(by: Principal, id: TaskId): Promise<ShownTask> {
    return this.shown(await this.tasks.get(by.companyId, id));
  }

  async list(by: Principal, page: Page): Promise<PageOf<ShownTask>> {
    const { entries, total } = await this.tasks.pageOf(by.companyId, { deletedAt: null }, page, NEWEST_FIRST);
    const ids = entries.flatMap(({ runId }) => (runId === null ? [] : [runId]));
    const found = await this.runs.allWhere(by.companyId, { id: { in: ids } });
    const runs = new Map(found.map((run) => [run.id, run]));
    const shown = entries.map((task) => ({ task, run: task.runId === null ? null : (runs.get(task.runId) ?? null) }));
    return { entries: shown, total };
  }

  /** A task's runs, newest first. @throws AppError `not_found` */
  async history(by: Principal, id: TaskId, page: Page): Promise<PageOf<ShownRun>> {
    await this.tasks.get(by.companyId, id);
    const { entries, total } = await this.runs.pageOf(by.companyId, { taskId: id }, page, [['id', 'desc']]);
    const ids = entries.map((run) => run.id);
    const mails = await this.mail.about(by.companyId, ids);
    return { entries: entries.map((run) => ({ run, mails: mails.get(run.id) ?? [] })), total };
  }

  async shown(task: AgentTask): Promise<ShownTask> {
    return { task, run: task.runId === null ? null : await this.runs.find(task.companyId, task.runId) };
  }

  /** One of a task's runs as a notebook; null: the last. @throws AppError `not_found`, also when it never ran */
  async notebook(by: Principal, id: TaskId, runId: RunId | null): Promise<WrittenNotebook> {
    const task = await this.tasks.get(by.companyId, id);
    const wanted = runId ?? task.runId;
    const run = wanted === null ? null : await this.runs.find(by.companyId, wanted);
    if (run?.taskId !== id) throw new AppError('not_found', 'agent task run not found');
    return this.notebooks.write(by.companyId, task.name, partsOf(task, run));
  }
}

const BARE: NotebookPart = {
  title: '',
  text: '',
  query: '',
  data: null,
  rowsReturned: 0,
  visualization: '',
  sources: [],
};

function partsOf({ prompt }: AgentTask, { steps, figures, error, answer }: AgentRun): readonly NotebookPart[] {
  const done = steps
    .filter(({ type }) => type !== 'answer')
    .map(({ title, content: text, dbquery: query, visualization }) => ({ ...BARE, title, text, query, visualization }));
  const rows = figures.map(({ label, value }) => [label, value]);
  const data = rows.length === 0 ? null : { columns: ['figure', 'value'], rows };
  const asked = { ...BARE, title: 'The task', text: prompt };
  return [asked, ...done, { ...BARE, title: 'The answer', text: error ?? answer, data }];
}

const PROTECTED_MS = 10 * 60_000;

/** Deletes tasks: their creator may, and managers. Their records go last, so that an interrupted removal is found again. */
@Injectable()
export class TaskDeletion implements OnModuleInit {
  constructor(
    private readonly tasks: TaskRepository,
    private readonly runs: RunRemover,
    private readonly clock: Clock,
    private readonly bin: Bin,
    private readonly log: Log,
  ) {}

  onModuleInit(): void {
    this.bin.holds({
      kind: 'task',
      things: this.tasks,
      nameOf: ({ name }) => name,
      deletableBy: manageableBy,
      whenRestored: (task) => {
        const now = this.clock.now();
        return task.automationEnabled ? { nextRunAt: firstTurn(now, rhythmOf(task)), scheduledAt: now } : {};
      },
      remove: (task) => this.remove(task),
    });
  }

  /**
   * Hides the task at once and ends its run. When it is `permanent`, its history and images are removed.
   *
   * @throws AppError `not_found`, `forbidden`, or `conflict` when its run began less than ten minutes ago.
   */
  async delete(by: Principal, id: TaskId, permanent: boolean): Promise<void> {
    for (;;) {
      const task = await this.tasks.get(by.companyId, id);
      assertMayManage(by, task);
      const now = this.clock.now();
      assertDeletable(task, now);
      const { status, runId } = task;
      const deletion = { at: now, permanent };
      const deleted = await this.tasks.hide(task, { status, runId }, deletion, { nextRunAt: null });
      // Null: a run began or ended at this moment, so look again.
      if (deleted === null) continue;
      if (runId !== null) await this.runs.cancel(runId);
      if (permanent) await this.remove(deleted);
      return;
    }
  }

  /** Never rejects: nobody sees the task any more, and what could not be removed now is removed by the bin's next turn. */
  private async remove(deleted: AgentTask): Promise<void> {
    const { companyId, id: taskId } = deleted;
    await this.runs
      .removeAll(companyId, taskId)
      .then(() => this.tasks.removeDeleted(deleted))
      .catch(warned(this.log, 'a deleted task could not be removed yet', { taskId }));
  }
}

/** @throws AppError `conflict` */
function assertDeletable({ status, lastRunAt }: Pick<AgentTask, 'status' | 'lastRunAt'>, now: Date): void {
  if (status !== 'running' || lastRunAt === null) return;
  if (now.getTime() - lastRunAt.getTime() > PROTECTED_MS) return;
  const problem = 'stop it first, or delete it when its run began more than 10 minutes ago';
  throw new AppError('conflict', `agent task is running: ${problem}`);
}
