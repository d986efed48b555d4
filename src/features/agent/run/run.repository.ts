import { Injectable } from '@nestjs/common';
import { DocumentStore, type Change, type TenantCollection, type Where } from '../../../ports/document-store.js';
import { isAppError } from '../../../shared/app-error.js';
import type { CompanyId, RunId, TaskId } from '../../../shared/ids.js';
import type { Page, PageOf } from '../../../shared/page.js';
import { AGENT_RUNS } from './run.schema.js';
import type { AgentRun } from './run.types.js';

type RunName = Pick<AgentRun, 'companyId' | 'id'>;

/** Held in memory at once. */
const PAGE = 20;

/** The runs of tasks. Their ids sort by the time they were made. */
@Injectable()
export class RunRepository {
  private readonly collection: TenantCollection<AgentRun>;

  constructor(store: DocumentStore) {
    this.collection = store.tenantCollection(AGENT_RUNS);
  }

  /** Nothing happens when it is there already. */
  async insertOnce(run: AgentRun): Promise<void> {
    await this.collection
      .of(run.companyId)
      .insert(run)
      .catch((error: unknown) => {
        if (!isAppError(error, 'conflict')) throw error;
      });
  }

  find(companyId: CompanyId, id: RunId): Promise<AgentRun | null> {
    return this.collection.of(companyId).get(id);
  }

  findAll(companyId: CompanyId, ids: readonly RunId[]): Promise<readonly AgentRun[]> {
    return this.collection.of(companyId).find({ id: { in: ids } });
  }

  /** Changes the run if it still is as expected; null: it is not, or it is gone. */
  swap({ companyId, id }: RunName, expected: Where<AgentRun>, set: Change<AgentRun>['set']): Promise<AgentRun | null> {
    return this.collection.of(companyId).update({ ...expected, id }, { set: set ?? {} });
  }

  /** Newest first. */
  async history(companyId: CompanyId, taskId: TaskId, page: Page): Promise<PageOf<AgentRun>> {
    const mine = this.collection.of(companyId);
    const [entries, total] = await Promise.all([
      mine.find({ taskId }, { sort: [['id', 'desc']], skip: page.index * page.size, limit: page.size }),
      mine.count({ taskId }),
    ]);
    return { entries, total };
  }

  /** The last run that ended well. */
  async lastDone(companyId: CompanyId, taskId: TaskId): Promise<AgentRun | null> {
    const [last] = await this.collection
      .of(companyId)
      .find({ taskId, status: 'done' }, { sort: [['id', 'desc']], limit: 1 });
    return last ?? null;
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

  /** A company's, page by page. */
  async *allOf(companyId: CompanyId): AsyncGenerator<AgentRun> {
    const mine = this.collection.of(companyId);
    for (let last = ''; ;) {
      const page = await mine.find({ id: { gt: last } }, { sort: [['id', 'asc']], limit: PAGE });
      yield* page;
      last = page.at(-1)?.id ?? '';
      if (page.length < PAGE) return;
    }
  }

  async remove({ companyId, id }: RunName): Promise<void> {
    await this.collection.of(companyId).remove({ id });
  }

  /** Of all companies, for the reconciler. */
  allUnannounced(): Promise<readonly AgentRun[]> {
    return this.collection.ofAll().find({ unannounced: true });
  }
}
