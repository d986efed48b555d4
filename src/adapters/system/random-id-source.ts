import { randomBytes, randomInt } from 'node:crypto';
import type { Clock } from '../../ports/clock.js';
import { IdSource } from '../../ports/id-source.js';
import { asId, type Id } from '../../shared/ids.js';

const COUNT_BITS = 14;

/**
 * Ids of 12 bytes: seconds (4), milliseconds and a count within them (10 and 14 bits), random (5). Those of one process sort by the
 * order they were made in, whatever its clock does. From one id another can't be guessed: besides time and count there are 2^40
 * possibilities, and every use of an id is checked against its owner anyway.
 */
export class RandomIdSource extends IdSource {
  #time = 0;
  #count = 0;

  /** `perMillisecond`: where the count of a millisecond ends. */
  constructor(
    private readonly clock: Clock,
    private readonly perMillisecond = 1 << COUNT_BITS,
  ) {
    super();
  }

  override next<T extends Id<string>>(after: Id<string> | null = null): T {
    this.#advance(after === null ? 0 : timeOf(after) + 1);
    const bytes = Buffer.alloc(12);
    bytes.writeUInt32BE(Math.floor(this.#time / 1000), 0);
    bytes.writeUIntBE(((this.#time % 1000) << COUNT_BITS) | this.#count, 4, 3);
    randomBytes(5).copy(bytes, 7);
    return asId<T>(bytes.toString('hex'));
  }

  override token(): string {
    return randomBytes(16).toString('hex');
  }

  /** A clock that was set back, or a millisecond that is used up, must not break the order. */
  #advance(least: number): void {
    const now = Math.max(this.clock.now().getTime(), least);
    this.#count += 1;
    if (now <= this.#time && this.#count < this.perMillisecond) return;
    this.#time = Math.max(now, this.#time + 1);
    // It begins anywhere in the first sixteenth, so that it tells nothing of how many were made before.
    this.#count = randomInt(Math.ceil(this.perMillisecond / 16));
  }
}

/** The millisecond that an id was made in. */
function timeOf(id: Id<string>): number {
  return Number.parseInt(id.slice(0, 8), 16) * 1000 + (Number.parseInt(id.slice(8, 14), 16) >> COUNT_BITS);
}
