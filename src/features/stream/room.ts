import { Injectable } from '@nestjs/common';
import { EventStream } from '../../ports/event-stream.js';
import { ResourceLookup } from '../../ports/resource-lookup.js';
import { concernsOneUser, isChatEvent } from '../../ports/stream-event.js';
import { AppError } from '../../shared/app-error.js';
import { asId, isId, type ConversationId, type DatasourceId, type MessageId, type TaskId } from '../../shared/ids.js';
import type { Principal } from '../../shared/principal.js';
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

/** Finds the room behind an id. Somebody else's id and an unknown one give the same answer. */
@Injectable()
export class RoomDirectory {
  constructor(
    private readonly things: ResourceLookup,
    private readonly events: EventStream,
  ) {}

  /** @throws AppError `not_found` when the id names nothing that they may read. */
  async roomOf(by: Principal, roomId: string): Promise<Room> {
    if (!isId(roomId)) return { kind: 'everything' };
    if (roomId === by.userId) return { kind: 'user' };
    if (roomId === by.companyId) return { kind: 'company' };

    const room = (await this.messageRoom(by, roomId)) ?? (await this.thingRoom(by, roomId));
    if (room === null) throw new AppError('not_found', 'room not found');
    return room;
  }

  /** @throws AppError `not_found` when the message is not theirs, or not kept any more. */
  async messageOf(by: Principal, messageId: string): Promise<MessageId> {
    const room = await this.messageRoom(by, messageId);
    if (room === null) throw new AppError('not_found', 'message not found');
    return room.id;
  }

  private async messageRoom(by: Principal, text: string): Promise<(Room & { readonly kind: 'message' }) | null> {
    const id = asId<MessageId>(text);
    const owner = await this.events.ownerOf(id);
    const own = owner?.companyId === by.companyId && owner.userId === by.userId;
    return own ? { kind: 'message', id } : null;
  }

  private async thingRoom(by: Principal, id: string): Promise<Room | null> {
    const kind = await this.things.kindOf(by, id);
    return kind === null ? null : { kind, id: asId<never>(id) };
  }
}
