import { describe, expect, it } from 'vitest';
import { SmtpMailer } from '../../src/adapters/mail/smtp-mailer.js';
import type { MailMessage } from '../../src/ports/mailer.js';
import type { AppError } from '../../src/shared/app-error.js';
import { MailSink } from '../support/mail-sink.js';
import { throwAwayCertificate } from '../support/throw-away-certificate.js';

const FROM = { name: 'Reports', address: 'reports@example.com' };
const PATIENT = new AbortController().signal;
const PICTURE = { filename: 'chart.png', type: 'image/png', content: Buffer.from([0x89, 1, 2, 3]), cid: 'chart' };
const MAIL: MailMessage = {
  id: 'a'.repeat(24),
  to: 'ada@example.com',
  subject: 'Höhe über Null',
  text: 'Größe: 3 m²',
  html: '<p>Größe: <b>3 m²</b> <img src="cid:chart"></p>',
  attachments: [PICTURE],
  writtenAt: new Date('2026-03-01T08:00:00Z'),
};

function mailerFor(sink: MailSink, scheme = 'smtp+plain', host = '127.0.0.1', ca?: string): SmtpMailer {
  return new SmtpMailer({ url: `${scheme}://${host}:${sink.port}`, from: FROM }, ca);
}

async function failureOf(sent: Promise<void>): Promise<AppError> {
  return sent.then(
    () => expect.fail('it was sent'),
    (error: unknown) => error as AppError,
  );
}

describe('SmtpMailer', () => {
  it('hands over text, HTML and pictures in it, from the one who writes to the one who reads', async () => {
    await using sink = await MailSink.start();
    await mailerFor(sink).send(MAIL, PATIENT);
    const [mail] = sink.received;
    expect(mail).toMatchObject({
      envelopeTo: ['ada@example.com'],
      from: FROM,
      to: [{ address: 'ada@example.com' }],
      subject: MAIL.subject,
      messageId: `<${MAIL.id}@example.com>`,
      date: '2026-03-01T08:00:00.000Z',
    });
    expect(mail?.text?.trim()).toBe(MAIL.text);
    expect(mail?.html?.trim()).toBe(MAIL.html);
    const [picture] = mail?.attachments ?? [];
    expect(picture).toMatchObject({ filename: 'chart.png', mimeType: 'image/png', contentId: '<chart>' });
    expect([...new Uint8Array(picture?.content as ArrayBuffer)]).toEqual([0x89, 1, 2, 3]);
  });

  it.each([
    ['a subject of two lines', { subject: 'Hello\r\nBcc: eve@example.com\r\n\r\nInjected' }],
    ['an address with a further header', { to: 'ada@example.com\r\nBcc: eve@example.com' }],
    ['an address that is a list', { to: 'ada@example.com, eve@example.com' }],
    [
      'an attachment with a header in its name',
      { attachments: [{ ...PICTURE, filename: 'a.png\r\nBcc: eve@x.example' }] },
    ],
  ])('writes to nobody else for %s', async (_what, hostile) => {
    await using sink = await MailSink.start();
    await mailerFor(sink)
      .send({ ...MAIL, ...hostile }, PATIENT)
      .catch(() => undefined);
    for (const { envelopeTo, headers, raw } of sink.received) {
      expect(envelopeTo).toHaveLength(1);
      expect(envelopeTo).not.toContain('eve@example.com');
      expect(headers.map(({ key }) => key)).not.toContain('bcc');
      expect(raw).not.toMatch(/^bcc:/im);
    }
  });

  it('signs in and sends after STARTTLS, or with TLS from the start, to who has a trusted certificate', async () => {
    const certificate = throwAwayCertificate('localhost');
    for (const [scheme, secure] of [
      ['smtp', false],
      ['smtps', true],
    ] as const) {
      await using sink = await MailSink.start({ ...certificate, secure, disabledCommands: [] });
      await mailerFor(sink, scheme, 'ada:right%20horse@localhost', certificate.cert).send(MAIL, PATIENT);
      expect(sink.signedIn).toEqual([{ user: 'ada', password: 'right horse' }]);
      expect(sink.received).toHaveLength(1);
    }
  });

  it.each(['smtp', 'smtps'])('sends nothing over %s to who has no trusted certificate', async (scheme) => {
    const certificate = throwAwayCertificate('localhost');
    const secure = scheme === 'smtps';
    await using sink = await MailSink.start({ ...certificate, secure, disabledCommands: [] });
    const failure = await failureOf(mailerFor(sink, scheme, 'ada:right%20horse@localhost').send(MAIL, PATIENT));
    expect(failure).toMatchObject({ kind: 'unavailable' });
    expect(failure.message).not.toContain('horse');
    const other = throwAwayCertificate('elsewhere.example');
    await expect(mailerFor(sink, scheme, 'localhost', other.cert).send(MAIL, PATIENT)).rejects.toThrow('mail server');
    expect([sink.received, sink.signedIn]).toEqual([[], []]);
  });

  it('sends nothing where STARTTLS is not offered', async () => {
    await using sink = await MailSink.start();
    await expect(mailerFor(sink, 'smtp').send(MAIL, PATIENT)).rejects.toMatchObject({ kind: 'unavailable' });
    expect(sink.received).toEqual([]);
  });

  it('tells what is final from what may pass, and that a password is wrong without telling it', async () => {
    await using sink = await MailSink.start();
    const answerTo = async (code: number): Promise<AppError> => {
      sink.answer = () => ({ code });
      return failureOf(mailerFor(sink).send(MAIL, PATIENT));
    };
    const [final, passing] = [await answerTo(550), await answerTo(451)];
    expect(final).toMatchObject({ kind: 'invalid_input', message: 'the mail server answered 550' });
    expect(passing).toMatchObject({ kind: 'unavailable', message: 'the mail server answered 451' });
    const certificate = throwAwayCertificate('localhost');
    await using known = await MailSink.start({ ...certificate, disabledCommands: [] });
    const mailer = mailerFor(known, 'smtp', 'ada:wrong%20horse@localhost', certificate.cert);
    const message = 'the mail server does not accept the user and password';
    expect(await failureOf(mailer.send(MAIL, PATIENT))).toMatchObject({ kind: 'unavailable', message });
  });

  it('says that nobody is there, and hears its signal', async () => {
    const sink = await MailSink.start();
    const mailer = mailerFor(sink);
    await sink[Symbol.asyncDispose]();
    expect(await failureOf(mailer.send(MAIL, PATIENT))).toMatchObject({ kind: 'unavailable' });

    await using slow = await MailSink.start();
    const abort = new AbortController();
    slow.beforeYes = () => {
      abort.abort();
      return new Promise(() => undefined);
    };
    expect(await failureOf(mailerFor(slow).send(MAIL, abort.signal))).toMatchObject({ kind: 'unavailable' });
  });
});
