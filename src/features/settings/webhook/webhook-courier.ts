import { Injectable } from '@nestjs/common';
import { Clock } from '../../../ports/clock.js';
import { FatalJobError } from '../../../ports/job-queue.js';
import { JOB_POLICIES, type JobPayloads } from '../../../ports/jobs.js';
import { Log } from '../../../ports/log.js';
import { WebhookSender } from '../../../ports/webhook-sender.js';
import { JobProcessor } from '../../../queue/job-processor.js';
import { isAppError, messageOf } from '../../../shared/app-error.js';
import { DeliveryLedger } from './delivery-ledger.js';
import type { Delivery } from './delivery.schema.js';
import { WebhookReader } from './webhook-reader.js';

type Deliver = JobPayloads['webhook.deliver'];

/** Across restarts: a queue counts from one again, the delivery does not. */
const MAX_ATTEMPTS = JOB_POLICIES['webhook.deliver'].attempts;

/** Brings messages to receivers, and writes down how it went. */
@Injectable()
export class WebhookCourier extends JobProcessor<'webhook.deliver'> {
  override readonly job = 'webhook.deliver';
  constructor(
    private readonly ledger: DeliveryLedger,
    private readonly webhooks: WebhookReader,
    private readonly sender: WebhookSender,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {
    super();
  }

  /** @throws FatalJobError when trying again can't help or has not helped, else the error of the attempt. */
  override async run({ companyId, deliveryId }: Deliver, signal: AbortSignal): Promise<void> {
    const delivery = await this.ledger.take(companyId, deliveryId);
    if (delivery === null) return;
    try {
      await this.send(delivery, signal);
    } catch (error) {
      await this.ledger.missed(delivery, error);
      if (!isHopeless(delivery, error)) throw error;
      throw new FatalJobError(messageOf(error), { cause: error });
    }
    await this.ledger.delivered(delivery);
  }

  override async giveUp({ companyId, deliveryId }: Deliver, error: Error): Promise<void> {
    const failed = await this.ledger.failed(companyId, deliveryId, error.message);
    if (failed === null) return;
    const { event, attempts } = failed;
    this.log.warn('a webhook was not delivered', { companyId, deliveryId, event, attempts, reason: error.message });
  }

  private async send({ id, companyId, event, body, createdAt }: Delivery, signal: AbortSignal): Promise<void> {
    const webhook = await this.webhooks.read(companyId);
    const message = { id, event, body, happenedAt: createdAt, sentAt: this.clock.now() };
    await this.sender.send(webhook, message, signal);
  }
}

function isHopeless({ attempts }: Delivery, error: unknown): boolean {
  return isAppError(error, 'invalid_input') || attempts >= MAX_ATTEMPTS;
}
