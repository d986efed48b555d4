import { Injectable } from '@nestjs/common';
import { Log } from '../../../ports/log.js';
import { AppError, messageOf } from '../../../shared/app-error.js';
import type { CompanyId } from '../../../shared/ids.js';
import type { JsonObject, JsonValue } from '../../../shared/json.js';
import { type Delivery, DeliveryCourier, Outbox } from '../../deliveries/deliveries.facade.js';
import { Clock } from '../../../ports/clock.js';
import { type Webhook, WebhookSender } from '../../../ports/webhook-sender.js';
import { SettingsSealer } from '../settings-sealer.js';
import { SettingsRepository } from '../settings.repository.js';
import { wants, type WebhookEvent, webhookIn } from './webhook-settings.js';

/** Brings messages to companies' webhooks. */
@Injectable()
export class WebhookCourier extends DeliveryCourier<'webhook.deliver'> {
  override readonly job = 'webhook.deliver';
  protected override readonly failure = 'a webhook was not delivered';

  constructor(
    private readonly settings: SettingsRepository,
    private readonly sealer: SettingsSealer,
    private readonly sender: WebhookSender,
    private readonly clock: Clock,
  ) {
    super();
  }

  protected override async send(
    { id, companyId, event, body, createdAt }: Delivery,
    signal: AbortSignal,
  ): Promise<void> {
    const webhook = await this.webhookOf(companyId);
    const message = { id, event, body, happenedAt: createdAt, sentAt: this.clock.now() };
    await this.sender.send(webhook, message, signal);
  }

  /** @throws AppError `invalid_input` when there is none, or none that can be called. */
  private async webhookOf(companyId: CompanyId): Promise<Webhook> {
    const webhook = webhookIn((await this.settings.find(companyId))?.config ?? {});
    if (webhook === null) throw new AppError('invalid_input', 'the webhook was removed from the settings');
    const secret = await this.sealer.open(companyId, webhook.secret);
    if (typeof secret !== 'string') throw new AppError('invalid_input', 'the secret of the webhook is no text');
    return { url: webhook.url, secret };
  }
}

/** Tells a company's webhook of results, if it has one. */
@Injectable()
export class WebhookFacade {
  constructor(
    private readonly settings: SettingsRepository,
    private readonly outbox: Outbox,
    private readonly log: Log,
  ) {}

  /**
   * Accepts the message; it is delivered in the background, with its `answer` cut when the body has more than 256 KiB. Never throws: a result is
   * not undone because nobody could be told. With `about`, the same event about the same thing is one message, however often it is announced.
   */
  async announce(companyId: CompanyId, event: WebhookEvent, body: JsonObject, about?: string): Promise<void> {
    try {
      const webhook = webhookIn((await this.settings.find(companyId))?.config ?? {});
      if (webhook === null || !wants(webhook, event)) return;
      await this.outbox.put({ companyId, channel: 'webhook', event, body: boundedBody(body), about });
    } catch (error) {
      this.log.warn('a webhook could not be announced', { companyId, event, reason: messageOf(error) });
    }
  }
}

const MAX_BYTES = 256 * 1024;

/** The body in at most 256 KiB of JSON: the `answer` of a longer one is cut, and `answer_truncated` says so. Nothing else in it is long. */
export function boundedBody(body: JsonObject): JsonObject {
  const { answer } = body;
  if (typeof answer !== 'string' || bytesOf(body) <= MAX_BYTES) return body;
  const rest = { ...body, answer: '', answer_truncated: true };
  return { ...rest, answer: cutText(answer, Math.max(MAX_BYTES - bytesOf(rest), 0)) };
}

/** The beginning of the text, in at most so many bytes. */
function cutText(text: string, room: number): string {
  // The quotes are counted with the rest.
  const bytes = bytesOf(text) - 2;
  if (bytes > room) return cutText(text.slice(0, Math.floor((text.length * room) / bytes)), room);
  // A character of two halves is not cut in two.
  return text.replace(/[\uD800-\uDBFF]$/, '');
}

function bytesOf(value: JsonValue): number {
  return Buffer.byteLength(JSON.stringify(value), 'utf8');
}
