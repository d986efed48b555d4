import type { StreamEvent } from '../../ports/stream-event.js';

/** An event as text that `readEvent` reads back; its times are ISO 8601. */
export function writeEvent(event: StreamEvent): string {
  return JSON.stringify(event);
}

/** @throws SyntaxError when it is none. */
export function readEvent(text: string): StreamEvent {
  const event = JSON.parse(text) as Written<StreamEvent>;
  const at = new Date(event.at);
  if (event.type !== 'agent-task' || event.step === null) return { ...event, at } as StreamEvent;
  const { startedAt, finishedAt, ...step } = event.step;
  return {
    ...event,
    at,
    step: { ...step, startedAt: new Date(startedAt), finishedAt: new Date(finishedAt) },
  } as StreamEvent;
}

/** The same with texts for its times. */
type Written<T> = T extends Date
  ? string
  : T extends readonly unknown[]
    ? T
    : T extends object
      ? { readonly [K in keyof T]: Written<T[K]> }
      : T;
