import { Inject, Injectable } from '@nestjs/common';
import { AppConfig } from '../../config/app-config.js';
import { RateLimiter } from '../../http/rate-limiter.js';
import { Log } from '../../ports/log.js';
import { SharedLimits } from '../../ports/shared-limits.js';
import { AppError, isAppError, messageOf } from '../../shared/app-error.js';
import { paragraphs } from '../../shared/markdown.js';
import type { Principal } from '../../shared/principal.js';
import { AuthFacade } from '../auth/auth.facade.js';
import { CompanyFacade } from '../company/company.facade.js';
import { MailFacade } from '../deliveries/mail.facade.js';
import { UsersFacade } from '../users/users.facade.js';
import type { Invitation } from './invitation.schema.js';
import { InvitationsService, type MadeInvitation } from './invitations.service.js';

/** Links of invitations by mail, where the service can send any. */
@Injectable()
export class InvitationMails {
  constructor(
    private readonly mails: MailFacade,
    private readonly companies: CompanyFacade,
    private readonly config: AppConfig,
    private readonly log: Log,
  ) {}

  /** There is a mail server, and links know where they lead. */
  get available(): boolean {
    return this.mails.available && this.config.server.publicUrl !== null;
  }

  about({ companyId }: Principal, invitations: readonly Invitation[]): ReturnType<MailFacade['about']> {
    return this.mails.about(
      companyId,
      invitations.map(({ id }) => id),
    );
  }

  /** Whether a mail is on its way. Never rejects: the link is there all the same. */
  async send({ invitation, token }: MadeInvitation): Promise<boolean> {
    if (!this.available) return false;
    const { companyId, email, id } = invitation;
    try {
      const company = (await this.companies.find(companyId))?.name ?? '';
      const link = `${this.config.server.publicUrl ?? ''}/invitation#${token}`;
      await this.mails.send({
        companyId,
        to: email,
        event: 'invitation',
        about: id,
        ...wordsOf(invitation, company, link),
      });
      return true;
    } catch (error) {
      this.log.warn('the mail of an invitation was not ordered', { reason: messageOf(error) });
      return false;
    }
  }
}

function wordsOf(
  { purpose, invitedBy, email, expiresAt }: MadeInvitation['invitation'],
  company: string,
  link: string,
): { readonly subject: string; readonly text: string } {
  const until = `${expiresAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  if (purpose === 'join')
    return {
      subject: `You are invited to ${company}`,
      text: `${paragraphs([
        `${invitedBy} invites you to ${company}, to look into its data together.`,
        `This link works once, until ${until}:\n${link}`,
        'If you did not expect this, you need not do anything.',
      ])}\n`,
    };
  const reason = invitedBy === email ? 'You, or somebody else, asked' : `${invitedBy} asks you`;
  return {
    subject: 'A new password',
    text: `${paragraphs([
      `${reason} to choose a new password for ${email}.`,
      `This link works once, until ${until}:\n${link}`,
      'If you did not want this, you need not do anything: your password stays as it is.',
    ])}\n`,
  };
}

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
