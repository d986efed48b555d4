import { createHmac } from 'node:crypto';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SETTINGS } from '../../src/features/settings/settings.schema.js';
import { WebhookCourier } from '../../src/features/settings/webhook/webhook.facade.js';
import { DeliveryReconciler } from '../../src/features/deliveries/deliveries.module.js';
import { DocumentStore } from '../../src/ports/document-store.js';
import { JobQueue } from '../../src/ports/job-queue.js';
import { asId, type CompanyId } from '../../src/shared/ids.js';
import type { JsonObject } from '../../src/shared/json.js';
import { startTestApi, type TestApi } from '../support/test-api.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import {
  announce,
  bodyOf,
  deliveriesOf,
  EVENT,
  firstFailure,
  onlyDelivery,
  PATIENT,
  SECRET,
  subscribe,
  trustFromTheStart,
} from './webhook-world.js';

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

/** The same service, with companies of the test's own. */
let api: TestApi;
const lines: string[] = [];

const service = await startTestApi({
  environment: { LOGIN_RATE_LIMIT: '0', LOG_LEVEL: 'warn' },
  onLog: (line) => lines.push(line),
});
afterAll(() => service[Symbol.asyncDispose]());

beforeEach(() => {
  api = service.anew();
});
afterEach(() => vi.restoreAllMocks());

describe("a company's webhook", () => {
  it('is told of a result, signed with the secret of the settings', async () => {
    await using receiver = await WebhookReceiver.start();
    const ada = await subscribe(api, receiver);
    await announce(api, ada, { task_id: 'abc', answer: 'Äpfel' });
    await api.drain();

    const { headers, body } = receiver.received[0]!;
    const delivery = await onlyDelivery(api, ada);
    expect(JSON.parse(body)).toEqual({
      type: EVENT,
      timestamp: delivery.createdAt.toISOString(),
      data: { task_id: 'abc', answer: 'Äpfel' },
    });
    const signed = `${delivery.id}.${String(headers['webhook-timestamp'])}.${body}`;
    expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', SECRET).update(signed).digest('base64')}`);
    expect(delivery).toMatchObject({ status: 'delivered', attempts: 1, body: {}, lastError: null, leaseOwner: null });
    expect(delivery.deliveredAt).toEqual(api.clock.now());
  });

  it('hears of the events that it names, and of nothing else', async () => {
    await using receiver = await WebhookReceiver.start();
    const ada = await subscribe(api, receiver, { events: ['agent-task.failed'] });
    await announce(api, ada);
    await announce(api, ada, {}, 'agent-task.failed');
    await api.drain();
    expect(receiver.received.map(({ body }) => (JSON.parse(body) as { type: string }).type)).toEqual([
      'agent-task.failed',
    ]);
  });

  it('hears nothing of another company', async () => {
    await using receiver = await WebhookReceiver.start();
    await subscribe(api, receiver);
    const eve = await api.signIn('globex');
    await announce(api, eve);
    await api.drain();
    expect(receiver.received).toEqual([]);
    expect(await deliveriesOf(api, eve).count({})).toBe(0);
  });
});

describe('a delivery', () => {
  it('that a receiver refuses fails at once, with a reason that operators read', async () => {
    await using receiver = await WebhookReceiver.start();
    const ada = await subscribe(api, receiver);
    receiver.answer = (response) => response.writeHead(410).end();
    lines.length = 0;
    await announce(api, ada);
    await api.drain();

    const delivery = await onlyDelivery(api, ada);
    const reason = 'the receiver answered 410';
    expect(delivery).toMatchObject({ status: 'failed', attempts: 1, lastError: reason, body: {}, leaseOwner: null });
    const told = lines.map((line) => JSON.parse(line) as { msg: string }).find(({ msg }) => msg.includes('webhook'));
    expect(told).toMatchObject({
      msg: 'a webhook was not delivered',
      companyId: ada.companyId,
      deliveryId: delivery.id,
      event: EVENT,
      attempts: 1,
      reason,
    });
    expect(lines.join('')).not.toMatch(/hooks\?from|sixteen/);
  });

  it('that fails for the moment waits, and is the same message when it comes again', async () => {
    await using receiver = await WebhookReceiver.start();
    const ada = await subscribe(api, receiver);
    receiver.answer = (response) => response.writeHead(503).end();
    const { id, status, lastError, attempts } = await firstFailure(api, ada);
    expect({ status, lastError, attempts }).toEqual({
      status: 'pending',
      lastError: 'the receiver answered 503',
      attempts: 1,
    });

    receiver.answer = (response) => response.writeHead(200).end();
    api.clock.advance(5000);
    await api.get(WebhookCourier).run({ companyId: asId(ada.companyId), deliveryId: id }, PATIENT);
    expect(await onlyDelivery(api, ada)).toMatchObject({ status: 'delivered', attempts: 2 });
    const [first, second] = receiver.received;
    expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id']);
    expect(second!.body).toBe(first!.body);
    expect(second!.headers['webhook-timestamp']).not.toBe(first!.headers['webhook-timestamp']);
  });

  it('leaves the receiver alone as long as it says, and the reconciler comes back', async () => {
    await using receiver = await WebhookReceiver.start();
    const ada = await subscribe(api, receiver);
    receiver.answer = (response) => response.writeHead(429, { 'retry-after': '600' }).end();
    const { id } = await firstFailure(api, ada);
    receiver.answer = (response) => response.writeHead(200).end();
    await api.get(JobQueue).cancel('webhook.deliver', id);

    await api.get(DeliveryReconciler).tick();
    await api.drain();
    expect(receiver.received).toHaveLength(1);
    api.clock.advance(600_000);
    await api.get(DeliveryReconciler).tick();
    await api.drain();
    expect(await onlyDelivery(api, ada)).toMatchObject({ status: 'delivered', attempts: 2 });
  });

  it('fails after ten attempts, whoever made them', async () => {
    await using receiver = await WebhookReceiver.start();
    const ada = await subscribe(api, receiver);
    receiver.answer = (response) => response.writeHead(500).end();
    const { id } = await firstFailure(api, ada);
    await api.get(JobQueue).cancel('webhook.deliver', id);
    await deliveriesOf(api, ada).update({ id }, { set: { attempts: 9 } });
    await api.get(DeliveryReconciler).tick();
    await api.drain();
    expect(await onlyDelivery(api, ada)).toMatchObject({ status: 'failed', attempts: 10 });
    await api.get(DeliveryReconciler).tick();
    await api.drain();
    expect(receiver.received).toHaveLength(2);
  });

  it('is not sent twice while it is being sent', async () => {
    await using receiver = await WebhookReceiver.start();
    const ada = await subscribe(api, receiver);
    let release: () => void = () => undefined;
    const arrived = new Promise<void>((resolve) => {
      receiver.answer = (response) => {
        release = () => response.writeHead(200).end();
        resolve();
      };
    });
    await announce(api, ada);
    await arrived;
    const { id } = await onlyDelivery(api, ada);
    const job = { companyId: asId<CompanyId>(ada.companyId), deliveryId: id };
    await api.get(DeliveryReconciler).tick();
    await api.get(WebhookCourier).run(job, PATIENT);
    await api.get(WebhookCourier).giveUp(job, new Error('impatience'));
    expect(receiver.received).toHaveLength(1);
    release();
    await api.drain();
    expect(receiver.received).toHaveLength(1);
    expect(await onlyDelivery(api, ada)).toMatchObject({ status: 'delivered', attempts: 1 });
  });

  it('that a killed process had begun is sent at the next start', async () => {
    await using receiver = await WebhookReceiver.start();
    const environment = { JWT_SECRET: 'j'.repeat(32) };
    await using first = await startTestApi({ environment });
    const ada = await subscribe(first, receiver);
    vi.spyOn(first.get(JobQueue), 'enqueue').mockResolvedValue(undefined);
    await announce(first, ada, { task_id: 'abc' });
    const { id } = await onlyDelivery(first, ada);
    const lease = { leaseOwner: 'a dead one', leaseUntil: new Date(first.clock.now().getTime() + 30_000) };
    await deliveriesOf(first, ada).update({ id }, { set: { ...lease, attempts: 1 } });
    await first.app.close();

    // The start itself sends: what it trusts has to be said before it.
    const sent = trustFromTheStart(receiver);
    await using again = await startTestApi({ dataDir: first.dataDir, environment });
    await again.drain();
    sent.mockRestore();
    expect(bodyOf(receiver)).toMatchObject({ data: { task_id: 'abc' } });
    expect(await onlyDelivery(again, ada)).toMatchObject({ status: 'delivered', attempts: 2 });
  });
});

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
