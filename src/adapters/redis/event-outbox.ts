import type { StreamEvent } from '../../ports/stream-event.js';
import { writeEvent } from './event-text.js';

export interface OutboundEvent {
  /** 1, 2, 3 … of this instance: who hears one twice knows it by that. */
  readonly number: number;
  readonly event: StreamEvent;
  readonly text: string;
  /** When it was published, in milliseconds since 1970. */
  readonly at: number;
}

const MOST_BYTES = 64 * 1024 ** 2;
const AT_ONCE = 200;

/** Events on their way to the other instances, in order. While these can't be reached the oldest go first when there are too many. */
export class EventOutbox {
  private waiting: OutboundEvent[] = [];
  private bytes = 0;
  private last = 0;
  private dropped = 0;

  constructor(private readonly mostBytes = MOST_BYTES) {}

  get isEmpty(): boolean {
    return this.waiting.length === 0;
  }

  add(event: StreamEvent, at: number): void {
    const text = writeEvent(event);
    this.waiting.push({ number: ++this.last, event, text, at });
    this.bytes += text.length;
    while (this.bytes > this.mostBytes && this.waiting.length > 1) {
      this.remove(1);
      this.dropped += 1;
    }
  }

  /** The next to be sent. They stay until they are called sent. */
  next(): readonly OutboundEvent[] {
    return this.waiting.slice(0, AT_ONCE);
  }

  sent(batch: readonly OutboundEvent[]): void {
    const last = batch.at(-1)?.number ?? 0;
    this.remove(this.waiting.filter(({ number }) => number <= last).length);
  }

  /** How many were dropped since it was asked for last. */
  takeDropped(): number {
    const { dropped } = this;
    this.dropped = 0;
    return dropped;
  }

  private remove(count: number): void {
    for (const { text } of this.waiting.splice(0, count)) this.bytes -= text.length;
  }
}
