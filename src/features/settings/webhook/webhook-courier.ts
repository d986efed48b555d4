import { Injectable } from '@nestjs/common';
import { Clock } from '../../../ports/clock.js';
import { Log } from '../../../ports/log.js';
import { type Webhook, WebhookSender } from '../../../ports/webhook-sender.js';
import { AppError } from '../../../shared/app-error.js';
import type { CompanyId } from '../../../shared/ids.js';
import { type Delivery, DeliveryCourier, DeliveryLedger } from '../../deliveries/deliveries.facade.js';
import { SettingsSealer } from '../settings-sealer.js';
import { SettingsRepository } from '../settings.repository.js';
import { wants, webhookIn } from './webhook-settings.js';

/** Reads a company's webhook from its settings. */
@Injectable()
export class WebhookReader {
  constructor(
    private readonly settings: SettingsRepository,
    private readonly sealer: SettingsSealer,
  ) {}

  /** Whether the company has a webhook, and it wants to hear of such an event. */
  async isWanted(companyId: CompanyId, event: string): Promise<boolean> {
    const webhook = webhookIn((await this.settings.find(companyId))?.config ?? {});
    return webhook !== null && wants(webhook, event);
  }

  /** @throws AppError `invalid_input` when there is none, or none that can be called. */
  async read(companyId: CompanyId): Promise<Webhook> {
    const webhook = webhookIn((await this.settings.find(companyId))?.config ?? {});
    if (webhook === null) throw new AppError('invalid_input', 'the webhook was removed from the settings');
    const secret = await this.sealer.open(companyId, webhook.secret);
    if (typeof secret !== 'string') throw new AppError('invalid_input', 'the secret of the webhook is no text');
    return { url: webhook.url, secret };
  }
}

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
