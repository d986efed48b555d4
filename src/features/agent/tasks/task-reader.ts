import { Injectable } from '@nestjs/common';
import type { RunId, TaskId } from '../../../shared/ids.js';
import { type NotebookPart, Notebooks } from '../../../answering/notebook.js';
import type { Page, PageOf } from '../../../shared/page.js';
import type { Principal } from '../../../shared/principal.js';
import { MailFacade } from '../../deliveries/mail.facade.js';
import { noSuchRun } from '../agent.errors.js';
import { RunRepository } from '../run/run.repository.js';
import type { AgentRun } from '../run/run.types.js';
import { TaskRepository } from './task.repository.js';
import type { AgentTask, ShownRun, ShownTask } from './task.types.js';

export interface RunNotebook {
  readonly name: string;
  readonly notebook: Buffer;
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

  /** @throws AppError `not_found` */
  async get(by: Principal, id: TaskId): Promise<ShownTask> {
    return this.shown(await this.tasks.get(by.companyId, id));
  }

  /** Newest first. */
  async list(by: Principal, page: Page): Promise<PageOf<ShownTask>> {
    const { entries, total } = await this.tasks.list(by.companyId, page);
    const ids = entries.flatMap(({ runId }) => (runId === null ? [] : [runId]));
    const runs = new Map((await this.runs.findAll(by.companyId, ids)).map((run) => [run.id, run]));
    const shown = entries.map((task) => ({ task, run: task.runId === null ? null : (runs.get(task.runId) ?? null) }));
    return { entries: shown, total };
  }

  /** A task's runs, newest first. @throws AppError `not_found` */
  async history(by: Principal, id: TaskId, page: Page): Promise<PageOf<ShownRun>> {
    await this.tasks.get(by.companyId, id);
    const { entries, total } = await this.runs.history(by.companyId, id, page);
    const mails = await this.mail.about(
      by.companyId,
      entries.map((run) => run.id),
    );
    return { entries: entries.map((run) => ({ run, mails: mails.get(run.id) ?? [] })), total };
  }

  async shown(task: AgentTask): Promise<ShownTask> {
    return { task, run: task.runId === null ? null : await this.runs.find(task.companyId, task.runId) };
  }

  /** One of a task's runs as a notebook; null: the last. @throws AppError `not_found`, also when it never ran */
  async notebook(by: Principal, id: TaskId, runId: RunId | null): Promise<RunNotebook> {
    const task = await this.tasks.get(by.companyId, id);
    const wanted = runId ?? task.runId;
    const run = wanted === null ? null : await this.runs.find(by.companyId, wanted);
    if (run?.taskId !== id) throw noSuchRun();
    return { name: task.name, notebook: await this.notebooks.write(by.companyId, task.name, partsOf(task, run)) };
  }
}

const BARE: NotebookPart = { title: '', text: '', query: '', data: null, visualization: '' };

function partsOf({ prompt }: AgentTask, { steps, figures, error, answer }: AgentRun): readonly NotebookPart[] {
  const done = steps
    .filter(({ type }) => type !== 'answer')
    .map(({ title, content: text, dbquery: query, visualization }) => ({ ...BARE, title, text, query, visualization }));
  const rows = figures.map(({ label, value }) => [label, value]);
  const data = rows.length === 0 ? null : { columns: ['figure', 'value'], rows };
  const asked = { ...BARE, title: 'The task', text: prompt };
  return [asked, ...done, { ...BARE, title: 'The answer', text: error ?? answer, data }];
}
