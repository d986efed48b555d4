import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export interface ReceivedMail extends Email {
  readonly envelopeTo: readonly string[];
  /** As it came over the line. */
  readonly raw: string;
}

type Answer = (to: string) => { readonly code: number } | null;

/** A real SMTP server on this machine that keeps what it is given. */
export class MailSink implements AsyncDisposable {
  readonly received: ReceivedMail[] = [];
  readonly signedIn: { readonly user: string; readonly password: string }[] = [];
  /** Refuses a receiver with this code, or null: it takes the mail. */
  answer: Answer = () => null;
  /** Called when a mail has been read whole, before the server says so. */
  beforeYes: () => Promise<void> = () => Promise.resolve();

  private readonly server: SMTPServer;

  private constructor(options: SMTPServerOptions) {
    this.server = new SMTPServer({
      ...options,
      logger: false,
      onRcptTo: ({ address }, _session, callback) => {
        const refused = this.answer(address);
        callback(refused === null ? null : Object.assign(new Error('no'), { responseCode: refused.code }));
      },
      onAuth: ({ username, password }, _session, callback) => {
        this.signedIn.push({ user: username ?? '', password: password ?? '' });
        if (password === 'right horse') callback(null, { user: username });
        else callback(new Error('no such user'));
      },
      onData: (stream, { envelope }, callback) => {
        void this.take(
          stream,
          envelope.rcptTo.map(({ address }) => address),
        ).then(() => {
          callback(null);
        }, callback);
      },
    });
    // Who hangs up is no failure of the sink.
    this.server.on('error', () => undefined);
  }

  /** Without encryption and without users, unless the options say otherwise. */
  static async start(options: SMTPServerOptions = {}): Promise<MailSink> {
    const sink = new MailSink({ disabledCommands: ['AUTH', 'STARTTLS'], ...options });
    sink.server.listen(0, '127.0.0.1');
    await once(sink.server.server, 'listening');
    return sink;
  }

  get port(): number {
    return (this.server.server.address() as AddressInfo).port;
  }

  /** What the service needs to send here. */
  get environment(): Readonly<Record<string, string>> {
    return { SMTP_URL: `smtp+plain://127.0.0.1:${this.port}`, MAIL_FROM: 'Reports <reports@example.com>' };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const connection of this.server.connections) connection.close();
    await new Promise<void>((closed) => {
      this.server.close(closed);
    });
  }

  private async take(stream: AsyncIterable<Buffer>, envelopeTo: readonly string[]): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    const raw = Buffer.concat(chunks);
    await this.beforeYes();
    this.received.push({ ...(await PostalMime.parse(raw)), envelopeTo, raw: raw.toString('latin1') });
  }
}
