import { describe, expect, it } from 'vitest';
import { SETTINGS } from '../../src/features/settings/settings.schema.js';
import { WebhookReconciler } from '../../src/features/settings/webhook/webhook.reconciler.js';
import { DocumentStore } from '../../src/ports/document-store.js';
import { JobQueue } from '../../src/ports/job-queue.js';
import { asId, type CompanyId } from '../../src/shared/ids.js';
import type { JsonObject } from '../../src/shared/json.js';
import { startTestApi } from '../support/test-api.js';
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

describe('a webhook that is set up badly', () => {
  it('harms nobody when it leads to a machine of ours', async () => {
    await using api = await startTestApi();
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
    await using api = await startTestApi();
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
    await using api = await startTestApi();
    const ada = await subscribe(api, receiver);
    receiver.answer = (response) => response.writeHead(503).end();
    const { id } = await firstFailure(api, ada);
    await api.get(JobQueue).cancel('webhook.deliver', id);
    await ada.patch('/secure/settings', { config: { webhook: null } });
    await api.get(WebhookReconciler).tick();
    await api.drain();
    expect(await onlyDelivery(api, ada)).toMatchObject({
      status: 'failed',
      lastError: 'the webhook was removed from the settings',
    });
  });

  it('never makes an announcement throw, even when the store is away', async () => {
    await using api = await startTestApi();
    const ada = await api.signIn('acme');
    await api.app.close();
    await expect(announce(api, ada)).resolves.toBeUndefined();
  });
});
