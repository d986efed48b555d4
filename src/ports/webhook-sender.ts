import type { JsonObject } from '../shared/json.js';

/** Where a company wants to hear of results. */
export interface Webhook {
  /** `https:` alone. */
  readonly url: string;
  /** Signs what is sent. One that begins with `whsec_` is the base64 of the key, any other is the key itself. */
  readonly secret: string;
}

export interface WebhookMessage {
  /** The same for every attempt, so that a receiver can drop what it has. */
  readonly id: string;
  /** `agent-task.finished` … */
  readonly event: string;
  readonly body: JsonObject;
  /** When it happened; the same for every attempt. */
  readonly happenedAt: Date;
  /** When this attempt is made. */
  readonly sentAt: Date;
}

/** Sends messages to receivers on the public internet, and to nowhere else. */
export abstract class WebhookSender {
  /**
   * Posts `{ type, timestamp, data }` as JSON and waits for the receiver's 2xx, at most ten seconds. Redirects are not followed.
   *
   * Headers: `webhook-id`, `webhook-timestamp` (seconds since 1970) and `webhook-signature`, which is `v1,` and the base64 of the HMAC-SHA256 of
   * `<id>.<timestamp>.<body>` under the secret (the Standard Webhooks specification).
   *
   * @throws AppError `invalid_input` when trying again can't help: an address that is not https or not public, a receiver that refuses (3xx, 4xx);
   *   `unavailable` when it may: the receiver is away, slow, or answers 408, 429 or 5xx, with `retryAfter` when the receiver said so.
   */
  abstract send(webhook: Webhook, message: WebhookMessage, signal: AbortSignal): Promise<void>;
}
