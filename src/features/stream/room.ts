import { concernsOneUser, isChatEvent } from '../../ports/stream-event.js';
import type { ConversationId, DatasourceId, MessageId, TaskId } from '../../shared/ids.js';
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
  | { readonly kind: 'datasource'; readonly id: DatasourceId }
  | { readonly kind: 'task'; readonly id: TaskId };

/** Whether an event belongs in a room. Whose event it is has been decided before. */
export function belongsIn(room: Room, event: ToldEvent): boolean {
  switch (room.kind) {
    case 'everything':
      return true;
    case 'user':
      return concernsOneUser(event);
    case 'company':
      return !concernsOneUser(event);
    case 'conversation':
      return concernsOneUser(event) && event.conversationId === room.id;
    case 'message':
      return isChatEvent(event) && event.messageId === room.id;
    case 'datasource':
      return event.type === 'datasource-updated' && event.datasourceId === room.id;
    case 'task':
      return event.type === 'agent-task' && event.taskId === room.id;
  }
}
