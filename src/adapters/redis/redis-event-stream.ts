import type { ChainableCommander, Redis } from 'ioredis';
import type { Clock } from '../../ports/clock.js';
import { EventStream } from '../../ports/event-stream.js';
import type { Log } from '../../ports/log.js';
import { type ChatEvent, isChatEvent, type StreamEvent } from '../../ports/stream-event.js';
import { messageOf } from '../../shared/app-error.js';
import { asId, type MessageId } from '../../shared/ids.js';
import { within } from '../../shared/within.js';
import { InProcessEventStream, KEPT_MS } from '../embedded/in-process-event-stream.js';
import { Outage } from '../../ports/outage.js';
import { asked, connectRedis, KEY_PREFIX, type RedisOptions } from './redis-connection.js';
import { HOUR_MS } from '../../shared/durations.js';

const RETRY_MS = 250;

type Owner = Pick<ChatEvent, 'companyId' | 'userId' | 'conversationId'>;

/**
 * Events of all instances. An instance's own reach its own sockets at once, also while Redis is away; the other instances hear them
 * in the order in which they were published, and those that could not be reached hear them later.
 */
export class RedisEventStream extends EventStream {
  private readonly local: InProcessEventStream;
  private readonly redis: Redis;
  private readonly sender: EventSender;
  private readonly receiver: EventReceiver;

  constructor(
    { url, installation, origin }: RedisOptions,
    private readonly clock: Clock,
    log: Log,
  ) {
    super();
    this.local = new InProcessEventStream(clock);
    const keyPrefix = `${KEY_PREFIX}:${installation}`;
    this.redis = connectRedis(url, 'events', { keyPrefix });
    this.sender = new EventSender(this.redis, origin, clock, log);
    const reader = connectRedis(url, 'events-reader', { patient: true, keyPrefix });
    this.receiver = new EventReceiver(reader, origin, this.local, log);
  }

  /** Begins to hear the others as soon as Redis is there. */
  start(): void {
    this.receiver.start();
  }

  /** Resolves when nothing is missed that the others publish from now on. */
  listening(): Promise<void> {
    return this.receiver.listening;
  }

  /** Sends what is left, as long as `graceMs` allows, and ends the connections. */
  override async stop(graceMs = 1000): Promise<void> {
    await within(this.sender.settled(), graceMs);
    this.sender.stop();
    this.redis.disconnect();
    await this.receiver.stop();
  }

  /** Resolves when the others can hear everything that was published here. */
  settled(): Promise<void> {
    return this.sender.settled();
  }

  override publish(event: StreamEvent): void {
    this.local.publish(event);
    this.sender.send(event);
  }

  override subscribe(listener: (event: StreamEvent) => void): () => void {
    return this.local.subscribe(listener);
  }

  override async replay(messageId: MessageId, after: number): Promise<readonly ChatEvent[]> {
    const own = await this.local.replay(messageId, 0);
    if (own.length > 0) return own.filter(({ seq }) => seq > after);
    if ((await this.ownerOf(messageId)) === null) return [];
    const key = messageKey(messageId);
    const texts = await asked(() => this.redis.zrangebyscore(key, `(${after}`, '+inf'));
    return texts.map(readEvent).filter(isChatEvent);
  }

  override async ownerOf(messageId: MessageId): Promise<Owner | null> {
    const own = await this.local.ownerOf(messageId);
    if (own !== null) return own;
    const found = await asked(() => this.redis.hgetall(ownerKey(messageId)));
    const { companyId, userId, conversationId, endedAt } = found;
    if (companyId === undefined || userId === undefined || conversationId === undefined) return null;
    if (endedAt !== undefined && Number(endedAt) + KEPT_MS <= this.clock.now().getTime()) return null;
    return { companyId: asId(companyId), userId: asId(userId), conversationId: asId(conversationId) };
  }

  override async check(): Promise<void> {
    await asked(() => this.redis.ping());
  }
}

/** Of events that were not sent yet. */
const MOST_BYTES = 64 * 1024 ** 2;
const SENT_AT_ONCE = 200;
/** Events that Redis keeps for instances that fell behind. */
const KEPT_EVENTS = 20_000;
/** A message whose instance died has no end. */
const UNENDED_MS = 26 * HOUR_MS;
/** A minute more than it is promised for, because the clocks of the instances differ. */
const ENDED_MS = KEPT_MS + 60_000;

interface OutboundEvent {
  /** 1, 2, 3 … of this instance: who hears one twice knows it by that. */
  readonly number: number;
  readonly event: StreamEvent;
  readonly text: string;
  /** When it was published, in milliseconds since 1970. */
  readonly at: number;
}

/**
 * Sends this instance's events to the others, in order and as soon as they can be reached. While they can't be, the oldest are dropped
 * when there are too many.
 */
class EventSender {
  /** Those that were not sent yet. */
  private readonly waiting: OutboundEvent[] = [];
  private bytes = 0;
  private last = 0;
  private dropped = 0;
  private readonly outage: Outage;
  private sending: Promise<void> | null = null;
  private stopped = false;

  constructor(
    private readonly redis: Redis,
    private readonly origin: string,
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
    const text = JSON.stringify(event);
    this.waiting.push({ number: ++this.last, event, text, at: this.clock.now().getTime() });
    this.bytes += text.length;
    while (this.bytes > MOST_BYTES && this.waiting.length > 1) {
      this.forget(1);
      this.dropped += 1;
    }
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
    while (this.waiting.length > 0 && !this.stopped) {
      const batch = this.waiting.slice(0, SENT_AT_ONCE);
      try {
        await this.sendBatch(batch);
        const last = batch.at(-1)?.number ?? 0;
        // Some of them may have been dropped meanwhile.
        this.forget(this.waiting.filter(({ number }) => number <= last).length);
        this.outage.succeeded();
        if (this.dropped > 0)
          this.log.warn('events were lost on their way to the other instances', { events: this.dropped });
        this.dropped = 0;
      } catch (error) {
        this.outage.failed(error);
        await new Promise((wake) => setTimeout(wake, RETRY_MS));
      }
    }
  }

  private forget(count: number): void {
    for (const { text } of this.waiting.splice(0, count)) this.bytes -= text.length;
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
    pipeline.xadd(EVENTS, 'MAXLEN', '~', KEPT_EVENTS, '*', 'o', this.origin, 'n', number, 'e', text);
  }

  private keep(pipeline: ChainableCommander, event: ChatEvent, { text, at }: Pick<OutboundEvent, 'text' | 'at'>): void {
    const { companyId, userId, conversationId, messageId, seq } = event;
    const isEnd = event.type === 'chat-complete' || event.type === 'chat-error';
    const [message, owner] = [messageKey(messageId), ownerKey(messageId)];
    pipeline.zadd(message, seq, text);
    pipeline.hset(owner, { companyId, userId, conversationId, ...(isEnd ? { endedAt: at } : {}) });
    for (const key of [message, owner]) pipeline.pexpire(key, isEnd ? ENDED_MS : UNENDED_MS);
  }
}

const BLOCK_MS = 2000;
const READ_AT_ONCE = 500;
/** Hears what the other instances send, each event once and in order, from where it left off when the connection was lost. */
class EventReceiver {
  /** Null: not known yet. */
  private place: string | null = null;
  /** The last number heard of each instance. */
  private readonly heard = new Map<string, number>();
  private stopped = false;
  private reading: Promise<void> = Promise.resolve();
  private listens: () => void = () => undefined;
  /** Resolves when nothing that is sent from now on will be missed. */
  readonly listening = new Promise<void>((resolve) => (this.listens = resolve));

  constructor(
    private readonly redis: Redis,
    private readonly origin: string,
    private readonly local: InProcessEventStream,
    private readonly log: Log,
  ) {}

  start(): void {
    this.reading = this.read();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.redis.disconnect();
    await this.reading;
  }

  private async read(): Promise<void> {
    while (!this.stopped) {
      try {
        const place = (this.place ??= await this.newest());
        this.listens();
        const found = await this.redis.xread('COUNT', READ_AT_ONCE, 'BLOCK', BLOCK_MS, 'STREAMS', EVENTS, place);
        for (const entry of found?.[0]?.[1] ?? []) this.hear(entry);
      } catch {
        // Redis is away, which its health check tells. The place is kept.
        await new Promise((wake) => setTimeout(wake, RETRY_MS));
      }
    }
  }

  private async newest(): Promise<string> {
    const [newest] = await this.redis.xrevrange(EVENTS, '+', '-', 'COUNT', 1);
    return newest?.[0] ?? '0-0';
  }

  private hear([id, fields]: readonly [string, readonly string[]]): void {
    this.place = id;
    // As `add` writes them: each behind its name.
    const [, origin = '', , number, , text = ''] = fields;
    // What this instance sends itself was heard when it was published; what was sent twice was heard before.
    if (origin === this.origin || Number(number) <= (this.heard.get(origin) ?? 0)) return;
    this.heard.set(origin, Number(number));
    try {
      this.local.tell(readEvent(text));
    } catch (error) {
      this.log.warn('an event of another instance could not be read', { reason: messageOf(error) });
    }
  }
}

/** The stream that all instances write and read. */
const EVENTS = 'events';

/** Sorted set of a message's events by `seq`. */
function messageKey(id: MessageId): string {
  return `message:${id}`;
}

/** Hash: whose message it is, and `endedAt`, milliseconds since 1970, once it has ended. */
function ownerKey(id: MessageId): string {
  return `message-owner:${id}`;
}

/** Reads an event's JSON. @throws SyntaxError when it is none. */
function readEvent(text: string): StreamEvent {
  // Its times are texts still.
  const event = JSON.parse(text) as StreamEvent;
  const at = new Date(event.at);
  if (event.type !== 'agent-task' || event.step === null) return { ...event, at };
  const [startedAt, finishedAt] = [new Date(event.step.startedAt), new Date(event.step.finishedAt)];
  return { ...event, at, step: { ...event.step, startedAt, finishedAt } };
}
