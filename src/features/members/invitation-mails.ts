import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../config/app-config.js';
import { Log } from '../../ports/log.js';
import { messageOf } from '../../shared/app-error.js';
import { CompanyFacade } from '../company/company.facade.js';
import { MailFacade } from '../deliveries/mail.facade.js';
import type { MadeInvitation } from './invitations.service.js';

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
      text: paragraphs(
        `${invitedBy} invites you to ${company}, to look into its data together.`,
        `This link works once, until ${until}:\n${link}`,
        'If you did not expect this, you need not do anything.',
      ),
    };
  const reason = invitedBy === email ? 'You, or somebody else, asked' : `${invitedBy} asks you`;
  return {
    subject: 'A new password',
    text: paragraphs(
      `${reason} to choose a new password for ${email}.`,
      `This link works once, until ${until}:\n${link}`,
      'If you did not want this, you need not do anything: your password stays as it is.',
    ),
  };
}

function paragraphs(...all: readonly string[]): string {
  return `${all.join('\n\n')}\n`;
}
