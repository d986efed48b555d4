import { Injectable } from '@nestjs/common';
import { DocumentStore, type Change, type TenantCollection, type Where } from '../../../ports/document-store.js';
import type { CompanyId, TaskId } from '../../../shared/ids.js';
import type { Page, PageOf } from '../../../shared/page.js';
import { AGENT_TASKS } from './task.schema.js';
import type { AgentTask } from './task.types.js';

type TaskName = Pick<AgentTask, 'companyId' | 'id'>;

const EVER = { gt: new Date(0) };

/** The tasks of companies. What is being deleted is not there for anybody but its remover. */
@Injectable()
export class TaskRepository {
  private readonly collection: TenantCollection<AgentTask>;

  constructor(store: DocumentStore) {
    this.collection = store.tenantCollection(AGENT_TASKS);
  }

  insert(task: AgentTask): Promise<void> {
    return this.collection.of(task.companyId).insert(task);
  }

  async find(companyId: CompanyId, id: TaskId): Promise<AgentTask | null> {
    const task = await this.collection.of(companyId).get(id);
    return task?.deletedAt === null ? task : null;
  }

  /** Newest first. */
  async list(companyId: CompanyId, page: Page): Promise<PageOf<AgentTask>> {
    const mine = this.collection.of(companyId);
    const where = { deletedAt: null };
    const [entries, total] = await Promise.all([
      mine.find(where, {
        sort: [
          ['createdAt', 'desc'],
          ['id', 'desc'],
        ],
        skip: page.index * page.size,
        limit: page.size,
      }),
      mine.count(where),
    ]);
    return { entries, total };
  }

  /** Changes the task if it still is as expected; null: it is not, or it is gone. Every change of a task's state is one of these. */
  swap(
    { companyId, id }: TaskName,
    expected: Where<AgentTask>,
    set: Change<AgentTask>['set'],
  ): Promise<AgentTask | null> {
    return this.collection.of(companyId).update({ ...expected, id, deletedAt: null }, { set: set ?? {} });
  }

  async removeDeleted({ companyId, id }: TaskName): Promise<void> {
    await this.collection.of(companyId).remove({ id, deletedAt: EVER });
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

  allDeleted(): Promise<readonly AgentTask[]> {
    return this.collection.ofAll().find({ deletedAt: EVER });
  }
}
