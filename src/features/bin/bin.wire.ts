import { answerOf, Envelope, onWire } from '../../http/envelope.wire.js';
import type { BinEntry } from './bin.facade.js';

export class BinEntryView {
  readonly id!: string;
  /** `datasource`, `conversation`, `task`, `context-file` or `board`. */
  readonly kind!: string;
  /** Its name or title. */
  readonly name!: string;
  readonly deleted_at!: string;
  /** Then it is removed for good. */
  readonly restorable_until!: string;
}

export class BinResponse extends Envelope {
  /** The last deleted first. */
  readonly entries!: BinEntryView[];
  readonly total!: number;
}

export class BinEntryResponse extends answerOf({ entry: BinEntryView }) {}

export function binEntryView(entry: BinEntry): BinEntryView {
  return onWire(entry, 'id', 'kind', 'name', 'deletedAt', 'restorableUntil');
}
