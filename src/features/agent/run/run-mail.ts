import { Injectable } from '@nestjs/common';
import { AnswerMails } from '../../../answering/answer-mail.js';
import { AppConfig } from '../../../config/app-config.js';
import { Log } from '../../../ports/log.js';
import { isAppError } from '../../../shared/app-error.js';
import { bullets, inert, paragraphs } from '../../../shared/markdown.js';
import { MailFacade } from '../../deliveries/mail.facade.js';
import { RecipientsFacade } from '../../deliveries/recipients.facade.js';
import type { AgentTask } from '../tasks/task.types.js';
import { imagesOf } from './run-records.js';
import type { AgentRun } from './run.types.js';

const MOST_FIGURES = 30;

/** Mails what came of a run to those whom its task names: once, however often it is asked to. */
@Injectable()
export class RunMail {
  constructor(
    private readonly mail: MailFacade,
    private readonly recipients: RecipientsFacade,
    private readonly mails: AnswerMails,
    private readonly config: AppConfig,
    private readonly log: Log,
  ) {}

  /** @throws AppError `unavailable` when the mail could not be ordered now. */
  async send(task: AgentTask, run: AgentRun): Promise<void> {
    if (task.notifyEmails.length === 0 || !this.mail.available) return;
    const { companyId } = task;
    const to = await this.recipients.addressesOf(companyId, task.notifyEmails);
    const { publicUrl } = this.config.server;
    const letter = await this.mails.write(companyId, {
      markdown: markdownOf(task, run),
      charts: run.status === 'done' ? imagesOf(run.steps, run.answer) : [],
      link: publicUrl === null ? null : { label: 'Open the task', url: `${publicUrl}/tasks/${task.id}?run=${run.id}` },
    });
    const subject = run.status === 'done' ? task.name : `Failed: ${task.name}`;
    try {
      await this.mail.send({ companyId, to, subject, ...letter, event: 'agent-task.report', about: run.id });
    } catch (error) {
      // Trying again would not help, and the result is not undone because nobody could be told.
      if (!isAppError(error) || error.kind === 'unavailable') throw error;
      this.log.warn('a result was not mailed', { companyId, runId: run.id, reason: error.message });
    }
  }
}

function markdownOf({ name }: AgentTask, { status, answer, error, figures }: AgentRun): string {
  const title = `# ${inert(name, 200)}`;
  if (status !== 'done') return paragraphs([title, `The run failed: ${inert(error ?? '', 2_000)}`]);
  const lines = figures.slice(0, MOST_FIGURES).map(({ label, value }) => `${inert(label, 200)}: **${String(value)}**`);
  return paragraphs([title, answer, lines.length === 0 ? '' : '## Figures', bullets(lines)]);
}
