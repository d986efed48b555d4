import { Inject, Injectable } from '@nestjs/common';
import { RateLimiter } from '../../http/rate-limiter.js';
import { Log } from '../../ports/log.js';
import { SharedLimits } from '../../ports/shared-limits.js';
import { AppError, isAppError, messageOf } from '../../shared/app-error.js';
import { AuthFacade } from '../auth/auth.facade.js';
import { UsersFacade } from '../users/users.facade.js';
import { InvitationMails } from './invitation-mails.js';
import { InvitationsService } from './invitations.service.js';

/** Mails that one address gets in an hour, however often somebody asks. */
const MOST_AN_HOUR = 3;

/** Sends a link for a new password to who has an account, and tells nobody who has. */
@Injectable()
export class ForgottenPasswords {
  private readonly mailsTo: RateLimiter;
  @Inject(Log) private readonly log!: Log;

  constructor(
    private readonly users: UsersFacade,
    private readonly invitations: InvitationsService,
    private readonly mails: InvitationMails,
    private readonly auth: AuthFacade,
    limits: SharedLimits,
  ) {
    this.mailsTo = new RateLimiter(limits, { name: 'forgotten', limit: MOST_AN_HOUR, windowSeconds: 3600 });
  }

  /**
   * Nobody waits for the mail: for an address without an account the answer is the same, after the same time.
   *
   * @throws AppError `unavailable` when the service sends no mail, `rate_limited` when the caller asks too often.
   */
  async ask(email: string, address: string): Promise<void> {
    await this.auth.admit(address);
    if (!this.mails.available)
      throw new AppError('unavailable', 'this service sends no mail: a manager of your company can give you a link');
    // Who may not have another mail is told nothing either.
    void this.send(email.toLowerCase()).catch((error: unknown) => {
      if (isAppError(error, 'rate_limited')) return;
      this.log.warn('a link for a forgotten password could not be sent', { reason: messageOf(error) });
    });
  }

  private async send(email: string): Promise<void> {
    await this.mailsTo.consume(email);
    const user = await this.users.findByEmail(email);
    if (user?.isActive === true) await this.mails.send(await this.invitations.forgotten(user));
  }
}
