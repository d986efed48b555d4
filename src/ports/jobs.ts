import type { BoardId, CompanyId, DatasourceId, FileId, Id, RunId, TaskId } from '../shared/ids.js';
import { MINUTE_MS } from '../shared/durations.js';

/** Every background job and what it carries: ids, never rows or secrets. Each names its company, for fairness. */
export interface JobPayloads {
  readonly 'datasource.import': { readonly companyId: CompanyId; readonly datasourceId: DatasourceId };
  readonly 'datasource.fetch': { readonly companyId: CompanyId; readonly datasourceId: DatasourceId };
  readonly 'datasource.remove': { readonly companyId: CompanyId; readonly datasourceId: DatasourceId };
  readonly 'datasource.profile': { readonly companyId: CompanyId; readonly datasourceId: DatasourceId };
  readonly 'datasource.compact': { readonly companyId: CompanyId; readonly datasourceId: DatasourceId };
  readonly 'context-file.process': { readonly companyId: CompanyId; readonly fileId: FileId };
  readonly 'evaluation.run': { readonly companyId: CompanyId; readonly runId: Id<'evaluation'> };
  readonly 'agent.run': { readonly companyId: CompanyId; readonly taskId: TaskId; readonly runId: RunId };
  readonly 'alert.check': { readonly companyId: CompanyId; readonly alertId: Id<'alert'> };
  readonly 'board.mail': { readonly companyId: CompanyId; readonly boardId: BoardId };
  readonly 'webhook.deliver': { readonly companyId: CompanyId; readonly deliveryId: Id<'delivery'> };
  readonly 'mail.deliver': { readonly companyId: CompanyId; readonly deliveryId: Id<'delivery'> };
}

export type JobName = keyof JobPayloads;

export interface JobPolicy {
  /** Jobs of this name that run at once in one instance. */
  readonly concurrency: number;
  /** Runs before giving up, the first included. */
  readonly attempts: number;
  /** Wait before the second attempt; doubled for each further one. */
  readonly backoffMs: number;
  /** A run is aborted after this time. */
  readonly timeoutMs: number;
}

export const JOB_POLICIES: Readonly<Record<JobName, JobPolicy>> = {
  'datasource.import': { concurrency: 1, attempts: 3, backoffMs: 2_000, timeoutMs: 240 * MINUTE_MS },
  // It ends by itself before that: see FETCH_TIMEOUT_SECONDS.
  'datasource.fetch': { concurrency: 4, attempts: 3, backoffMs: 5_000, timeoutMs: 1500 * MINUTE_MS },
  'datasource.remove': { concurrency: 2, attempts: 5, backoffMs: 1_000, timeoutMs: 5 * MINUTE_MS },
  'datasource.profile': { concurrency: 1, attempts: 2, backoffMs: 2_000, timeoutMs: 10 * MINUTE_MS },
  'datasource.compact': { concurrency: 1, attempts: 2, backoffMs: 5_000, timeoutMs: 60 * MINUTE_MS },
  'context-file.process': { concurrency: 2, attempts: 3, backoffMs: 2_000, timeoutMs: 10 * MINUTE_MS },
  'evaluation.run': { concurrency: 2, attempts: 3, backoffMs: 5_000, timeoutMs: 240 * MINUTE_MS },
  'agent.run': { concurrency: 4, attempts: 2, backoffMs: 5_000, timeoutMs: 11 * MINUTE_MS },
  'alert.check': { concurrency: 4, attempts: 1, backoffMs: 1_000, timeoutMs: 2 * MINUTE_MS },
  'board.mail': { concurrency: 2, attempts: 3, backoffMs: 5_000, timeoutMs: 10 * MINUTE_MS },
  // Three quarters of an hour in all: longer than a receiver needs to be deployed anew.
  'webhook.deliver': { concurrency: 4, attempts: 10, backoffMs: 5_000, timeoutMs: MINUTE_MS },
  // A mail server may look at a mail for long, and takes one from strangers at the second knock.
  'mail.deliver': { concurrency: 4, attempts: 10, backoffMs: 5_000, timeoutMs: 12 * MINUTE_MS },
};
