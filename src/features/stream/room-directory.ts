import { Injectable } from '@nestjs/common';
import { EventStream } from '../../ports/event-stream.js';
import { ResourceLookup } from '../../ports/resource-lookup.js';
import { AppError } from '../../shared/app-error.js';
import { asId, isId, type MessageId } from '../../shared/ids.js';
import type { Principal } from '../../shared/principal.js';
import type { Room } from './room.js';

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
    switch (kind) {
      case 'conversation':
        return { kind, id: asId(id) };
      case 'datasource':
        return { kind, id: asId(id) };
      case 'task':
        return { kind, id: asId(id) };
      case null:
        return null;
    }
  }
}
