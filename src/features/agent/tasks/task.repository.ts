import { Injectable } from '@nestjs/common';
import { DocumentStore, type Change, type Where } from '../../../ports/document-store.js';
import { BinRepository } from '../../../ports/bin-repository.js';
import { NEWEST_FIRST } from '../../../ports/tenant-repository.js';
import type { CompanyId, TaskId } from '../../../shared/ids.js';
import type { Page, PageOf } from '../../../shared/page.js';
import { AppError } from '../../../shared/app-error.js';
import { AGENT_TASKS, type AgentTask } from './task.schema.js';

type TaskName = Pick<AgentTask, 'companyId' | 'id'>;

const EVER = { gt: new Date(0) };

/** The tasks of companies. What is being deleted is not there for anybody but its remover. */
@Injectable()
export class TaskRepository extends BinRepository<AgentTask> {
  constructor(store: DocumentStore) {
    super(store, AGENT_TASKS);
  }

  /** @throws AppError `not_found` */
  async get(companyId: CompanyId, id: TaskId): Promise<AgentTask> {
    const task = await this.find(companyId, id);
    if (task === null) throw new AppError('not_found', 'agent task not found');
    return task;
  }

  /** Newest first. */
  list(companyId: CompanyId, page: Page): Promise<PageOf<AgentTask>> {
    return this.pageOf(companyId, { deletedAt: null }, page, NEWEST_FIRST);
  }

  /** Changes the task if it still is as expected; null: it is not, or it is gone. Every change of a task's state is one of these. */
  override swap(task: TaskName, expected: Where<AgentTask>, set: Change<AgentTask>['set']): Promise<AgentTask | null> {
    return super.swap(task, { ...expected, deletedAt: null }, set);
  }

  /** Of all companies, the longest due first. */
  allDue(now: Date, limit: number): Promise<readonly AgentTask[]> {
    return this.collection
      .ofAll()
      .find({ nextRunAt: { lte: now }, deletedAt: null }, { sort: [['nextRunAt', 'asc']], limit });
  }

  /** Of all companies, for the reconciler, as all that follow. */
  allRunning(): Promise<readonly AgentTask[]> {
    return this.collection.ofAll().find({ status: 'running', deletedAt: null });
  }

  /** Those with a skipped run that is not recorded yet. */
  allSkipping(): Promise<readonly AgentTask[]> {
    return this.collection.ofAll().find({ skippedAt: EVER, deletedAt: null });
  }

  /** Those whose next run was set when the clock said more than this. */
  allScheduledAfter(time: Date): Promise<readonly AgentTask[]> {
    return this.collection.ofAll().find({ scheduledAt: { gt: time }, deletedAt: null });
  }
}
