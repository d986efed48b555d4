import { Injectable } from '@nestjs/common';
import { RunRepository } from '../run/run.repository.js';
import type { AgentTask, ShownTask } from './task.types.js';
import type { TaskId } from '../../../shared/ids.js';
import type { Page, PageOf } from '../../../shared/page.js';
import type { Principal } from '../../../shared/principal.js';
import { noSuchTask } from '../agent.errors.js';
import type { AgentRun } from '../run/run.types.js';
import { TaskRepository } from './task.repository.js';

/** Puts a task beside the run whose steps and answer it shows. */
@Injectable()
export class TaskReader {
  constructor(private readonly runs: RunRepository) {}

  async shown(task: AgentTask): Promise<ShownTask> {
    return { task, run: task.runId === null ? null : await this.runs.find(task.companyId, task.runId) };
  }

  /** All of one company. */
  async allShown(tasks: readonly AgentTask[]): Promise<readonly ShownTask[]> {
    const [first] = tasks;
    if (first === undefined) return [];
    const ids = tasks.flatMap(({ runId }) => (runId === null ? [] : [runId]));
    const runs = new Map((await this.runs.findAll(first.companyId, ids)).map((run) => [run.id, run]));
    return tasks.map((task) => ({ task, run: task.runId === null ? null : (runs.get(task.runId) ?? null) }));
  }
}

/** Reads what a task has done. */
@Injectable()
export class TaskHistoryService {
  constructor(
    private readonly tasks: TaskRepository,
    private readonly runs: RunRepository,
  ) {}

  /** Newest first. @throws AppError `not_found` */
  async read(by: Principal, id: TaskId, page: Page): Promise<PageOf<AgentRun>> {
    if ((await this.tasks.find(by.companyId, id)) === null) throw noSuchTask();
    return this.runs.history(by.companyId, id, page);
  }
}
