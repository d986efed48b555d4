import { Injectable } from '@nestjs/common';
import type { PreviousRun, TaskAssignment, TaskSubject } from '../../../answering/tasks/task-assignment.js';
import { AppConfig } from '../../../config/app-config.js';
import { AppError } from '../../../shared/app-error.js';
import { ContextFilesFacade } from '../../context-files/context-files.facade.js';
import { DatasourceFacade, type ReadableDatasource } from '../../datasource/datasource.facade.js';
import { CompanyModels } from '../../models/company-models.facade.js';
import type { AgentTask } from '../tasks/task.types.js';
import { RunRepository } from './run.repository.js';
import type { SeenVersions } from './run.types.js';

export interface PreparedRun {
  readonly assignment: TaskAssignment;
  readonly versions: SeenVersions;
}

/** Gathers all that a run is told and may use. */
@Injectable()
export class AssignmentBuilder {
  constructor(
    private readonly datasources: DatasourceFacade,
    private readonly contextFiles: ContextFilesFacade,
    private readonly runs: RunRepository,
    private readonly config: AppConfig,
    private readonly models: CompanyModels,
  ) {}

  /**
   * @throws AppError `not_found` or `conflict`, naming the first datasource that can't be asked; `rate_limited` when the company's tokens
   *   are spent.
   */
  async build(task: AgentTask, signal: AbortSignal): Promise<PreparedRun> {
    const found = await Promise.all(task.datasources.map((id) => this.datasources.find(task.companyId, id)));
    const subjects = found.map((datasource, index) => subjectOf(datasource, task.datasourceNames[index] ?? ''));
    return {
      versions: versionsOf(found),
      assignment: {
        companyId: task.companyId,
        prompt: task.prompt,
        mode: task.mode,
        thinking: task.thinking,
        subjects,
        passagesFor: (question) => this.contextFiles.passagesFor(task.companyId, question, signal),
        previous: await this.previous(task),
        queryTimeoutMs: this.config.limits.queryTimeoutMs,
        answerer: await this.models.answererFor({ companyId: task.companyId, userId: task.createdBy }),
      },
    };
  }

  private async previous({ companyId, id }: AgentTask): Promise<PreviousRun | null> {
    const last = await this.runs.lastDone(companyId, id);
    return last?.finishedAt == null ? null : { finishedAt: last.finishedAt, figures: last.figures };
  }
}

/** Datasources that are gone have no version. */
export function versionsOf(datasources: readonly (ReadableDatasource | null)[]): SeenVersions {
  return Object.fromEntries(datasources.flatMap((each) => (each === null ? [] : [[each.id, each.version]])));
}

function subjectOf(datasource: ReadableDatasource | null, name: string): TaskSubject {
  if (datasource === null) {
    throw new AppError('not_found', `the datasource "${name}" was deleted, and the task can't be run without it`);
  }
  const { table, profile, context, semantics } = datasource;
  if (table === null || profile === null) {
    throw new AppError('conflict', `the datasource "${datasource.name}" ${WITHOUT_ROWS[datasource.state]}`);
  }
  return { datasourceId: datasource.id, name: datasource.name, context, semantics, table, profile };
}

const WITHOUT_ROWS: Readonly<Record<ReadableDatasource['state'], string>> = {
  pending: 'has no rows yet: its import is waiting to begin',
  running: 'has no rows yet: its import is running',
  failed: 'has no rows: its import failed, and its page says why',
  ready: 'has no rows',
};
