import { Injectable } from '@nestjs/common';
import { Clock } from '../../ports/clock.js';
import { JobQueue } from '../../ports/job-queue.js';
import type { JobPayloads } from '../../ports/jobs.js';
import { Log } from '../../ports/log.js';
import { JobProcessor } from '../../queue/job-processor.js';
import { TurnReconciler } from '../../queue/reconciler.js';
import { invalidField } from '../../shared/app-error.js';
import { turnAfter, turnWhenSet } from '../../shared/planned-turns.js';
import type { Principal } from '../../shared/principal.js';
import { RecipientsFacade } from '../deliveries/recipients.facade.js';
import { UsersFacade } from '../users/users.facade.js';
import type { Board, MailSchedule } from './board.schema.js';
import { BoardMail } from './board-mail.js';
import { BoardsRepository } from './boards.repository.js';

const DUE_AT_ONCE = 1_000;
const MINUTE = 60_000;
const SETTER_LEFT = 'Paused: whoever set this schedule is no longer in the company. Set it again to resume.';
const FAILED = 'The last mail could not be made. The reason is in the log of the service.';

/** What is left out stays. */
export type MailEdit = Partial<Omit<MailSchedule, 'notifyEmails'>> & { readonly notifyEmails?: readonly string[] };

/** Says when a board goes out by mail, and to whom. */
@Injectable()
export class BoardMailSchedule {
  constructor(
    private readonly recipients: RecipientsFacade,
    private readonly clock: Clock,
  ) {}

  /** What becomes of the board. @throws AppError `invalid_input` when it has no time or nobody to go to, and as recipients are checked. */
  async changeOf(by: Principal, board: Board, edit: MailEdit): Promise<Partial<Board>> {
    if (Object.keys(edit).length === 0) return {};
    const { mailEnabled = board.mailEnabled, mailAt = board.mailAt, notifyEmails: named } = edit;
    const notifyEmails =
      named === undefined ? board.notifyEmails : await this.recipients.checked(by, named, board.notifyEmails);
    if (mailEnabled) assertWhole({ mailAt, notifyEmails });
    const now = this.clock.now();
    const nextMailAt = turnWhenSet(board.mailEnabled ? board.mailAt : null, mailEnabled ? mailAt : null, now);
    return {
      mailEnabled,
      mailAt,
      notifyEmails,
      mailSetBy: by.userId,
      mailNote: null,
      ...(nextMailAt === undefined ? {} : { nextMailAt, mailScheduledAt: nextMailAt === null ? null : now }),
    };
  }
}

function assertWhole({ mailAt, notifyEmails }: Pick<MailSchedule, 'mailAt' | 'notifyEmails'>): void {
  if (mailAt === null) throw invalidField('mail_at', 'mail_at must say when the board goes out');
  if (notifyEmails.length === 0) throw invalidField('notify_emails', 'notify_emails must name who gets the board');
}

/** Asks every second for the mails of boards whose time has come. */
@Injectable()
export class BoardMailReconciler extends TurnReconciler {
  protected override readonly failure = 'boards that are to be mailed could not be looked up';

  constructor(
    private readonly boards: BoardsRepository,
    private readonly jobs: JobQueue,
    private readonly clock: Clock,
    protected override readonly log: Log,
  ) {
    super();
  }

  /** Times that were missed are one: the next is where it would have been. */
  override async look(): Promise<void> {
    for (const { id, companyId } of await this.boards.allToMail(this.clock.now(), DUE_AT_ONCE)) {
      await this.jobs.enqueue('board.mail', id, { companyId, boardId: id });
    }
  }

  /** Brings back what a clock far ahead has sent into the future. */
  override async reconcile(): Promise<void> {
    const now = this.clock.now();
    // Clocks of several instances are never quite the same: a minute is no jump.
    for (const board of await this.boards.allScheduledAfter(new Date(now.getTime() + MINUTE))) {
      const { nextMailAt, mailAt } = board;
      const next = nextMailAt === null || mailAt === null ? null : turnAfter(now, nextMailAt, mailAt);
      await this.boards.swap(board, { nextMailAt }, { nextMailAt: next, mailScheduledAt: now });
    }
  }
}

/** Mails a board whose time has come. Whoever comes second for the same time orders nothing, and moves nothing on. */
@Injectable()
export class BoardMailProcessor extends JobProcessor<'board.mail'> {
  override readonly job = 'board.mail';

  constructor(
    private readonly boards: BoardsRepository,
    private readonly mail: BoardMail,
    private readonly users: UsersFacade,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {
    super();
  }

  override async run(payload: JobPayloads['board.mail']): Promise<void> {
    const due = await this.dueOf(payload);
    if (due === null) return;
    if (!(await this.isSetterHere(due.board))) {
      const paused = { mailEnabled: false, nextMailAt: null, mailScheduledAt: null, mailNote: SETTER_LEFT };
      await this.boards.swap(due.board, { nextMailAt: due.planned }, paused);
      return;
    }
    await this.moveOn(due, await this.mail.send(due.board, due.planned));
  }

  /** The next time is tried anew. */
  override async giveUp(payload: JobPayloads['board.mail'], error: Error): Promise<void> {
    const { companyId, boardId } = payload;
    this.log.warn('a board could not be mailed', { companyId, boardId, reason: error.message });
    const due = await this.dueOf(payload);
    if (due !== null) await this.moveOn(due, FAILED);
  }

  private async dueOf({ companyId, boardId }: JobPayloads['board.mail']): Promise<Due | null> {
    const board = await this.boards.find(companyId, boardId);
    const planned = board?.nextMailAt ?? null;
    return board === null || planned === null || planned > this.clock.now() ? null : { board, planned };
  }

  private async isSetterHere({ companyId, mailSetBy }: Board): Promise<boolean> {
    return mailSetBy !== null && (await this.users.find(companyId, mailSetBy))?.isActive === true;
  }

  private async moveOn({ board, planned }: Due, mailNote: string | null): Promise<void> {
    const now = this.clock.now();
    const nextMailAt = board.mailAt === null ? null : turnAfter(now, planned, board.mailAt);
    await this.boards.swap(board, { nextMailAt: planned }, { nextMailAt, mailScheduledAt: now, mailNote });
  }
}

interface Due {
  readonly board: Board;
  readonly planned: Date;
}
