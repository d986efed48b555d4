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
import { wants, webhookIn } from './webhook-settings.js';

/** Reads a company's webhook from its settings. */
@Injectable()
export class WebhookReader {
  constructor(
    private readonly settings: SettingsRepository,
    private readonly sealer: SettingsSealer,
  ) {}

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
    private readonly webhooks: WebhookReader,
    private readonly sender: WebhookSender,
    private readonly clock: Clock,
  ) {
    super();
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
  async announce(companyId: CompanyId, event: string, body: JsonObject, about?: string): Promise<void> {
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
const SMALL_BYTES = 1024;

/**
 * The body in at most 256 KiB of JSON. A longer one has its `answer` cut and says so with `answer_truncated`; when that is not enough,
 * only its small fields are left, and `truncated` says so.
 */
export function boundedBody(body: JsonObject): JsonObject {
  if (bytesOf(body) <= MAX_BYTES) return body;
  const rest = { ...body, answer: '', answer_truncated: true };
  const room = MAX_BYTES - bytesOf(rest);
  return room < 0 ? { ...smallFields(body), truncated: true } : { ...rest, answer: cutAnswer(body['answer'], room) };
}

/** As much of the text as fits; an answer that is no text can't be cut, and is left out. */
function cutAnswer(answer: JsonValue | undefined, room: number): string {
  if (typeof answer !== 'string') return '';
  let [fits, tooLong] = [0, Math.min(answer.length, room) + 1];
  while (tooLong - fits > 1) {
    const middle = Math.floor((fits + tooLong) / 2);
    // The quotes are counted with the rest.
    if (bytesOf(answer.slice(0, middle)) - 2 <= room) fits = middle;
    else tooLong = middle;
  }
  // A character of two halves is not cut in two.
  return answer.slice(0, fits).replace(/[\uD800-\uDBFF]$/, '');
}

function smallFields(body: JsonObject): JsonObject {
  let bytes = 0;
  const kept = Object.entries(body).filter(([name, value]) => {
    const size = bytesOf(name) + bytesOf(value);
    if (size > SMALL_BYTES || bytes + size > MAX_BYTES / 2) return false;
    bytes += size;
    return true;
  });
  return Object.fromEntries(kept);
}

function bytesOf(value: JsonValue): number {
  return Buffer.byteLength(JSON.stringify(value), 'utf8');
}
