import { createHash } from 'node:crypto';
import { AppError } from '../../../shared/app-error.js';
import { isRecord } from '../../../shared/json.js';
import type { Inserted } from './insert.types.js';
import type { SentRow } from './row-check.js';

/** What is kept with the rows of a call that has a key: whether the same rows are sent again, and what the first answer was. */
interface BatchNote {
  readonly rows: string;
  readonly answer: Inserted;
}

export function noteOf(sent: readonly SentRow[], answer: Inserted): string {
  return JSON.stringify({ rows: fingerprint(sent), answer } satisfies BatchNote);
}

/** The first answer to rows that are sent again. @throws AppError `conflict` when the key belongs to other rows. */
export function replayOf(note: string, key: string, sent: readonly SentRow[]): Inserted {
  const { rows, answer } = JSON.parse(note) as BatchNote;
  if (rows === fingerprint(sent)) return { ...answer, replayed: true };
  throw new AppError(
    'conflict',
    `the idempotency key "${key}" was used for other rows less than 24 hours ago: send the same rows, or another key`,
  );
}

/** The same for the same rows in the same order, whatever the order of a row's fields. */
function fingerprint(sent: readonly SentRow[]): string {
  return createHash('sha256').update(JSON.stringify(sent, inOrder)).digest('base64url');
}

function inOrder(_name: string, value: unknown): unknown {
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}
