import { Injectable } from '@nestjs/common';
import { Clock } from '../../../ports/clock.js';
import { Log } from '../../../ports/log.js';
import { WebhookSender } from '../../../ports/webhook-sender.js';
import { type Delivery, DeliveryCourier, DeliveryLedger } from '../../deliveries/deliveries.facade.js';
import { WebhookReader } from './webhook-reader.js';

/** Brings messages to companies' webhooks. */
@Injectable()
export class WebhookCourier extends DeliveryCourier<'webhook.deliver'> {
  override readonly job = 'webhook.deliver';
  protected override readonly failure = 'a webhook was not delivered';

  constructor(
    ledger: DeliveryLedger,
    log: Log,
    private readonly webhooks: WebhookReader,
    private readonly sender: WebhookSender,
    private readonly clock: Clock,
  ) {
    super(ledger, log);
  }

  protected override async send(
    { id, companyId, event, body, createdAt }: Delivery,
    signal: AbortSignal,
  ): Promise<void> {
    const webhook = await this.webhooks.read(companyId);
    const message = { id, event, body, happenedAt: createdAt, sentAt: this.clock.now() };
    await this.sender.send(webhook, message, signal);
  }
}
