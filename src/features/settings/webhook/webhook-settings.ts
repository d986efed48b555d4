import { AppError } from '../../../shared/app-error.js';
import { isRecord, type JsonObject, type JsonValue } from '../../../shared/json.js';
import { webhookAddressProblem } from '../../../shared/public-address.js';
import { HIDDEN, isList, refused } from '../config-rules.js';

const MIN_SECRET_LENGTH = 16;
const MAX_SECRET_LENGTH = 500;
const EVENTS = ['agent-task.finished', 'agent-task.failed', 'alert.fired', 'alert.resolved', 'alert.failed'] as const;
export type WebhookEvent = (typeof EVENTS)[number];
/** Begins a secret that is the base64 of the key, as the Standard Webhooks specification writes it. */
const ENCODED = 'whsec_';
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** What a company's settings say of its webhook. */
export interface WebhookSettings {
  readonly url: string;
  /** As it is stored: sealed. */
  readonly secret: JsonValue;
  /** Null: all of them. */
  readonly events: readonly JsonValue[] | null;
}

/** Null when there is none, or none that could be used. */
export function webhookIn(config: JsonObject): WebhookSettings | null {
  const webhook = ownWebhook(config);
  if (webhook === null) return null;
  const { url, secret, events } = webhook;
  if (typeof url !== 'string' || secret === undefined || secret === null) return null;
  return { url, secret, events: isList(events) ? events : null };
}

/** The same settings with the address of the webhook, if there is one, down to its host. */
export function withoutWebhookPath(config: JsonObject): JsonObject {
  const webhook = ownWebhook(config);
  if (webhook === null || !Object.hasOwn(webhook, 'url')) return config;
  const { url } = webhook;
  const origin = typeof url === 'string' && URL.canParse(url) ? `${new URL(url).origin}/` : '';
  return { ...config, webhook: { ...webhook, url: `${origin}${HIDDEN}` } };
}

/** Whether a webhook wants to hear of an event. */
export function wants({ events }: WebhookSettings, event: WebhookEvent): boolean {
  return events?.includes(event) ?? true;
}

/** @throws AppError `invalid_input` for the webhook of whole settings that could not be called. */
export function assertWebhook(config: JsonObject): void {
  const webhook = ownWebhook(config);
  if (webhook === null) return;
  const { url, secret, events } = webhook;
  if (typeof url !== 'string') throw unusable('url', 'is required');
  const problem = webhookAddressProblem(url);
  if (problem !== null) throw unusable('url', problem);
  if (secret === undefined || secret === null) throw unusable('secret', 'is required');
  if (events !== undefined && !areEventNames(events)) {
    throw unusable('events', `must be a list of ${EVENTS.slice(0, -1).join(', ')} and ${EVENTS.at(-1) ?? ''}`);
  }
}

/** @throws AppError `invalid_input` for a secret that somebody hands in, as long as it can be read. */
export function assertWebhookSecret(config: JsonObject): void {
  const { secret } = ownWebhook(config) ?? {};
  const isHandedIn = secret !== undefined && secret !== null && secret !== HIDDEN;
  const problem = isHandedIn ? secretProblem(secret) : null;
  if (problem !== null) throw unusable('secret', problem);
}

function secretProblem(secret: JsonValue): string | null {
  if (typeof secret !== 'string') return 'must be a text';
  if (secret.length < MIN_SECRET_LENGTH || secret.length > MAX_SECRET_LENGTH) {
    return `must have ${MIN_SECRET_LENGTH} to ${MAX_SECRET_LENGTH} characters`;
  }
  if (!secret.startsWith(ENCODED)) return null;
  const key = secret.slice(ENCODED.length);
  if (BASE64.test(key) && Buffer.from(key, 'base64').length >= MIN_SECRET_LENGTH) return null;
  return `begins with ${ENCODED} and must go on with the base64 of at least ${MIN_SECRET_LENGTH} bytes`;
}

export function lacksWebhookSecret(config: JsonObject): boolean {
  const webhook = ownWebhook(config);
  return webhook !== null && (webhook['secret'] ?? null) === null;
}

/** The same settings with this secret for its webhook. */
export function withWebhookSecret(config: JsonObject, secret: string): JsonObject {
  return { ...config, webhook: { ...ownWebhook(config), secret } };
}

function ownWebhook(config: JsonObject): JsonObject | null {
  const webhook = Object.hasOwn(config, 'webhook') ? config['webhook'] : null;
  if (webhook === undefined || webhook === null) return null;
  if (!isRecord(webhook)) throw new AppError('invalid_input', 'config.webhook must be an object');
  return webhook;
}

function areEventNames(events: JsonValue): boolean {
  return isList(events) && events.every((name) => EVENTS.some((event) => event === name));
}

function unusable(name: string, rule: string): AppError {
  return refused(`config.webhook.${name}`, rule);
}
