import { isChatEvent } from '../../ports/stream-event.js';
import type { ConversationId, DatasourceId, MessageId } from '../../shared/ids.js';
import type { ToldEvent } from './frame.wire.js';

/** What a socket asked to hear, out of what concerns its user and company at all. */
export type Room =
  | { readonly kind: 'everything' }
  /** What concerns the user alone. */
  | { readonly kind: 'user' }
  /** What concerns the whole company. */
  | { readonly kind: 'company' }
  | { readonly kind: 'conversation'; readonly id: ConversationId }
  | { readonly kind: 'message'; readonly id: MessageId }
  | { readonly kind: 'datasource'; readonly id: DatasourceId };

/** Whether an event belongs in a room. Whose event it is has been decided before. */
export function belongsIn(room: Room, event: ToldEvent): boolean {
  switch (room.kind) {
    case 'everything':
      return true;
    case 'user':
      return isChatEvent(event);
    case 'company':
      return !isChatEvent(event);
    case 'conversation':
      return isChatEvent(event) && event.conversationId === room.id;
    case 'message':
      return isChatEvent(event) && event.messageId === room.id;
    case 'datasource':
      return !isChatEvent(event) && event.datasourceId === room.id;
  }
}
