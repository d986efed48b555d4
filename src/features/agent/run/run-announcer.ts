import { Injectable } from '@nestjs/common';
import { Log } from '../../../ports/log.js';
import { WebhookFacade } from '../../settings/webhook/webhook.facade.js';
import { TaskRepository } from '../tasks/task.repository.js';
import type { AgentTask } from '../tasks/task.types.js';
import { messageOf } from '../../../shared/app-error.js';
import { RunMail } from './run-mail.js';
import { RunRepository } from './run.repository.js';
import type { AgentRun } from './run.types.js';

const PATIENCE_MS = 30_000;

/** Tells the company's webhook, and those whom the task names, how runs ended: once, whatever happens. */
@Injectable()
export class RunAnnouncer {
  constructor(
    private readonly tasks: TaskRepository,
    private readonly runs: RunRepository,
    private readonly webhook: WebhookFacade,
    private readonly mail: RunMail,
    private readonly log: Log,
  ) {}

  async announce(task: AgentTask, run: AgentRun): Promise<void> {
    if (!run.unannounced) return;
    const event = run.status === 'error' ? 'agent-task.failed' : 'agent-task.finished';
    const told = {
      task_id: task.id,
      task_name: task.name,
      run_id: run.id,
      trigger: run.trigger,
      status: run.status,
      answer: run.answer,
      error: run.error,
      started_at: run.startedAt.toISOString(),
      finished_at: run.finishedAt?.toISOString() ?? null,
    };
    await this.webhook.announce(run.companyId, event, told, run.id);
    await this.mail.send(task, run);
    await this.runs.swap(run, { unannounced: true }, { unannounced: false });
  }

  /** Makes up for what whoever ended a run died before telling. */
  async announceForgotten(now: Date): Promise<void> {
    const before = new Date(now.getTime() - PATIENCE_MS);
    for (const run of await this.runs.allUnannounced()) {
      const task = await this.tasks.find(run.companyId, run.taskId);
      // A task that still counts as running on this run is settled first, which tells it.
      const isSettled = task !== null && task.seed?.runId !== run.id;
      if (!isSettled || run.finishedAt === null || run.finishedAt >= before) continue;
      // One that can't be told now must not hold up the others.
      await this.announce(task, run).catch((error: unknown) => {
        this.log.warn('a run could not be announced yet', { runId: run.id, reason: messageOf(error) });
      });
    }
  }
}
