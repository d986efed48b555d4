import { HttpsWebhookSender, type SenderOptions } from '../../src/adapters/webhooks/https-webhook-sender.js';
import type { WebhookMessage } from '../../src/ports/webhook-sender.js';
import { isAppError, type AppError } from '../../src/shared/app-error.js';
import type { WebhookReceiver } from '../support/webhook-receiver.js';

export const SECRET = 'a secret of the receiver';
export const PATIENT = new AbortController().signal;
export const MESSAGE: WebhookMessage = {
  id: '0123456789abcdef01234567',
  event: 'agent-task.finished',
  body: { task_id: 'abc', answer: 'Zwölf Äpfel — 12 🍎' },
  happenedAt: new Date('2026-01-15T11:59:00.000Z'),
  sentAt: new Date('2026-01-15T12:00:00.900Z'),
};

export async function failureOf(sending: Promise<void>): Promise<AppError> {
  const error: unknown = await sending.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!isAppError(error)) throw new Error(`no AppError: ${String(error)}`);
  return error;
}

/** How a message to this address fails with the rules of production. */
export function refusalOf(url: string, options: SenderOptions = {}): Promise<AppError> {
  return failureOf(new HttpsWebhookSender(options).send({ url, secret: SECRET }, MESSAGE, PATIENT));
}

/** How a message to the receiver fails. */
export function failureFor(receiver: WebhookReceiver, options: SenderOptions = {}): Promise<AppError> {
  return failureOf(receiver.sender(options).send({ url: receiver.url, secret: SECRET }, MESSAGE, PATIENT));
}
