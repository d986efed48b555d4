import type { StreamEvent } from '../../ports/stream-event.js';
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

/** An event as text that `readEvent` reads back; its times are ISO 8601. */
export function writeEvent(event: StreamEvent): string {
  return JSON.stringify(event);
}

/** @throws SyntaxError when it is none. */
export function readEvent(text: string): StreamEvent {
  // Its times are texts still.
  const event = JSON.parse(text) as StreamEvent;
  const at = new Date(event.at);
  if (event.type !== 'agent-task' || event.step === null) return { ...event, at };
  const [startedAt, finishedAt] = [new Date(event.step.startedAt), new Date(event.step.finishedAt)];
  return { ...event, at, step: { ...event.step, startedAt, finishedAt } };
}
