import type { ChainableCommander, Redis } from 'ioredis';
import type { Clock } from '../../ports/clock.js';
import type { Log } from '../../ports/log.js';
import { type ChatEvent, isChatEvent, type StreamEvent } from '../../ports/stream-event.js';
import { messageOf } from '../../shared/app-error.js';
import { KEPT_MS } from '../embedded/kept-messages.js';
import { eventsKey, messageKey, ownerKey, writeEvent } from './stored-events.js';
import { Outage } from './outage.js';

interface OutboundEvent {
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
class EventOutbox {
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

/** Events that Redis keeps for instances that fell behind. */
const KEPT_EVENTS = 20_000;
/** A message whose instance died has no end. */
const UNENDED_MS = 26 * 3_600_000;
/** A minute more than it is promised for, because the clocks of the instances differ. */
const ENDED_MS = KEPT_MS + 60_000;
const RETRY_MS = 250;

export interface SenderOptions {
  /** Tells apart what shares a Redis; part of every key. */
  readonly installation: string;
  /** Of this instance; no other has it. */
  readonly origin: string;
}

/** Sends this instance's events to the others, in order and as soon as they can be reached. */
export class EventSender {
  private readonly outbox = new EventOutbox();
  private readonly outage: Outage;
  private sending: Promise<void> | null = null;
  private stopped = false;

  constructor(
    private readonly redis: Redis,
    private readonly options: SenderOptions,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {
    this.outage = new Outage(log, {
      begun: 'events do not reach the other instances yet',
      over: 'events reach the other instances again',
    });
  }

  send(event: StreamEvent): void {
    if (this.stopped) return;
    this.outbox.add(event, this.clock.now().getTime());
    this.sending ??= this.sendAll().finally(() => (this.sending = null));
  }

  /** Resolves when all have been sent. */
  async settled(): Promise<void> {
    while (this.sending !== null) await this.sending;
  }

  stop(): void {
    this.stopped = true;
  }

  private async sendAll(): Promise<void> {
    while (!this.outbox.isEmpty && !this.stopped) {
      const batch = this.outbox.next();
      try {
        await this.sendBatch(batch);
        this.outbox.sent(batch);
        this.outage.succeeded();
        this.tellLost();
      } catch (error) {
        this.outage.failed(error);
        await new Promise((wake) => setTimeout(wake, RETRY_MS));
      }
    }
  }

  private tellLost(): void {
    const lost = this.outbox.takeDropped();
    if (lost > 0) this.log.warn('events were lost on their way to the other instances', { events: lost });
  }

  private async sendBatch(batch: readonly OutboundEvent[]): Promise<void> {
    const pipeline = this.redis.pipeline();
    for (const outbound of batch) this.add(pipeline, outbound);
    const results = await pipeline.exec();
    const failed = results?.find(([error]) => error !== null)?.[0] ?? null;
    if (results === null || failed !== null) throw new Error(messageOf(failed ?? 'nothing was sent'));
  }

  /** A message is kept before it is told, so that whoever hears an event finds all before it. Sent twice it is there once. */
  private add(pipeline: ChainableCommander, { number, event, text, at }: OutboundEvent): void {
    if (isChatEvent(event)) this.keep(pipeline, event, { text, at });
    const { origin, installation } = this.options;
    pipeline.xadd(eventsKey(installation), 'MAXLEN', '~', KEPT_EVENTS, '*', 'o', origin, 'n', number, 'e', text);
  }

  private keep(pipeline: ChainableCommander, event: ChatEvent, { text, at }: Pick<OutboundEvent, 'text' | 'at'>): void {
    const { companyId, userId, conversationId, messageId, seq } = event;
    const isEnd = event.type === 'chat-complete' || event.type === 'chat-error';
    const { installation } = this.options;
    const [message, owner] = [messageKey(installation, messageId), ownerKey(installation, messageId)];
    pipeline.zadd(message, seq, text);
    pipeline.hset(owner, { companyId, userId, conversationId, ...(isEnd ? { endedAt: at } : {}) });
    for (const key of [message, owner]) pipeline.pexpire(key, isEnd ? ENDED_MS : UNENDED_MS);
  }
}
