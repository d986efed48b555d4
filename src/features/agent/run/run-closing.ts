import { Injectable } from '@nestjs/common';
import { onWire } from '../../../http/envelope.wire.js';
import { Clock } from '../../../ports/clock.js';
import type { Where } from '../../../ports/document-store.js';
import { Log, warned } from '../../../ports/log.js';
import type { TaskStep } from '../../../ports/task-step.js';
import { NO_LEASE } from '../../../queue/lease-keeper.js';
import { AppError } from '../../../shared/app-error.js';
import type { CompanyId } from '../../../shared/ids.js';
import { bullets, inert, paragraphs } from '../../../shared/markdown.js';
import { numberWords } from '../../../shared/number-words.js';
import { RecipientsFacade } from '../../deliveries/mail.facade.js';
import { WebhookFacade } from '../../settings/webhook/webhook.facade.js';
import { TaskRepository } from '../tasks/task.repository.js';
import type { AgentTask } from '../tasks/task.schema.js';
import { imagesOf, RunRecords, RunRemover } from './run-records.js';
import { RunRepository } from './run.repository.js';
import type { AgentRun, RunEnding } from './run.schema.js';

const PATIENCE_MS = 30_000;
/** In a mail. */
const MOST_FIGURES = 30;

/** Tells the company's webhook, and those whom the task names, how runs ended: once, whatever happens. */
@Injectable()
export class RunAnnouncer {
  constructor(
    private readonly tasks: TaskRepository,
    private readonly runs: RunRepository,
    private readonly webhook: WebhookFacade,
    private readonly recipients: RecipientsFacade,
    private readonly log: Log,
  ) {}

  async announce(task: AgentTask, run: AgentRun): Promise<void> {
    if (!run.unannounced) return;
    const event = run.status === 'error' ? 'agent-task.failed' : 'agent-task.finished';
    const told = {
      task_id: task.id,
      task_name: task.name,
      run_id: run.id,
      ...onWire(run, 'trigger', 'status', 'answer', 'error', 'startedAt', 'finishedAt'),
    };
    await this.webhook.announce(run.companyId, event, told, run.id);
    await this.mail(task, run);
    await this.runs.swap(run, { unannounced: true }, { unannounced: false });
  }

  /** Makes up for what whoever ended a run died before telling. */
  async announceForgotten(now: Date): Promise<void> {
    const before = new Date(now.getTime() - PATIENCE_MS);
    for (const run of await this.runs.anywhere({ unannounced: true })) {
      const task = await this.tasks.find(run.companyId, run.taskId);
      // A task that still counts as running on this run is settled first, which tells it.
      const isSettled = task !== null && task.seed?.runId !== run.id;
      if (!isSettled || run.finishedAt === null || run.finishedAt >= before) continue;
      // One that can't be told now must not hold up the others.
      await this.announce(task, run).catch(warned(this.log, 'a run could not be announced yet', { runId: run.id }));
    }
  }

  /** @throws AppError `unavailable` when the mail could not be ordered now. */
  private async mail(task: AgentTask, run: AgentRun): Promise<void> {
    const { name, id, notifyEmails: to } = task;
    const { companyId, status, steps, answer } = run;
    const unsent = await this.recipients.report({
      companyId,
      to,
      subject: status === 'done' ? name : `Failed: ${name}`,
      event: 'agent-task.report',
      about: run.id,
      markdown: () => markdownOf(task, run),
      charts: status === 'done' ? imagesOf(steps, answer) : [],
      link: { label: 'Open the task', path: `/tasks/${id}?run=${run.id}` },
    });
    // The result is not undone because nobody could be told.
    if (unsent instanceof AppError)
      this.log.warn('a result was not mailed', { companyId, runId: run.id, reason: unsent.message });
  }
}

/** A report has a table of its figures already. */
function markdownOf({ name, mode }: AgentTask, { status, answer, error, figures }: AgentRun): string {
  const title = `# ${inert(name, 200)}`;
  if (status !== 'done') return paragraphs([title, `The run failed: ${inert(error ?? '', 2_000)}`]);
  const told = mode === 'report' ? [] : figures.slice(0, MOST_FIGURES);
  const lines = told.map(({ label, value }) => `${inert(label, 200)}: **${numberWords(value)}**`);
  return paragraphs([title, answer, lines.length === 0 ? '' : '## Figures', bullets(lines)]);
}

/**
 * Ends runs. A run's own record is ended first, by compare-and-set: of a stop, an end and a failure at the same moment one counts.
 * The task then follows its run, and may be made to again.
 */
@Injectable()
export class RunClosing {
  constructor(
    private readonly tasks: TaskRepository,
    private readonly records: RunRecords,
    private readonly remover: RunRemover,
    private readonly announcer: RunAnnouncer,
    private readonly clock: Clock,
  ) {}

  /** False when the run was not as expected any more: somebody else ended it. */
  async close(run: AgentRun, expected: Where<AgentRun>, ending: RunEnding): Promise<boolean> {
    const ended = await this.records.end(run, expected, ending);
    if (ended === null) return false;
    await this.settle(ended);
    return true;
  }

  /** Makes the task of an ended run ready, or shows its error. Nothing happens when that was done. */
  async settle(run: AgentRun): Promise<void> {
    const settled = await this.settledTask(run);
    if (settled === null) return;
    this.tellEnd(settled, run);
    await this.announcer.announce(settled, run);
    await this.remover.prune(run.companyId, run.taskId);
  }

  /** Removes the images of steps that nobody will see. */
  forget(companyId: CompanyId, steps: readonly TaskStep[]): Promise<void> {
    return this.remover.removeImages(companyId, steps);
  }

  private async settledTask(run: AgentRun): Promise<AgentTask | null> {
    const ended = run.status === 'error' ? 'error' : 'ready';
    for (;;) {
      const task = await this.tasks.find(run.companyId, run.taskId);
      if (task?.status !== 'running' || task.runId !== run.id) return null;
      const { runId, failuresInARow, automationEnabled, nextRunAt } = task;
      const settled = await this.tasks.swap(
        task,
        { status: 'running', runId, failuresInARow, automationEnabled, nextRunAt },
        { ...NO_LEASE, ...scheduleAfter(task, run), seed: null, status: ended, updatedAt: this.clock.now() },
      );
      // Null: its schedule was changed at this moment, so look again.
      if (settled !== null) return settled;
    }
  }

  private tellEnd(task: AgentTask, run: AgentRun): void {
    const last = run.status === 'error' ? run.steps.at(-1) : undefined;
    if (last !== undefined) this.records.tell({ ...task, status: 'running' }, run.id, 'step', last);
    this.records.tell(task, run.id, 'updated');
  }
}

/** A schedule whose runs fail so often in a row pauses itself. */
const MOST_FAILURES = 5;

/** A stopped run says nothing about the schedule, nor does a person's run that failed. */
function scheduleAfter(task: AgentTask, run: AgentRun): Partial<AgentTask> {
  if (run.status === 'done') return { failuresInARow: 0, scheduleNote: null };
  if (run.status !== 'error' || run.trigger === 'manual') return {};
  const failuresInARow = task.failuresInARow + 1;
  if (failuresInARow < MOST_FAILURES || !task.automationEnabled) return { failuresInARow };
  return {
    failuresInARow,
    automationEnabled: false,
    nextRunAt: null,
    scheduleNote: `The schedule paused itself after ${failuresInARow} failed runs in a row. The last one: ${run.error ?? ''}`,
  };
}
