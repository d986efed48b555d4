import { AppError, type ErrorKind, isAppError, messageOf } from '../shared/app-error.js';

/** An error on its way between processes. */
export interface WireError {
  /** `null`: nobody foresaw it. */
  readonly kind: ErrorKind | null;
  readonly message: string;
}

export function toWire(error: unknown): WireError {
  const known = foreseen(error);
  return { kind: isAppError(known) ? known.kind : null, message: messageOf(known) };
}

export function fromWire({ kind, message }: WireError): Error {
  return kind === null ? new Error(message) : new AppError(kind, message);
}

const NO_SPACE = /no space left on device|max_temp_directory_size|ENOSPC/i;
const NO_MEMORY = /^out of memory/i;

/** The database compares the checksum of each block that it reads. */
const DAMAGED =
  /corrupt|could not read enough bytes|not a valid duckdb database|does not match (?:the )?stored checksum|^serialization error/i;

const DAMAGED_ROWS =
  'the rows of this datasource are damaged: restore them from a backup, or import the file again (docs/operations.md)';

export function damagedRows(cause: unknown): AppError {
  return new AppError('unavailable', DAMAGED_ROWS, { cause });
}

export function isDamagedRows(error: unknown): boolean {
  return isAppError(error, 'unavailable') && error.message === DAMAGED_ROWS;
}

/** Recognises what the database says when the machine, not the question, is at fault. */
export function foreseen(error: unknown): unknown {
  if (isAppError(error)) return error;
  const message = messageOf(error);
  if (NO_SPACE.test(message)) return new AppError('no_space', 'no room left on the storage', { cause: error });
  if (isOutOfMemory(error)) return new AppError('unavailable', 'not enough memory for this', { cause: error });
  if (isDamage(error)) return damagedRows(error);
  return error;
}

export function isDamage(error: unknown): boolean {
  return DAMAGED.test(messageOf(error));
}

/** The database's own limit was reached; said by itself, not by what was made of it. */
export function isOutOfMemory(error: unknown): boolean {
  return NO_MEMORY.test(messageOf(error));
}
