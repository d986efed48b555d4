import { createHmac } from 'node:crypto';
import type { Webhook, WebhookMessage } from '../../ports/webhook-sender.js';

const ENCODED_SECRET = /^whsec_(.+)$/;

/** What goes over the wire for a message: the same bytes that are signed. */
export interface WebhookRequest {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** Writes and signs a message as the Standard Webhooks specification has it. */
export function webhookRequest({ secret }: Webhook, message: WebhookMessage): WebhookRequest {
  const { id, event, happenedAt, sentAt, body: data } = message;
  const body = Buffer.from(JSON.stringify({ type: event, timestamp: happenedAt.toISOString(), data }), 'utf8');
  const timestamp = String(Math.floor(sentAt.getTime() / 1000));
  const signature = createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.`).update(body).digest('base64');
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

function keyOf(secret: string): Buffer {
  const [, encoded] = ENCODED_SECRET.exec(secret) ?? [];
  return encoded === undefined ? Buffer.from(secret, 'utf8') : Buffer.from(encoded, 'base64');
}
