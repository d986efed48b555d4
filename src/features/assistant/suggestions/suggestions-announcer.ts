import { Injectable } from '@nestjs/common';
import { Clock } from '../../../ports/clock.js';
import { EventStream } from '../../../ports/event-stream.js';
import type { Conversation } from '../conversations/conversation.schema.js';

/** Tells users that a conversation has other suggestions. */
@Injectable()
export class SuggestionsAnnouncer {
  constructor(
    private readonly events: EventStream,
    private readonly clock: Clock,
  ) {}

  now(): Date {
    return this.clock.now();
  }

  tell({ companyId, userId, id }: Conversation): void {
    this.events.publish({ type: 'suggestions-updated', companyId, userId, conversationId: id, at: this.clock.now() });
  }
}
