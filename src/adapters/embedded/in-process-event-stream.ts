import type { Clock } from '../../ports/clock.js';
import { EventStream } from '../../ports/event-stream.js';
import { isChatEvent, type ChatEvent, type StreamEvent } from '../../ports/stream-event.js';
import type { MessageId } from '../../shared/ids.js';
import { KeptMessages } from './kept-messages.js';

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

  override ownerOf(messageId: MessageId): Promise<Pick<ChatEvent, 'companyId' | 'userId' | 'conversationId'> | null> {
    return Promise.resolve(this.#kept.ownerOf(messageId));
  }

  override check(): Promise<void> {
    return Promise.resolve();
  }

  #tellAll(): void {
    this.#telling = true;
    for (let event = this.#waiting.shift(); event !== undefined; event = this.#waiting.shift()) {
      for (const listener of [...this.#listeners]) tell(listener, event);
    }
    this.#telling = false;
  }
}

function tell(listener: Listener, event: StreamEvent): void {
  try {
    listener(event);
  } catch {
    // The failure is the listener's own: it must reach neither the publisher nor the other listeners.
  }
}
