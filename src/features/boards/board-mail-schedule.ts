import { Injectable } from '@nestjs/common';
import { Clock } from '../../ports/clock.js';
import { AppError } from '../../shared/app-error.js';
import { turnWhenSet } from '../../shared/planned-turns.js';
import type { Principal } from '../../shared/principal.js';
import { RecipientsFacade } from '../deliveries/recipients.facade.js';
import type { Board, MailSchedule } from './board.schema.js';

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
  if (mailAt === null) throw missing('mail_at', 'mail_at must say when the board goes out');
  if (notifyEmails.length === 0) throw missing('notify_emails', 'notify_emails must name who gets the board');
}

function missing(field: string, problem: string): AppError {
  return new AppError('invalid_input', problem, { details: [{ field, problem }] });
}
