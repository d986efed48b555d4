import { expect, vi } from 'vitest';
import { HttpsWebhookSender } from '../../src/adapters/webhooks/https-webhook-sender.js';
import { DELIVERIES, type Delivery } from '../../src/features/deliveries/delivery.schema.js';
import { WebhookFacade } from '../../src/features/settings/webhook/webhook.facade.js';
import { DocumentStore, type Collection } from '../../src/ports/document-store.js';
import { WebhookSender } from '../../src/ports/webhook-sender.js';
import { asId, type CompanyId } from '../../src/shared/ids.js';
import type { JsonObject } from '../../src/shared/json.js';
import { eventually } from '../support/eventually.js';
import type { TestApi } from '../support/test-api.js';
import type { TestClient } from '../support/test-client.js';
import type { WebhookReceiver } from '../support/webhook-receiver.js';

export const EVENT = 'agent-task.finished';
export const SECRET = 'a secret of sixteen';
export const PATIENT = new AbortController().signal;

/** Only what the sender trusts is changed: this machine, and the receiver's certificate. */
function trust(api: TestApi, receiver: WebhookReceiver): void {
  const sender = receiver.sender();
  vi.spyOn(api.get(WebhookSender), 'send').mockImplementation((webhook, message, signal) =>
    sender.send(webhook, message, signal),
  );
}

export function trustFromTheStart(receiver: WebhookReceiver): { readonly mockRestore: () => void } {
  // oxlint-disable-next-line typescript/unbound-method -- called with its own sender below
  const send = HttpsWebhookSender.prototype.send;
  const trusting = receiver.sender();
  return vi
    .spyOn(HttpsWebhookSender.prototype, 'send')
    .mockImplementation((webhook, message, signal) => send.call(trusting, webhook, message, signal));
}

export async function subscribe(api: TestApi, receiver: WebhookReceiver, more: object = {}): Promise<TestClient> {
  trust(api, receiver);
  const ada = await api.signIn('acme', { role: 'manager' });
  const { status } = await ada.patch('/secure/settings', {
    config: { webhook: { url: receiver.url, secret: SECRET, ...more } },
  });
  expect(status).toBe(200);
  return ada;
}

export function announce(
  api: TestApi,
  client: TestClient,
  body: JsonObject = { task_id: 'abc' },
  event = EVENT,
): Promise<void> {
  return api.get(WebhookFacade).announce(asId(client.companyId), event, body);
}

export function deliveriesOf(api: TestApi, client: TestClient): Collection<Delivery> {
  return api.get(DocumentStore).tenantCollection(DELIVERIES).of(asId<CompanyId>(client.companyId));
}

export async function onlyDelivery(api: TestApi, client: TestClient): Promise<Delivery> {
  const found = await deliveriesOf(api, client).find({});
  expect(found).toHaveLength(1);
  return found[0]!;
}

export function bodyOf(receiver: WebhookReceiver, index = 0): Record<string, unknown> {
  return JSON.parse(receiver.received[index]!.body) as Record<string, unknown>;
}

/** Begins and waits until the first attempt is over, whatever the queue plans for the next. */
export async function firstFailure(api: TestApi, client: TestClient): Promise<Delivery> {
  await announce(api, client);
  return eventually(
    () => onlyDelivery(api, client),
    ({ lastError, leaseOwner }) => lastError !== null && leaseOwner === null,
  );
}
