import { Injectable } from '@nestjs/common';
import { Clock } from '../../ports/clock.js';
import { Log } from '../../ports/log.js';
import { Mailer, type MailAttachment } from '../../ports/mailer.js';
import { SecretBox } from '../../ports/secret-box.js';
import { AppError } from '../../shared/app-error.js';
import type { CompanyId } from '../../shared/ids.js';
import type { JsonObject } from '../../shared/json.js';
import { mailAddressProblem } from '../../shared/mail-address.js';
import { wellFormed } from '../../shared/well-formed.js';
import { DeliveryCourier } from './delivery-courier.js';
import { DeliveryLedger } from './delivery-ledger.js';
import { DeliveryRepository } from './delivery.repository.js';
import type { Delivery } from './delivery.schema.js';
import { Outbox } from './outbox.js';

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
    const found = things.length === 0 ? [] : await this.deliveries.mailsAbout(companyId, things);
    const statesOf = (thing: string): readonly MailState[] =>
      found
        .filter(({ about }) => about === thing)
        .map(({ to, status, lastError }) => ({ to: to ?? '', status, error: lastError }));
    return new Map(things.map((thing) => [thing, statesOf(thing)]));
  }

  /** A schedule that runs away must not make a mail server refuse everybody. */
  private async assertNotTooMany(companyId: CompanyId): Promise<void> {
    const dayAgo = new Date(this.clock.now().getTime() - 86_400_000);
    if ((await this.deliveries.countMailsSince(companyId, dayAgo)) < MOST_A_DAY) return;
    throw new AppError('rate_limited', `the company has sent ${MOST_A_DAY} mails within a day`);
  }
}

/** Hands mails to the server. */
@Injectable()
export class MailCourier extends DeliveryCourier<'mail.deliver'> {
  override readonly job = 'mail.deliver';
  protected override readonly failure = 'a mail was not sent';

  constructor(
    ledger: DeliveryLedger,
    log: Log,
    private readonly mailer: Mailer,
    private readonly box: SecretBox,
  ) {
    super(ledger, log);
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
  return { subject: wellFormed(line.slice(0, LONGEST_SUBJECT)), text, html: html ?? null };
}

function assertAddress(address: string): void {
  const problem = mailAddressProblem(address);
  if (problem !== null) throw new AppError('invalid_input', `the address of a mail ${problem}`);
}
