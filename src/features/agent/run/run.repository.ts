import { Injectable } from '@nestjs/common';
import { DocumentStore } from '../../../ports/document-store.js';
import { TenantRepository } from '../../../ports/tenant-repository.js';
import type { CompanyId, RunId, TaskId } from '../../../shared/ids.js';
import type { Page, PageOf } from '../../../shared/page.js';
import { AGENT_RUNS, type AgentRun } from './run.schema.js';

/** The runs of tasks. Their ids sort by the time they were made. */
@Injectable()
export class RunRepository extends TenantRepository<AgentRun> {
  constructor(store: DocumentStore) {
    super(store, AGENT_RUNS);
  }

  findAll(companyId: CompanyId, ids: readonly RunId[]): Promise<readonly AgentRun[]> {
    return this.collection.of(companyId).find({ id: { in: ids } });
  }

  /** Newest first. */
  history(companyId: CompanyId, taskId: TaskId, page: Page): Promise<PageOf<AgentRun>> {
    return this.pageOf(companyId, { taskId }, page, [['id', 'desc']]);
  }

  /** The last run that ended well. */
  lastDone(companyId: CompanyId, taskId: TaskId): Promise<AgentRun | null> {
    return this.first(companyId, { taskId, status: 'done' }, [['id', 'desc']]);
  }

  /** Whether the schedule's turn at that time was taken, be it run or skipped. */
  async wasPlanned(companyId: CompanyId, taskId: TaskId, plannedAt: Date): Promise<boolean> {
    return (await this.collection.of(companyId).count({ taskId, plannedAt })) > 0;
  }

  count(companyId: CompanyId, taskId: TaskId): Promise<number> {
    return this.collection.of(companyId).count({ taskId });
  }

  countSkipped(companyId: CompanyId, taskId: TaskId): Promise<number> {
    return this.collection.of(companyId).count({ taskId, status: 'skipped' });
  }

  /** The oldest notes of skipped runs, or the oldest of all others that are over. */
  oldest(companyId: CompanyId, taskId: TaskId, which: 'skipped' | 'run', limit: number): Promise<readonly AgentRun[]> {
    const status = which === 'skipped' ? 'skipped' : { in: ['done', 'error', 'stopped'] };
    return this.collection.of(companyId).find({ taskId, status }, { sort: [['id', 'asc']], limit });
  }

  /** Of all companies, for the reconciler. */
  allUnannounced(): Promise<readonly AgentRun[]> {
    return this.collection.ofAll().find({ unannounced: true });
  }
}
