import { Injectable } from '@nestjs/common';
import { Log } from '../../../ports/log.js';
import { messageOf } from '../../../shared/app-error.js';
import type { CompanyId } from '../../../shared/ids.js';
import type { JsonObject } from '../../../shared/json.js';
import { WebhookOutbox } from './webhook-outbox.js';
import { WebhookReader } from './webhook-reader.js';

/** Tells a company's webhook of results, if it has one. */
@Injectable()
export class WebhookFacade {
  constructor(
    private readonly webhooks: WebhookReader,
    private readonly outbox: WebhookOutbox,
    private readonly log: Log,
  ) {}

  /**
   * Accepts the message; it is delivered in the background, with its `answer` cut when the body has more than 256 KiB. Never throws: a result is
   * not undone because nobody could be told.
   */
  async announce(companyId: CompanyId, event: string, body: JsonObject): Promise<void> {
    try {
      if (await this.webhooks.isWanted(companyId, event)) await this.outbox.put(companyId, event, body);
    } catch (error) {
      this.log.warn('a webhook could not be announced', { companyId, event, reason: messageOf(error) });
    }
  }
}
