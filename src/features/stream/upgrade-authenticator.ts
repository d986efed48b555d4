import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../config/app-config.js';
import { scopeMissing } from '../../http/access.js';
import { RateLimiter } from '../../http/rate-limiter.js';
import { SharedLimits } from '../../ports/shared-limits.js';
import { AppError, invalidField } from '../../shared/app-error.js';
import { isId, type MessageId, type UserId } from '../../shared/ids.js';
import { hasScope, type Principal, type Scope } from '../../shared/principal.js';
import { AuthFacade } from '../auth/auth.facade.js';
import { type Room, RoomDirectory } from './room.js';

/** Where the stream is; `room_id` is an id, or a label that the client chooses. */
export const STREAM_PATH = '/api/v1/stream/:room_id';

const PATH = /^\/api\/v1\/stream\/([^/]+)$/;
const LABEL = /^[A-Za-z0-9_-]{1,64}$/;
const WHOLE_NUMBER = /^\d{1,9}$/;

/** What an upgrade asks for, as it came. */
interface StreamAddress {
  readonly label: string;
  readonly query: URLSearchParams;
}

/** What an upgrade asks for, in the right form. */
export interface StreamWish {
  /** An id in lower case, or a label. */
  readonly roomId: string;
  /** A message to be told from the start, or from where an earlier socket left off. */
  readonly messageId: string | null;
  /** The `seq` that the client has already. */
  readonly after: number | null;
}

/** @throws AppError `not_found` when the address is none of the stream's. */
export function addressFrom(url: string): StreamAddress {
  const address = URL.canParse(url, 'ws://host') ? new URL(url, 'ws://host') : null;
  const label = PATH.exec(address?.pathname ?? '')?.[1];
  if (address === null || label === undefined) throw new AppError('not_found', 'not found');
  return { label, query: address.searchParams };
}

/** @throws AppError `invalid_input` when a part is malformed. */
export function wishFrom({ label, query }: StreamAddress): StreamWish {
  if (!LABEL.test(label)) {
    throw invalidField('room_id', 'room_id must be an identifier, or 1 to 64 letters, digits, - or _');
  }
  const named = query.get('message_id');
  const messageId = named === null ? null : lowerCaseId(named);
  if (named !== null && messageId === null) throw invalidField('message_id', 'message_id must be a valid identifier');
  return { roomId: lowerCaseId(label) ?? label, messageId, after: afterFrom(query.get('after')) };
}

function afterFrom(after: string | null): number | null {
  if (after === null) return null;
  if (!WHOLE_NUMBER.test(after)) throw invalidField('after', 'after must be a whole number');
  return Number(after);
}

function lowerCaseId(text: string): string | null {
  const id = text.toLowerCase();
  return isId(id) ? id : null;
}

/** A socket that may open: whose it is and what it will hear. */
export interface Admission {
  readonly principal: Principal;
  readonly room: Room;
  /** Messages to be told from behind the given `seq`, and on. */
  readonly follows: ReadonlyMap<MessageId, number>;
}

/** Of an API key, any of these. */
const HEARING: readonly Scope[] = ['read', 'ask'];

/** Decides about every upgrade before it is one: the address, the token, the room and the places. */
@Injectable()
export class UpgradeAuthenticator {
  private readonly upgrades: RateLimiter;
  private readonly places: OpenPlaces;
  private closed = false;

  constructor(
    private readonly auth: AuthFacade,
    private readonly rooms: RoomDirectory,
    config: AppConfig,
    limits: SharedLimits,
  ) {
    const { requestsPerMinute, socketsPerUser } = config.limits;
    this.upgrades = new RateLimiter(limits, { name: 'upgrades', limit: requestsPerMinute, windowSeconds: 60 });
    this.places = new OpenPlaces(limits, socketsPerUser);
  }

  /** @throws AppError that says why the socket may not open. */
  async admit(url: string, holder: PlaceHolder): Promise<Admission> {
    const address = addressFrom(url);
    this.assertOpen();
    const principal = await this.bearerOf(address.query.get('token') ?? '');
    await this.upgrades.consume(principal.userId);
    if (!hasScope(principal, ...HEARING)) throw scopeMissing(HEARING);

    const wish = wishFrom(address);
    const room = await this.rooms.roomOf(principal, wish.roomId);
    const follows = await this.followsOf(principal, room, wish);

    this.assertOpen();
    await this.places.take(principal.userId, holder);
    return { principal, room, follows };
  }

  /** From now on nobody enters. */
  close(): void {
    this.closed = true;
  }

  private assertOpen(): void {
    if (this.closed) throw new AppError('unavailable', 'service unavailable');
  }

  private bearerOf(token: string): Promise<Principal> {
    if (token === '') throw new AppError('unauthorized', 'unauthorized - invalid token');
    return this.auth.authenticateToken(token);
  }

  /** A message's own room tells it from the start; `message_id` and `after` name one to go on with in any room. */
  private async followsOf(by: Principal, room: Room, wish: StreamWish): Promise<ReadonlyMap<MessageId, number>> {
    const { messageId, after } = wish;
    const follows = new Map<MessageId, number>();
    if (room.kind === 'message') follows.set(room.id, messageId === null ? (after ?? 0) : 0);
    if (messageId !== null) follows.set(await this.rooms.messageOf(by, messageId), after ?? 0);
    if (after !== null && follows.size === 0) throw invalidField('after', 'after needs a message_id');
    return follows;
  }
}

/** What holds a place until it closes: the raw connection, the one thing that is sure to. */
interface PlaceHolder {
  readonly destroyed: boolean;
  once(event: 'close', listener: () => void): unknown;
}

const RETRY_SECONDS = 30;

/** Counts each user's open sockets, on whatever instance. */
export class OpenPlaces {
  constructor(
    private readonly limits: SharedLimits,
    private readonly perUser: number,
  ) {}

  /** @throws AppError `rate_limited` when the user has as many as one may have. */
  async take(user: UserId, holder: PlaceHolder): Promise<void> {
    // A connection that is gone already would never give its place back.
    if (isGone(holder)) return;
    const leave = await this.limits.takePlace(`sockets:${user}`, this.perUser);
    if (leave === null) throw new AppError('rate_limited', 'too many open streams', { retryAfter: RETRY_SECONDS });
    // It may have gone meanwhile.
    if (isGone(holder)) leave();
    else holder.once('close', leave);
  }
}

function isGone({ destroyed }: PlaceHolder): boolean {
  return destroyed;
}
