import { AppError } from '../shared/app-error.js';

export interface MailAttachment {
  readonly filename: string;
  /** `image/png` … */
  readonly type: string;
  readonly content: Buffer;
  /** The HTML shows it as `cid:<cid>`; left out: it is a file beside the text. */
  readonly cid?: string;
}

/** A mail to one address. */
export interface MailMessage {
  /** The same for every attempt; part of the message's own id, so that a mailbox can drop what it has. */
  readonly id: string;
  readonly to: string;
  /** One line. */
  readonly subject: string;
  readonly text: string;
  readonly html: string | null;
  readonly attachments: readonly MailAttachment[];
  readonly writtenAt: Date;
}

/** Hands mails to a mail server. */
export abstract class Mailer {
  /** False: no server is set up. */
  abstract readonly available: boolean;

  /**
   * Resolves once the server has taken the mail.
   *
   * @throws AppError `invalid_input` when trying again can't help: the server refuses the address or the mail for good;
   *   `unavailable` when it may: the server is away, slow, not to be trusted, does not let us in, or asks for patience.
   */
  abstract send(message: MailMessage, signal: AbortSignal): Promise<void>;
}

export class NoMailer extends Mailer {
  override readonly available = false;

  override send(): Promise<void> {
    return Promise.reject(new AppError('invalid_input', 'the mail server was removed from the configuration'));
  }
}
