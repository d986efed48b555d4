import { Injectable } from '@nestjs/common';
import type { Webhook } from '../../../ports/webhook-sender.js';
import { AppError } from '../../../shared/app-error.js';
import type { CompanyId } from '../../../shared/ids.js';
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
