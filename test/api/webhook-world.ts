import { expect, vi } from 'vitest';
import { WebhookSender } from '../../src/ports/webhook-sender.js';
import type { TestApi } from '../support/test-api.js';
import type { TestClient } from '../support/test-client.js';
import type { WebhookReceiver } from '../support/webhook-receiver.js';

export const SECRET = 'a secret of sixteen';

/** A manager whose company tells this receiver. Only what the sender trusts is changed: this machine, and its certificate. */
export async function subscribe(api: TestApi, receiver: WebhookReceiver, more: object = {}): Promise<TestClient> {
  const sender = receiver.sender();
  vi.spyOn(api.get(WebhookSender), 'send').mockImplementation((...what) => sender.send(...what));
  const ada = await api.signIn('acme', { role: 'manager' });
  const webhook = { url: receiver.url, secret: SECRET, ...more };
  expect(await ada.patch('/secure/settings', { config: { webhook } })).toMatchObject({ status: 200 });
  return ada;
}

export function bodiesOf({ received }: WebhookReceiver): readonly Record<string, unknown>[] {
  return received.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
}
