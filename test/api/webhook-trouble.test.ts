import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { SETTINGS } from '../../src/features/settings/settings.schema.js';
import { DeliveryReconciler } from '../../src/features/deliveries/delivery.reconciler.js';
import { DocumentStore } from '../../src/ports/document-store.js';
import { JobQueue } from '../../src/ports/job-queue.js';
import { asId, type CompanyId } from '../../src/shared/ids.js';
import type { JsonObject } from '../../src/shared/json.js';
import { startTestApi, type TestApi } from '../support/test-api.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { announce, deliveriesOf, firstFailure, onlyDelivery, SECRET, subscribe } from './webhook-world.js';

/** Settings as nobody could set them now; they may have been stored under other rules. */
const BAD_WEBHOOKS: readonly (readonly [string, string | object])[] = [
  ['a text', 'https://hooks.example.com/'],
  ['no address', { secret: SECRET }],
  ['no secret', { url: 'https://hooks.example.com/' }],
  ['an address that is none', { url: ':', secret: SECRET }],
  ['a secret of another key', { url: 'https://hooks.example.com/', secret: 'sealed:v1:0123456789abcdef:AAAA' }],
  ['a secret that is no text', { url: 'https://hooks.example.com/', secret: { a: 1 } }],
  ['events that are none', { url: 'https://hooks.example.com/', secret: { a: 1 }, events: 'all' }],
];

let service: TestApi;
/** The same service, with companies of the test's own. */
let api: TestApi;
beforeAll(async () => {
  service = await startTestApi({ environment: { LOGIN_RATE_LIMIT: '0' } });
});
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(() => {
  api = service.anew();
});
afterEach(() => vi.restoreAllMocks());

describe('a webhook that is set up badly', () => {
  it('harms nobody when it leads to a machine of ours', async () => {
    const ada = await api.signIn('acme', { role: 'manager' });
    await ada.patch('/secure/settings', { config: { webhook: { url: 'https://localtest.example/', secret: SECRET } } });
    const settings = api.get(DocumentStore).tenantCollection(SETTINGS).of(asId<CompanyId>(ada.companyId));
    await settings.update({}, { set: { config: { webhook: { url: 'https://127.0.0.1:1/', secret: SECRET } } } });
    await announce(api, ada);
    await api.drain();
    expect(await onlyDelivery(api, ada)).toMatchObject({
      status: 'failed',
      lastError: 'the receiver is not on the public internet',
    });
  });

  it('harms nobody, whatever it is', async () => {
    for (const [name, webhook] of BAD_WEBHOOKS) {
      const ada = await api.signIn(name.replaceAll(' ', '-'));
      const settings = api.get(DocumentStore).tenantCollection(SETTINGS).of(asId<CompanyId>(ada.companyId));
      await settings.update({}, { set: { config: { webhook } as JsonObject } });
      await expect(announce(api, ada), name).resolves.toBeUndefined();
      await api.drain();
      expect(await deliveriesOf(api, ada).count({ status: 'pending' }), name).toBe(0);
    }
  });

  it('harms nobody when it is removed before it could be told', async () => {
    await using receiver = await WebhookReceiver.start();
    const ada = await subscribe(api, receiver);
    receiver.answer = (response) => response.writeHead(503).end();
    const { id } = await firstFailure(api, ada);
    await api.get(JobQueue).cancel('webhook.deliver', id);
    await ada.patch('/secure/settings', { config: { webhook: null } });
    await api.get(DeliveryReconciler).tick();
    await api.drain();
    expect(await onlyDelivery(api, ada)).toMatchObject({
      status: 'failed',
      lastError: 'the webhook was removed from the settings',
    });
  });

  it('never makes an announcement throw, even when the store is away', async () => {
    await using closed = await startTestApi();
    const ada = await closed.signIn('acme');
    await closed.app.close();
    await expect(announce(closed, ada)).resolves.toBeUndefined();
  });
});
