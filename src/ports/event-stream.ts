import type { MessageId } from '../shared/ids.js';
import type { ChatEvent, StreamEvent } from './stream-event.js';

/** Carries events from whoever publishes to the sockets of every instance, events of one message in order. */
export abstract class EventStream {
  /** Never throws, never waits. */
  abstract publish(event: StreamEvent): void;
  /** Hears every event of every instance from now on. Returns the way to stop. */
  abstract subscribe(listener: (event: StreamEvent) => void): () => void;
  /** The events of a message with `seq` above `after`, in order. A message is kept until 10 minutes after its end. */
  abstract replay(messageId: MessageId, after: number): Promise<readonly ChatEvent[]>;
  /** Whose message it is, as long as it is kept. */
  abstract ownerOf(messageId: MessageId): Promise<Pick<ChatEvent, 'companyId' | 'userId' | 'conversationId'> | null>;
  /** @throws AppError `unavailable` */
  abstract check(): Promise<void>;
  /** Sends what is left and ends what it holds. */
  stop(): Promise<void> {
    return Promise.resolve();
  }
}
