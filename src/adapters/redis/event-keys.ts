import type { MessageId } from '../../shared/ids.js';
import { KEY_PREFIX } from './redis-connection.js';

/** The stream that all instances write and read. */
export function eventsKey(installation: string): string {
  return `${KEY_PREFIX}:${installation}events`;
}

/** Sorted set of a message's events by `seq`. */
export function messageKey(installation: string, id: MessageId): string {
  return `${KEY_PREFIX}:${installation}message:${id}`;
}

/** Hash: whose message it is, and `endedAt`, milliseconds since 1970, once it has ended. */
export function ownerKey(installation: string, id: MessageId): string {
  return `${KEY_PREFIX}:${installation}message-owner:${id}`;
}
