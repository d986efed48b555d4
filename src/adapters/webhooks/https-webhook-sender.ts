import { createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type Webhook, type WebhookMessage, WebhookSender } from '../../ports/webhook-sender.js';
import { AppError, isAppError } from '../../shared/app-error.js';
import { Deadline } from '../../shared/deadline.js';
import { type AddressRules, answerTo, bodyOf, checkedRequest, PUBLIC_ADDRESSES } from '../network/checked-addresses.js';

const TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 64 * 1024;

export interface SenderOptions {
  /** Who may be called; the public internet alone unless a test says otherwise. */
  readonly addresses?: AddressRules;
  /** Trusted besides the system's authorities, as PEM. */
  readonly ca?: string;
  readonly timeoutMs?: number;
}

/**
 * Posts over HTTPS, a connection a message. The name is looked up once, every address of it checked, and the connection made to what was checked;
 * the certificate is still the name's.
 */
export class HttpsWebhookSender extends WebhookSender {
  constructor(private readonly options: SenderOptions = {}) {
    super();
  }

  override async send(webhook: Webhook, message: WebhookMessage, signal: AbortSignal): Promise<void> {
    const url = assertSendable(webhook.url);
    using deadline = new Deadline(this.options.timeoutMs ?? TIMEOUT_MS);
    const limit = deadline.signal;
    const asked = this.ask(url, webhookRequest(webhook, message), AbortSignal.any([signal, limit]));
    const answer = await asked.catch((error: unknown) => {
      throw isAppError(error) ? error : unreachable(error, limit.aborted);
    });
    const failure = failureOf(answer, message.sentAt);
    if (failure !== null) throw failure;
  }

  private async ask(
    url: URL,
    { body, headers }: ReturnType<typeof webhookRequest>,
    signal: AbortSignal,
  ): Promise<IncomingMessage> {
    const { addresses = PUBLIC_ADDRESSES, ca } = this.options;
    const options = await checkedRequest(url, addresses, { headers, signal });
    const answer = await answerTo({ ...options, method: 'POST', ...(ca === undefined ? {} : { ca }) }, body);
    // The status decides: a receiver that took the message and then drips, says too much or breaks off has it.
    await bodyOf(answer, MAX_ANSWER_BYTES).catch(() => undefined);
    return answer;
  }
}

function assertSendable(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== 'https:') throw new AppError('invalid_input', 'the address of the receiver must be https');
  if (url.username === '' && url.password === '') return url;
  throw new AppError('invalid_input', 'the address of the receiver must not hold a user name or a password');
}

/** Names the failure by its code: messages of the network hold addresses, which are nobody's business. */
function unreachable(error: unknown, late: boolean): AppError {
  if (late) return new AppError('unavailable', 'the receiver did not answer in time', { cause: error });
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  return new AppError('unavailable', `the receiver can't be reached: ${code}`, { cause: error });
}

const AGAIN_LATER = [408, 425, 429];
/** A receiver that asks for more patience is asked again after this. */
const MAX_WAIT_SECONDS = 3600;

const SECONDS = /^\d{1,9}$/;
const HTTP_DATE = /^[A-Za-z]{3}, .{1,40} GMT$/;

/** Null when the receiver took it; else why it did not, by kind of whether trying again makes sense. */
function failureOf({ statusCode: status = 0, headers }: IncomingMessage, now: Date): AppError | null {
  if (status >= 200 && status < 300) return null;
  const message = `the receiver answered ${status}`;
  if (status < 500 && !AGAIN_LATER.includes(status)) return new AppError('invalid_input', message);
  const seconds = secondsUntil(headers['retry-after'], now);
  return new AppError('unavailable', message, seconds === null ? {} : { retryAfter: seconds });
}

/** Reads `retry-after`: seconds, or a date of HTTP. */
function secondsUntil(text = '', now: Date): number | null {
  const seconds = SECONDS.test(text) ? Number(text) : Math.ceil((Date.parse(text) - now.getTime()) / 1000);
  const isKnown = (SECONDS.test(text) || HTTP_DATE.test(text)) && !Number.isNaN(seconds);
  return isKnown ? Math.min(Math.max(seconds, 0), MAX_WAIT_SECONDS) : null;
}

const ENCODED_SECRET = /^whsec_(.+)$/;

/** Writes and signs a message as the Standard Webhooks specification has it: the bytes that are signed go over the wire. */
function webhookRequest({ secret }: Webhook, message: WebhookMessage) {
  const { id, event, happenedAt, sentAt, body: data } = message;
  const body = Buffer.from(JSON.stringify({ type: event, timestamp: happenedAt.toISOString(), data }), 'utf8');
  const timestamp = String(Math.floor(sentAt.getTime() / 1000));
  const [, encoded] = ENCODED_SECRET.exec(secret) ?? [];
  const key = encoded === undefined ? secret : Buffer.from(encoded, 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
  return {
    body,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(body.length),
      'user-agent': 'data-analytics-service',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature}`,
    },
  };
}
