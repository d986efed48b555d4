import { repositoryOf } from '../../../ports/tenant-repository.js';
import type { CompanyId, TaskId } from '../../../shared/ids.js';
import { AGENT_RUNS, type AgentRun } from './run.schema.js';

/** The runs of tasks. Their ids sort by the time they were made. */
export class RunRepository extends repositoryOf(AGENT_RUNS) {
  /** The last run that ended well. */
  lastDone(companyId: CompanyId, taskId: TaskId): Promise<AgentRun | null> {
    return this.first(companyId, { taskId, status: 'done' }, [['id', 'desc']]);
  }
}
