import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DeliveryRepository, type Delivery } from '../../src/features/deliveries/deliveries.facade.js';
import { DeliveryReconciler } from '../../src/features/deliveries/deliveries.module.js';
import { SETTINGS } from '../../src/features/settings/settings.schema.js';
import { WebhookCourier, WebhookFacade } from '../../src/features/settings/webhook/webhook.facade.js';
import type { WebhookEvent } from '../../src/features/settings/webhook/webhook-settings.js';
import { DocumentStore } from '../../src/ports/document-store.js';
import { JobQueue } from '../../src/ports/job-queue.js';
import { AppError } from '../../src/shared/app-error.js';
import { asId, type CompanyId } from '../../src/shared/ids.js';
import type { JsonObject } from '../../src/shared/json.js';
import { eventually } from '../support/eventually.js';
import type { TestApi } from '../support/test-api.js';
import type { TestClient } from '../support/test-client.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { aService } from './a-service.js';
import { bodiesOf, SECRET, subscribe } from './webhook-world.js';

const EVENT = 'agent-task.finished';
const PATIENT = new AbortController().signal;

/** The same service, with companies of the test's own. */
let api: TestApi;
let receiver: WebhookReceiver;
const lines: string[] = [];

const service = await aService({
  environment: { LOG_LEVEL: 'warn' },
  onLog: (line) => lines.push(line),
});
const deliveries = service.get(DeliveryRepository);

beforeEach(async () => {
  api = service.anew();
  receiver = await WebhookReceiver.start();
  lines.length = 0;
});
afterEach(async () => {
  vi.restoreAllMocks();
  await receiver[Symbol.asyncDispose]();
});

const announce = (to: TestClient, body: JsonObject = { task_id: 'abc' }, event: WebhookEvent = EVENT): Promise<void> =>
  api.get(WebhookFacade).announce(asId(to.companyId), event, body);
const deliveriesTo = ({ companyId }: TestClient): Promise<readonly Delivery[]> =>
  deliveries.allWhere(asId<CompanyId>(companyId), {});
const answers = (status: number, headers = {}): void => {
  receiver.answer = (response) => response.writeHead(status, headers).end();
};

async function onlyDelivery(to: TestClient): Promise<Delivery> {
  const found = await deliveriesTo(to);
  expect(found).toHaveLength(1);
  return found[0]!;
}

/** What is lost is looked for, and what was found is done. */
async function reconciled(): Promise<void> {
  await api.get(DeliveryReconciler).tick();
  await api.drain();
}

/** The first attempt is over, and the queue forgets about the next. */
async function failedOnce(to: TestClient, status: number, headers = {}): Promise<Delivery> {
  answers(status, headers);
  await announce(to);
  const isOver = ({ lastError, leaseOwner }: Delivery): boolean => lastError !== null && leaseOwner === null;
  const delivery = await eventually(() => onlyDelivery(to), isOver);
  await api.get(JobQueue).cancel('webhook.deliver', delivery.id);
  answers(200);
  return delivery;
}

describe("a company's webhook", () => {
  it('is told of a result, signed with the secret of the settings', async () => {
    const ada = await subscribe(api, receiver);
    await announce(ada, { task_id: 'abc', answer: 'Äpfel' });
    await api.drain();

    const { headers, body } = receiver.received[0]!;
    const delivery = await onlyDelivery(ada);
    const timestamp = delivery.createdAt.toISOString();
    expect(JSON.parse(body)).toEqual({ type: EVENT, timestamp, data: { task_id: 'abc', answer: 'Äpfel' } });
    const signed = `${delivery.id}.${String(headers['webhook-timestamp'])}.${body}`;
    expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', SECRET).update(signed).digest('base64')}`);
    const sent = { status: 'delivered', attempts: 1, body: {}, lastError: null, leaseOwner: null };
    expect(delivery).toMatchObject({ ...sent, deliveredAt: api.clock.now() });
  });

  it('hears of the events that it names, and of nothing else, nor of another company', async () => {
    const ada = await subscribe(api, receiver, { events: ['agent-task.failed'] });
    const eve = await api.signIn('globex');
    await announce(ada);
    for (const client of [ada, eve]) await announce(client, {}, 'agent-task.failed');
    await api.drain();
    expect(bodiesOf(receiver)).toMatchObject([{ type: 'agent-task.failed' }]);
    expect(await deliveriesTo(eve)).toEqual([]);
  });
});

describe('a delivery', () => {
  it('that a receiver refuses fails at once, with a reason that operators read', async () => {
    const ada = await subscribe(api, receiver);
    answers(410);
    await announce(ada);
    await api.drain();

    const delivery = await onlyDelivery(ada);
    const reason = 'the receiver answered 410';
    expect(delivery).toMatchObject({ status: 'failed', attempts: 1, lastError: reason, body: {}, leaseOwner: null });
    const told = lines.map((line) => JSON.parse(line) as { msg: string }).find(({ msg }) => msg.includes('webhook'));
    const about = { companyId: ada.companyId, deliveryId: delivery.id, event: EVENT };
    expect(told).toMatchObject({ msg: 'a webhook was not delivered', ...about, attempts: 1, reason });
    expect(lines.join('')).not.toMatch(/hooks\?from|sixteen/);
  });

  it('that fails for the moment waits, and is the same message when it comes again', async () => {
    const ada = await subscribe(api, receiver);
    const missed = await failedOnce(ada, 503);
    expect(missed).toMatchObject({ status: 'pending', lastError: 'the receiver answered 503', attempts: 1 });
    api.clock.advance(5000);
    await api.get(WebhookCourier).run({ companyId: missed.companyId, deliveryId: missed.id }, PATIENT);
    expect(await onlyDelivery(ada)).toMatchObject({ status: 'delivered', attempts: 2 });
    const [first, second] = receiver.received;
    expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id']);
    expect(second!.body).toBe(first!.body);
    expect(second!.headers['webhook-timestamp']).not.toBe(first!.headers['webhook-timestamp']);
  });

  it('leaves the receiver alone as long as it says, and the reconciler comes back', async () => {
    const ada = await subscribe(api, receiver);
    await failedOnce(ada, 429, { 'retry-after': '600' });
    await reconciled();
    expect(receiver.received).toHaveLength(1);
    api.clock.advance(600_000);
    await reconciled();
    expect(await onlyDelivery(ada)).toMatchObject({ status: 'delivered', attempts: 2 });
  });

  it('fails after ten attempts, whoever made them', async () => {
    const ada = await subscribe(api, receiver);
    const missed = await failedOnce(ada, 500);
    answers(500);
    await deliveries.swap(missed, {}, { attempts: 9 });
    for (let turn = 0; turn < 2; turn += 1) {
      await reconciled();
      expect(await onlyDelivery(ada)).toMatchObject({ status: 'failed', attempts: 10 });
    }
    expect(receiver.received).toHaveLength(2);
  });

  it('is not sent twice while it is being sent', async () => {
    const ada = await subscribe(api, receiver);
    let release: () => void = () => undefined;
    const arrived = new Promise<void>((resolve) => {
      receiver.answer = (response) => {
        release = () => response.writeHead(200).end();
        resolve();
      };
    });
    await announce(ada);
    await arrived;
    const { id } = await onlyDelivery(ada);
    const job = { companyId: asId<CompanyId>(ada.companyId), deliveryId: id };
    await api.get(DeliveryReconciler).tick();
    await api.get(WebhookCourier).run(job, PATIENT);
    await api.get(WebhookCourier).giveUp(job, new Error('impatience'));
    expect(receiver.received).toHaveLength(1);
    release();
    await api.drain();
    expect(receiver.received).toHaveLength(1);
    expect(await onlyDelivery(ada)).toMatchObject({ status: 'delivered', attempts: 1 });
  });

  it('that a killed process had begun is sent by the reconciler', async () => {
    const ada = await subscribe(api, receiver);
    vi.spyOn(api.get(JobQueue), 'enqueue').mockResolvedValueOnce(undefined);
    await announce(ada, { task_id: 'abc' });
    const leaseUntil = new Date(api.clock.now().getTime() + 30_000);
    await deliveries.swap(await onlyDelivery(ada), {}, { leaseOwner: 'a dead one', leaseUntil, attempts: 1 });
    await reconciled();
    expect(bodiesOf(receiver)).toMatchObject([{ data: { task_id: 'abc' } }]);
    expect(await onlyDelivery(ada)).toMatchObject({ status: 'delivered', attempts: 2 });
  });
});

describe('a webhook that is set up badly harms nobody', () => {
  const url = 'https://hooks.example.com/';

  /** Settings as nobody could set them now; they may have been stored under other rules. */
  it.each<[string, string | object, string | null]>([
    ['it leads to a machine of ours', { url: 'https://127.0.0.1:1/', secret: SECRET }, 'not on the public internet'],
    ['it is a text', url, null],
    ['it has no secret', { url }, null],
    ['its address is none', { url: ':', secret: SECRET }, null],
    ['its secret is of another key', { url, secret: 'sealed:v1:0123456789abcdef:AAAA' }, null],
    ['its secret is no text', { url, secret: { a: 1 } }, null],
  ])('when %s', async (_what, webhook, reason) => {
    const ada = await api.signIn('acme');
    const settings = api.get(DocumentStore).tenantCollection(SETTINGS).of(asId<CompanyId>(ada.companyId));
    await settings.update({}, { set: { config: { webhook } as JsonObject } });
    await announce(ada);
    await api.drain();
    expect((await deliveriesTo(ada)).filter(({ status }) => status === 'pending')).toEqual([]);
    if (reason !== null) expect((await onlyDelivery(ada)).lastError).toContain(reason);
  });

  it('when it is removed before it could be told', async () => {
    const ada = await subscribe(api, receiver);
    await failedOnce(ada, 503);
    await ada.patch('/secure/settings', { config: { webhook: null } });
    await reconciled();
    const lastError = 'the webhook was removed from the settings';
    expect(await onlyDelivery(ada)).toMatchObject({ status: 'failed', lastError });
  });

  it('even when the store is away', async () => {
    const ada = await subscribe(api, receiver);
    vi.spyOn(deliveries, 'insertOnce').mockRejectedValue(new AppError('unavailable', 'away'));
    await expect(announce(ada)).resolves.toBeUndefined();
  });
});
