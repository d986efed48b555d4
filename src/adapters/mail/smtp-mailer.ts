import { createTransport } from 'nodemailer';
import type { MailConfig } from '../../config/app-config.js';
import { type MailMessage, Mailer } from '../../ports/mailer.js';
import { AppError, type ErrorKind } from '../../shared/app-error.js';
import { mailAddressProblem } from '../../shared/mail-address.js';

const CONNECT_MS = 10_000;
/** Without a byte: so long a server may look at what it was given (RFC 5321, 4.5.3.2.6). Who hangs up sooner has sent it, and sends it again. */
const SILENCE_MS = 600_000;

/**
 * Sends by SMTP, a connection a mail. `smtps:` speaks TLS from the start and `smtp:` after STARTTLS, both with a certificate that is checked;
 * `smtp+plain:` speaks no TLS.
 */
export class SmtpMailer extends Mailer {
  override readonly available = true;
  private readonly transport: ReturnType<typeof createTransport>;

  /** `ca` is trusted in place of the system's authorities, as PEM. */
  constructor(
    private readonly config: MailConfig,
    ca?: string,
  ) {
    super();
    const url = new URL(config.url);
    const secure = url.protocol === 'smtps:';
    const plain = url.protocol === 'smtp+plain:';
    const auth = { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) };
    this.transport = createTransport({
      host: url.hostname.replace(/^\[|\]$/g, ''),
      port: url.port === '' ? (secure ? 465 : plain ? 25 : 587) : Number(url.port),
      secure,
      requireTLS: !plain,
      ignoreTLS: plain,
      ...(auth.user === '' ? {} : { auth, forceAuth: true }),
      ...(ca === undefined ? {} : { tls: { ca } }),
      connectionTimeout: CONNECT_MS,
      greetingTimeout: CONNECT_MS,
      socketTimeout: SILENCE_MS,
      // What a mail says of files and addresses is never read by us.
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  }

  override async send(message: MailMessage, signal: AbortSignal): Promise<void> {
    const problem = mailAddressProblem(message.to);
    if (problem !== null) throw new AppError('invalid_input', `the address of a mail ${problem}`);
    const { from } = this.config;
    const domain = from.address.slice(from.address.lastIndexOf('@') + 1);
    try {
      await this.transport.sendMail({
        from,
        to: { name: '', address: message.to },
        envelope: { from: from.address, to: [message.to] },
        messageId: `<${message.id}@${domain}>`,
        date: message.writtenAt,
        subject: message.subject,
        text: message.text,
        ...(message.html === null ? {} : { html: message.html }),
        attachments: message.attachments.map(({ filename, type, content, cid }) => ({
          filename,
          content,
          contentType: type,
          ...(cid === undefined ? {} : { cid, contentDisposition: 'inline' as const }),
        })),
        // Nobody answers a machine that is away.
        headers: { 'auto-submitted': 'auto-generated' },
        signal,
      });
    } catch (error) {
      throw failureOf(error);
    }
  }
}

/** The server's own words hold addresses, and may hold anything: its number and the kind of failure are told. */
function failureOf(error: unknown): AppError {
  const { code = 'unknown', responseCode: answer } = error as {
    readonly code?: string;
    readonly responseCode?: number;
  };
  const failed = (message: string, kind: ErrorKind = 'unavailable'): AppError =>
    new AppError(kind, message, { cause: error });
  if (code === 'EAUTH') return failed('the mail server does not accept the user and password');
  if (code === 'ETLS' || code === 'ESOCKET') return failed('no trusted connection to the mail server could be made');
  if (answer === undefined) return failed(`the mail server can't be reached: ${code}`);
  const isFinal = answer >= 500 && (code === 'EENVELOPE' || code === 'EMESSAGE');
  return failed(`the mail server answered ${answer}`, isFinal ? 'invalid_input' : 'unavailable');
}
