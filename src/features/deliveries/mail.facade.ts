import { Injectable } from '@nestjs/common';
import { AnswerMails } from '../../answering/answer-mail.js';
import { AppConfig } from '../../config/app-config.js';
import { Clock } from '../../ports/clock.js';
import { type MailAttachment, Mailer } from '../../ports/mailer.js';
import { SecretBox } from '../../ports/secret-box.js';
import { AppError, invalidField, isAppError } from '../../shared/app-error.js';
import type { CompanyId } from '../../shared/ids.js';
import type { JsonObject } from '../../shared/json.js';
import { mailAddressProblem } from '../../shared/mail-address.js';
import { hasRole, type Principal } from '../../shared/principal.js';
import { type User, UsersFacade } from '../users/users.facade.js';
import { DeliveryCourier, DeliveryRepository, Outbox } from './deliveries.facade.js';
import type { Delivery } from './delivery.schema.js';
import { DAY_MS } from '../../shared/durations.js';

/** Of all attachments of a mail together. */
export const MAX_ATTACHED_BYTES = 4 * 1024 * 1024;
const LONGEST_SUBJECT = 200;
const MOST_A_DAY = 1_000;

export interface Mail {
  readonly companyId: CompanyId;
  /** One mail each: nobody sees who else got it. */
  readonly to: string | readonly string[];
  /** One line; what could break it is replaced by spaces. */
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
  readonly attachments?: readonly MailAttachment[];
  /** Names the kind of mail in the log: `invitation`. */
  readonly event: string;
  /** The same event about the same thing (the id of a run) goes to an address once, however often it is ordered. */
  readonly about?: string;
}

/** How a mail stands. */
export interface MailState {
  readonly to: string;
  readonly status: Delivery['status'];
  /** Why the last attempt failed. */
  readonly error: string | null;
}

interface Words {
  readonly subject: string;
  readonly text: string;
  readonly html: string | null;
}

/** Sends mail in the background: what was ordered goes out, or is told as failed when nothing will retry. */
@Injectable()
export class MailFacade {
  constructor(
    private readonly mailer: Mailer,
    private readonly outbox: Outbox,
    private readonly deliveries: DeliveryRepository,
    private readonly box: SecretBox,
    private readonly clock: Clock,
  ) {}

  /** Whether a mail server is set up; else `send` throws. */
  get available(): boolean {
    return this.mailer.available;
  }

  /**
   * Orders the mail durably and returns.
   *
   * @throws AppError `unavailable` when no mail server is set up, `invalid_input` for an address that is none, `too_large` for attachments,
   *   `rate_limited` for what is about something, when the company has sent a thousand mails within a day.
   */
  async send({ companyId, to, attachments = [], event, about, ...words }: Mail): Promise<void> {
    if (!this.available)
      throw new AppError('unavailable', 'this service has no mail server: its operator sets SMTP_URL');
    const addresses = typeof to === 'string' ? [to] : to;
    for (const address of addresses) assertAddress(address);
    if (about !== undefined) await this.assertNotTooMany(companyId);
    const body = {
      // A mail may hold a link that lets somebody in.
      sealed: await this.box.seal(JSON.stringify(wordsOf(words)), companyId),
      attachments: storedAttachments(attachments),
    };
    for (const address of new Set(addresses)) {
      await this.outbox.put({ companyId, channel: 'mail', event, body, to: address, about });
    }
  }

  /** The mails about each of these things, one for each address; forgotten after 30 days. */
  async about(companyId: CompanyId, things: readonly string[]): Promise<ReadonlyMap<string, readonly MailState[]>> {
    const mails = { about: { in: things }, channel: 'mail' };
    const found =
      things.length === 0 ? [] : await this.deliveries.allWhere(companyId, mails, { sort: [['to', 'asc']] });
    const statesOf = (thing: string): readonly MailState[] =>
      found
        .filter(({ about }) => about === thing)
        .map(({ to, status, lastError }) => ({ to: to ?? '', status, error: lastError }));
    return new Map(things.map((thing) => [thing, statesOf(thing)]));
  }

  /** A schedule that runs away must not make a mail server refuse everybody. */
  private async assertNotTooMany(companyId: CompanyId): Promise<void> {
    const lately = { channel: 'mail', createdAt: { gte: new Date(this.clock.now().getTime() - DAY_MS) } };
    if ((await this.deliveries.countOf(companyId, lately)) < MOST_A_DAY) return;
    throw new AppError('rate_limited', `the company has sent ${MOST_A_DAY} mails within a day`);
  }
}

/** Hands mails to the server. */
@Injectable()
export class MailCourier extends DeliveryCourier<'mail.deliver'> {
  override readonly job = 'mail.deliver';
  protected override readonly failure = 'a mail was not sent';

  constructor(
    private readonly mailer: Mailer,
    private readonly box: SecretBox,
  ) {
    super();
  }

  protected override async send({ id, companyId, to, body, createdAt }: Delivery, signal: AbortSignal): Promise<void> {
    const { sealed, attachments } = body as unknown as { sealed: string; attachments: readonly StoredAttachment[] };
    const words = JSON.parse(await this.box.open(sealed, companyId)) as Words;
    const files = attachments.map(({ base64, ...rest }) => ({ ...rest, content: Buffer.from(base64, 'base64') }));
    await this.mailer.send({ ...words, id, to: to ?? '', attachments: files, writtenAt: createdAt }, signal);
  }
}

type StoredAttachment = Omit<MailAttachment, 'content'> & { readonly base64: string };

function storedAttachments(attachments: readonly MailAttachment[]): readonly JsonObject[] {
  const bytes = attachments.reduce((sum, { content }) => sum + content.length, 0);
  if (bytes > MAX_ATTACHED_BYTES) throw new AppError('too_large', 'the attachments of a mail may have 4 MiB together');
  return attachments.map(({ content, ...rest }) => ({ ...rest, base64: content.toString('base64') }));
}

function wordsOf({ subject, text, html }: Pick<Mail, 'subject' | 'text' | 'html'>): Words {
  const line = subject.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  return { subject: line.slice(0, LONGEST_SUBJECT).toWellFormed(), text, html: html ?? null };
}

function assertAddress(address: string): void {
  const problem = mailAddressProblem(address);
  if (problem !== null) throw new AppError('invalid_input', `the address of a mail ${problem}`);
}

/** Who is to get a mail again and again. */
export interface Recipient {
  /** In lower case. */
  readonly address: string;
  /** Nobody of the company: a manager has named them. Everybody else gets mail as long as they are let in. */
  readonly external: boolean;
}

/** What is told to those whom something names. */
export interface Report extends Pick<Mail, 'companyId' | 'subject' | 'event'> {
  readonly to: readonly Recipient[];
  /** It goes to an address once for this, however often it is asked for. */
  readonly about: string;
  /** Asked for when somebody is there to read it. */
  readonly markdown: () => string | Promise<string>;
  /** File names of charts that stand below the text, if they don't stand in it. */
  readonly charts?: readonly string[];
  /** A page of the console: `Open the board`, `/boards/<id>`. */
  readonly link: { readonly label: string; readonly path: string };
}

/** Why nothing was sent, when trying again would not help: there is no mail server, nobody is left to write to, or the mail was refused. */
export type Unsent = 'no_server' | 'nobody' | AppError;

/** Says who may be written to again and again, people of the company and whomever a manager names, and writes to them. */
@Injectable()
export class RecipientsFacade {
  constructor(
    private readonly users: UsersFacade,
    private readonly mail: MailFacade,
    private readonly mails: AnswerMails,
    private readonly config: AppConfig,
  ) {}

  /** Orders the mails; null: they were. @throws AppError `unavailable` when trying again may help. */
  async report({ to, markdown, charts = [], link, ...mail }: Report): Promise<Unsent | null> {
    if (!this.mail.available) return 'no_server';
    const addresses = await this.addressesOf(mail.companyId, to);
    if (addresses.length === 0) return 'nobody';
    const { publicUrl } = this.config.server;
    const letter = await this.mails.write(mail.companyId, {
      markdown: await markdown(),
      charts,
      link: publicUrl === null ? null : { label: link.label, url: `${publicUrl}${link.path}` },
    });
    try {
      await this.mail.send({ ...mail, to: addresses, ...letter });
      return null;
    } catch (error) {
      if (!isAppError(error) || error.kind === 'unavailable') throw error;
      return error;
    }
  }

  /** How the mails stand that a report was. */
  async told(companyId: CompanyId, about: string): Promise<readonly MailState[]> {
    return (await this.mail.about(companyId, [about])).get(about) ?? [];
  }

  /**
   * `before`: who was named already, and may stay; they all do when no addresses are given.
   *
   * @throws AppError `invalid_input` for addresses that are none, `forbidden` for an address that the caller may not name,
   *   `conflict` when no mail server is set up.
   */
  async checked(
    by: Principal,
    addresses: readonly string[] | null | undefined,
    before: readonly Recipient[] = [],
  ): Promise<readonly Recipient[]> {
    if (addresses == null) return before;
    const named = [...new Set(addresses.map((address) => address.trim().toLowerCase()))];
    if (named.length > 0 && !this.mail.available) {
      throw new AppError(
        'conflict',
        'nobody can be told by mail: this service has no mail server, which its operator sets up',
      );
    }
    const recipients: Recipient[] = [];
    for (const address of named) {
      const problem = mailAddressProblem(address);
      if (problem !== null) throw invalidField('notify_emails', `each ${problem}`, `notify_emails: each ${problem}`);
      const external = (await this.colleague(by.companyId, address))?.isActive !== true;
      const isKnown = before.some((each) => each.address === address);
      if (external && !isKnown && !hasRole(by.role, 'manager')) {
        throw new AppError('forbidden', `${address} is nobody of the company: a manager may name them`);
      }
      recipients.push({ address, external });
    }
    return recipients;
  }

  /** What names recipients. `keep` is called with those that are left when one of them is erased. */
  keptIn<T extends { readonly notifyEmails: readonly Recipient[] }>(
    named: { allOf(companyId: CompanyId): AsyncIterable<T> },
    keep: (one: T, left: readonly Recipient[]) => Promise<unknown>,
  ): void {
    this.users.alsoErase(async ({ companyId, email }) => {
      for await (const one of named.allOf(companyId)) {
        const left = one.notifyEmails.filter(({ address }) => address !== email.toLowerCase());
        if (left.length < one.notifyEmails.length) await keep(one, left);
      }
    });
  }

  /** Who is to be written to now: people who have left, or are blocked, are not. */
  private async addressesOf(companyId: CompanyId, recipients: readonly Recipient[]): Promise<readonly string[]> {
    const checked = recipients.map(async ({ address, external }) => {
      const user = await this.colleague(companyId, address);
      return (user?.isActive ?? external) ? [address] : [];
    });
    return (await Promise.all(checked)).flat();
  }

  /** Whoever of the company has the address; null: nobody. */
  private async colleague(companyId: CompanyId, address: string): Promise<User | null> {
    const user = await this.users.findByEmail(address);
    return user?.companyId === companyId ? user : null;
  }
}
