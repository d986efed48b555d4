import type { Redis } from 'ioredis';
import type { Log } from '../../ports/log.js';
import type { StreamEvent } from '../../ports/stream-event.js';
import { messageOf } from '../../shared/app-error.js';
import { eventsKey } from './event-keys.js';
import { readEvent } from './event-text.js';
import type { SenderOptions } from './event-sender.js';

const BLOCK_MS = 2000;
const AT_ONCE = 500;
const RETRY_MS = 250;

type Entry = readonly [id: string, fields: readonly string[]];

/** Hears what the other instances send, each event once and in order, from where it left off when the connection was lost. */
export class EventReceiver {
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
