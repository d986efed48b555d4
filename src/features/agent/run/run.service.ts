import { Injectable } from '@nestjs/common';
import { JobQueue } from '../../../ports/job-queue.js';
import type { RunId, TaskId } from '../../../shared/ids.js';
import type { Principal } from '../../../shared/principal.js';
import { taskIsNotRunning, taskIsRunning } from '../agent.errors.js';
import { TaskRepository } from '../tasks/task.repository.js';
import type { AgentTask } from '../tasks/task.types.js';
import { RunClosing } from './run-closing.js';
import { RunRecords } from './run-records.js';
import { RunStarter } from './run-starter.js';
import type { AgentRun } from './run.types.js';

export interface BegunRun {
  readonly task: AgentTask;
  readonly runId: RunId;
}

/** What a person does with runs: begins one, and stops it. */
@Injectable()
export class RunService {
  constructor(
    private readonly tasks: TaskRepository,
    private readonly starter: RunStarter,
    private readonly records: RunRecords,
    private readonly closing: RunClosing,
    private readonly jobs: JobQueue,
  ) {}

  /** @throws AppError `not_found`, or `conflict` when it runs already. */
  async run(by: Principal, id: TaskId): Promise<BegunRun> {
    const begun = await this.starter.begin(await this.tasks.get(by.companyId, id), null, null);
    if (begun?.seed != null) return { task: begun, runId: begun.seed.runId };
    await this.tasks.get(by.companyId, id);
    throw taskIsRunning();
  }

  /** Ends the run; its steps are kept. @throws AppError `not_found`, or `conflict` when it does not run, or ended by itself at this moment. */
  async stop(by: Principal, id: TaskId): Promise<AgentTask> {
    const task = await this.tasks.get(by.companyId, id);
    const run = await this.records.ofRunning(task);
    if (run === null || !(await this.end(run))) throw taskIsNotRunning();
    return this.tasks.get(by.companyId, id);
  }

  /** Whoever works on it is told in any case: the store may fail after the run's end is written down. */
  private async end(run: AgentRun): Promise<boolean> {
    try {
      return await this.closing.close(run, { status: 'running' }, { status: 'stopped', error: null });
    } finally {
      await this.jobs.cancel('agent.run', run.id);
    }
  }
}
