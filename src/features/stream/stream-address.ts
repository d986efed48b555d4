import { AppError, invalidField } from '../../shared/app-error.js';
import { isId } from '../../shared/ids.js';

/** Where the stream is; `room_id` is an id, or a label that the client chooses. */
export const STREAM_PATH = '/api/v1/stream/:room_id';

const PATH = /^\/api\/v1\/stream\/([^/]+)$/;
const LABEL = /^[A-Za-z0-9_-]{1,64}$/;
const WHOLE_NUMBER = /^\d{1,9}$/;

/** What an upgrade asks for, as it came. */
export interface StreamAddress {
  readonly roomId: string;
  readonly token: string;
  readonly messageId: string | null;
  readonly after: string | null;
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
  const { pathname, searchParams: query } = URL.canParse(url, 'ws://host') ? new URL(url, 'ws://host') : NOWHERE;
  const roomId = PATH.exec(pathname)?.[1];
  if (roomId === undefined) throw new AppError('not_found', 'not found');
  return { roomId, token: query.get('token') ?? '', messageId: query.get('message_id'), after: query.get('after') };
}

const NOWHERE = new URL('ws://host/');

/** @throws AppError `invalid_input` when a part is malformed. */
export function wishFrom(address: StreamAddress): StreamWish {
  if (!LABEL.test(address.roomId)) {
    throw invalidField('room_id', 'room_id must be an identifier, or 1 to 64 letters, digits, - or _');
  }
  const roomId = lowerCaseId(address.roomId) ?? address.roomId;
  const messageId = address.messageId === null ? null : lowerCaseId(address.messageId);
  if (address.messageId !== null && messageId === null) {
    throw invalidField('message_id', 'message_id must be a valid identifier');
  }
  return { roomId, messageId, after: afterFrom(address.after) };
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
