import { mongo } from 'mongoose';
import { StoreAway } from '../../ports/document-store.js';
import { AppError } from '../../shared/app-error.js';
import { isRecord } from '../../shared/json.js';
import { alreadyTaken, refused } from '../documents/document-errors.js';

const DUPLICATE_KEY = 11_000;
const TYPE_MISMATCH = 14;
const TOO_LARGE = 10_334;
const DISK_FULL = 14_031;
/** A primary that steps down, is not there, shuts down or is slow: trying again soon may work. */
const PASSING = [6, 7, 50, 89, 91, 189, 262, 9001, 10_107, 11_600, 11_602, 13_435, 13_436];

const AWAY = [
  mongo.MongoNetworkError,
  mongo.MongoServerSelectionError,
  mongo.MongoNotConnectedError,
  mongo.MongoTopologyClosedError,
  mongo.MongoExpiredSessionError,
  mongo.MongoOperationTimeoutError,
  mongo.MongoWriteConcernError,
];
/** These the driver does not export. */
const AWAY_BY_NAME = /^Mongo(?:PoolClosed|PoolCleared|WaitQueueTimeout|ClientClosed)Error$/;

/** What an error of the driver means to a caller. Never names the address: it can hold a password. */
export function documentError(error: unknown): unknown {
  if (error instanceof AppError) return error;
  if (isAway(error)) return new StoreAway(error);
  const code = codeOf(error);
  if (code === DUPLICATE_KEY) return alreadyTaken(fieldsOf(error));
  if (code === TYPE_MISMATCH) return refused('increment', 'names a field that is no number');
  if (code === DISK_FULL) return new AppError('no_space', 'no room left on the storage', { cause: error });
  // The driver writes a document into a buffer of bounded size before it sends it.
  const isTooLargeToSend = error instanceof RangeError && 'code' in error && error.code === 'ERR_OUT_OF_RANGE';
  if (code !== TOO_LARGE && !isTooLargeToSend) return error;
  return new AppError('too_large', 'the document is too large', { cause: error });
}

function isAway(error: unknown): boolean {
  if (AWAY.some((kind) => error instanceof kind) || PASSING.includes(codeOf(error) ?? 0)) return true;
  return error instanceof Error && AWAY_BY_NAME.test(error.name);
}

function codeOf(error: unknown): number | null {
  return isRecord(error) && typeof error['code'] === 'number' ? error['code'] : null;
}

function fieldsOf(error: unknown): readonly string[] {
  const pattern = isRecord(error) && isRecord(error['keyPattern']) ? Object.keys(error['keyPattern']) : [];
  return pattern.length === 0 ? ['id'] : pattern.map((field) => (field === '_id' ? 'id' : field));
}
