import type { Clock } from '../../ports/clock.js';
import { EventStream } from '../../ports/event-stream.js';
import { isChatEvent, type ChatEvent, type StreamEvent } from '../../ports/stream-event.js';
import type { MessageId } from '../../shared/ids.js';

type Listener = (event: StreamEvent) => void;

/** Events within one process. What listeners do, and how they fail, is of no concern to the publisher or to each other. */
export class InProcessEventStream extends EventStream {
  readonly #listeners = new Set<Listener>();
  readonly #waiting: StreamEvent[] = [];
  readonly #kept: KeptMessages;
  #telling = false;

  /** `maxBytes` bounds what is kept for replay, over all messages. */
  constructor(clock: Clock, maxBytes = 64 * 1024 * 1024) {
    super();
    this.#kept = new KeptMessages(clock, maxBytes);
  }

  override publish(event: StreamEvent): void {
    if (isChatEvent(event)) this.#kept.add(event);
    this.tell(event);
  }

  /** Lets everybody hear an event that somebody else keeps. */
  tell(event: StreamEvent): void {
    this.#waiting.push(event);
    // A listener that publishes comes back here; its event waits until everybody has heard this one.
    if (!this.#telling) this.#tellAll();
  }

  override subscribe(listener: (event: StreamEvent) => void): () => void {
    const mine: Listener = (event) => {
      listener(event);
    };
    this.#listeners.add(mine);
    return () => {
      this.#listeners.delete(mine);
    };
  }

  override replay(messageId: MessageId, after: number): Promise<readonly ChatEvent[]> {
    return Promise.resolve(this.#kept.after(messageId, after));
  }

  override ownerOf(messageId: MessageId): Promise<KeptMessage['owner'] | null> {
    return Promise.resolve(this.#kept.ownerOf(messageId));
  }

  override check(): Promise<void> {
    return Promise.resolve();
  }

  #tellAll(): void {
    this.#telling = true;
    for (let event = this.#waiting.shift(); event !== undefined; event = this.#waiting.shift()) {
      for (const listener of [...this.#listeners]) {
        try {
          listener(event);
        } catch {
          // The failure is the listener's own: it must reach neither the publisher nor the other listeners.
        }
      }
    }
    this.#telling = false;
  }
}

interface KeptMessage {
  readonly owner: Pick<ChatEvent, 'companyId' | 'userId' | 'conversationId'>;
  readonly events: ChatEvent[];
  bytes: number;
  endedAt: number | null;
}

/** How long a message is kept after its end. */
export const KEPT_MS = 10 * 60_000;
/** What an event takes in memory besides its text. */
const EVENT_BYTES = 400;

/**
 * The events of messages, until ten minutes after their end and within a bound over all. When it is reached, the message that ended
 * first is dropped; a message that is still going on only when nothing has ended, and then it is not kept any more at all: a replay
 * with a gap would be worse than none.
 */
class KeptMessages {
  /** Those that ended come first, in the order of their end; then the others, in the order of their beginning. */
  readonly #ended = new Map<string, KeptMessage>();
  readonly #going = new Map<string, KeptMessage>();
  readonly #dropped = new Set<string>();
  #bytes = 0;

  constructor(
    private readonly clock: Clock,
    private readonly maxBytes: number,
  ) {}

  add(event: ChatEvent): void {
    this.#forgetOld();
    const id = event.messageId;
    const isEnd = event.type === 'chat-complete' || event.type === 'chat-error';
    if (this.#dropped.has(id)) {
      if (isEnd) this.#dropped.delete(id);
      return;
    }
    // Nothing follows the end of a message; what comes all the same is not part of it.
    if (this.#ended.has(id)) return;
    const { companyId, userId, conversationId } = event;
    const owner = { companyId, userId, conversationId };
    const message: KeptMessage = this.#going.get(id) ?? { owner, events: [], bytes: 0, endedAt: null };
    const bytes = sizeOf(event);
    message.events.push(event);
    message.bytes += bytes;
    this.#bytes += bytes;
    if (isEnd) this.#end(id, message);
    else this.#going.set(id, message);
    this.#keepWithinBound();
  }

  after(messageId: string, seq: number): readonly ChatEvent[] {
    return this.#find(messageId)?.events.filter((event) => event.seq > seq) ?? [];
  }

  ownerOf(messageId: string): KeptMessage['owner'] | null {
    return this.#find(messageId)?.owner ?? null;
  }

  #find(messageId: string): KeptMessage | undefined {
    this.#forgetOld();
    return this.#ended.get(messageId) ?? this.#going.get(messageId);
  }

  #end(id: string, message: KeptMessage): void {
    message.endedAt = this.clock.now().getTime();
    this.#going.delete(id);
    this.#ended.set(id, message);
  }

  #forgetOld(): void {
    const until = this.clock.now().getTime() - KEPT_MS;
    for (const [id, message] of this.#ended) {
      if ((message.endedAt ?? 0) > until) return;
      this.#forget(this.#ended, id, message);
    }
  }

  #keepWithinBound(): void {
    while (this.#bytes > this.maxBytes) {
      const [ended] = this.#ended;
      const [going] = this.#going;
      if (ended !== undefined) this.#forget(this.#ended, ...ended);
      else if (going === undefined) return;
      else {
        this.#forget(this.#going, ...going);
        this.#dropped.add(going[0]);
      }
    }
  }

  #forget(from: Map<string, KeptMessage>, id: string, message: KeptMessage): void {
    from.delete(id);
    this.#bytes -= message.bytes;
  }
}

/** Chunks are counted as they are; the few events that carry an object are written out. */
function sizeOf(event: ChatEvent): number {
  if (event.type === 'chat-chunk') return EVENT_BYTES + event.chunk.length * 2;
  if (event.type !== 'chat-complete' && event.type !== 'chat-visualization') return EVENT_BYTES;
  return EVENT_BYTES + JSON.stringify(event).length * 2;
}
