import type { Redis } from 'ioredis';
import type { Clock } from '../../ports/clock.js';
import { EventStream } from '../../ports/event-stream.js';
import type { Log } from '../../ports/log.js';
import { type ChatEvent, isChatEvent, type StreamEvent } from '../../ports/stream-event.js';
import { messageOf } from '../../shared/app-error.js';
import { asId, type MessageId } from '../../shared/ids.js';
import { within } from '../../shared/within.js';
import { InProcessEventStream } from '../embedded/in-process-event-stream.js';
import { KEPT_MS } from '../embedded/kept-messages.js';
import { EventSender, type SenderOptions } from './event-sender.js';
import { eventsKey, messageKey, ownerKey, readEvent } from './stored-events.js';
import { asked, connectRedis } from './redis-connection.js';

const BLOCK_MS = 2000;
const AT_ONCE = 500;
const RETRY_MS = 250;

type Entry = readonly [id: string, fields: readonly string[]];

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
    private readonly options: SenderOptions,
    private readonly tell: (event: StreamEvent) => void,
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
        for (const entry of await this.next(place)) this.hear(entry);
      } catch {
        // Redis is away, which its health check tells. The place is kept.
        await new Promise((wake) => setTimeout(wake, RETRY_MS));
      }
    }
  }

  private async newest(): Promise<string> {
    const [newest] = await this.redis.xrevrange(eventsKey(this.options.installation), '+', '-', 'COUNT', 1);
    return newest?.[0] ?? '0-0';
  }

  private async next(place: string): Promise<readonly Entry[]> {
    const key = eventsKey(this.options.installation);
    const found = await this.redis.xread('COUNT', AT_ONCE, 'BLOCK', BLOCK_MS, 'STREAMS', key, place);
    return found?.[0]?.[1] ?? [];
  }

  private hear([id, fields]: Entry): void {
    this.place = id;
    const { o: origin = '', n: number, e: text = '' } = fieldsOf(fields);
    // What this instance sends itself was heard when it was published; what was sent twice was heard before.
    if (origin === this.options.origin || Number(number) <= (this.heard.get(origin) ?? 0)) return;
    this.heard.set(origin, Number(number));
    try {
      this.tell(readEvent(text));
    } catch (error) {
      this.log.warn('an event of another instance could not be read', { reason: messageOf(error) });
    }
  }
}

function fieldsOf(list: readonly string[]): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(list.flatMap((key, at) => (at % 2 === 0 ? [[key, list[at + 1]]] : [])));
}

type Owner = Pick<ChatEvent, 'companyId' | 'userId' | 'conversationId'>;

export interface RedisEventOptions extends SenderOptions {
  readonly url: string;
}

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
    private readonly options: RedisEventOptions,
    private readonly clock: Clock,
    log: Log,
  ) {
    super();
    this.local = new InProcessEventStream(clock);
    this.redis = connectRedis(options.url, 'events');
    this.sender = new EventSender(this.redis, options, clock, log);
    const reader = connectRedis(options.url, 'events-reader', { patient: true });
    const tell = (event: StreamEvent): void => {
      this.local.tell(event);
    };
    this.receiver = new EventReceiver(reader, options, tell, log);
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
    const key = messageKey(this.options.installation, messageId);
    const texts = await asked(() => this.redis.zrangebyscore(key, `(${after}`, '+inf'));
    return texts.map(readEvent).filter(isChatEvent);
  }

  override async ownerOf(messageId: MessageId): Promise<Owner | null> {
    const own = await this.local.ownerOf(messageId);
    if (own !== null) return own;
    const found = await asked(() => this.redis.hgetall(ownerKey(this.options.installation, messageId)));
    const { companyId, userId, conversationId, endedAt } = found;
    if (companyId === undefined || userId === undefined || conversationId === undefined) return null;
    if (endedAt !== undefined && Number(endedAt) + KEPT_MS <= this.clock.now().getTime()) return null;
    return { companyId: asId(companyId), userId: asId(userId), conversationId: asId(conversationId) };
  }

  override async check(): Promise<void> {
    await asked(() => this.redis.ping());
  }
}
