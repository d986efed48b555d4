import type { Redis } from 'ioredis';
import type { Clock } from '../../ports/clock.js';
import { EventStream } from '../../ports/event-stream.js';
import type { Log } from '../../ports/log.js';
import { isChatEvent, type ChatEvent, type StreamEvent } from '../../ports/stream-event.js';
import { asId, type MessageId } from '../../shared/ids.js';
import { within } from '../../shared/within.js';
import { InProcessEventStream } from '../embedded/in-process-event-stream.js';
import { KEPT_MS } from '../embedded/kept-messages.js';
import { messageKey, ownerKey } from './event-keys.js';
import { EventReceiver } from './event-receiver.js';
import { EventSender } from './event-sender.js';
import { readEvent } from './event-text.js';
import { asked, connectRedis } from './redis-connection.js';

type Owner = Pick<ChatEvent, 'companyId' | 'userId' | 'conversationId'>;

export interface RedisEventOptions {
  readonly url: string;
  /** Of this instance; no other has it. */
  readonly origin: string;
  /** Tells apart what shares a Redis; part of every key. */
  readonly installation: string;
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
  async listening(): Promise<void> {
    await this.receiver.listening;
  }

  /** Sends what is left, as long as `graceMs` allows, and ends the connections. */
  override async stop(graceMs = 1000): Promise<void> {
    await within(this.sender.settled(), graceMs);
    this.sender.stop();
    this.redis.disconnect();
    await this.receiver.stop();
  }

  /** Resolves when the others can hear everything that was published here. */
  async settled(): Promise<void> {
    await this.sender.settled();
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
    const texts = await asked(() => this.redis.zrangebyscore(this.keyOf(messageId), `(${after}`, '+inf'));
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

  private keyOf(messageId: MessageId): string {
    return messageKey(this.options.installation, messageId);
  }
}
