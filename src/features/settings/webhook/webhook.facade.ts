import { Injectable } from '@nestjs/common';
import { Log } from '../../../ports/log.js';
import { messageOf } from '../../../shared/app-error.js';
import type { CompanyId } from '../../../shared/ids.js';
import type { JsonObject } from '../../../shared/json.js';
import { Outbox } from '../../deliveries/deliveries.facade.js';
import { boundedBody } from './webhook-body.js';
import { WebhookReader } from './webhook-reader.js';

/** Tells a company's webhook of results, if it has one. */
@Injectable()
export class WebhookFacade {
  constructor(
    private readonly webhooks: WebhookReader,
    private readonly outbox: Outbox,
    private readonly log: Log,
  ) {}

  /**
   * Accepts the message; it is delivered in the background, with its `answer` cut when the body has more than 256 KiB. Never throws: a result is
   * not undone because nobody could be told. With `about`, the same event about the same thing is one message, however often it is announced.
   */
  async announce(companyId: CompanyId, event: string, body: JsonObject, about?: string): Promise<void> {
    try {
      if (!(await this.webhooks.isWanted(companyId, event))) return;
      await this.outbox.put({ companyId, channel: 'webhook', event, body: boundedBody(body), about });
    } catch (error) {
      this.log.warn('a webhook could not be announced', { companyId, event, reason: messageOf(error) });
    }
  }
}
