import { randomBytes, randomInt } from 'node:crypto';
import type { Clock } from '../../ports/clock.js';
import { IdSource } from '../../ports/id-source.js';
import { asId, type Id } from '../../shared/ids.js';

const COUNTER_END = 0x1000000;

/**
 * Ids of 12 bytes: seconds (4), a count within the second (3), random (5). Those of one process sort by the order they were made in,
 * whatever its clock does. From one id another can't be guessed: besides second and count there are 2^40 possibilities, and every
 * use of an id is checked against its owner anyway.
 */
export class RandomIdSource extends IdSource {
  #second = 0;
  #count = 0;

  /** `perSecond`: where the count of a second ends. */
  constructor(
    private readonly clock: Clock,
    private readonly perSecond = COUNTER_END,
  ) {
    super();
  }

  override next<T extends Id<string>>(): T {
    this.#advance();
    const bytes = Buffer.alloc(12);
    bytes.writeUInt32BE(this.#second, 0);
    bytes.writeUIntBE(this.#count, 4, 3);
    randomBytes(5).copy(bytes, 7);
    return asId<T>(bytes.toString('hex'));
  }

  override token(): string {
    return randomBytes(16).toString('hex');
  }

  /** A clock that was set back, or a second that is used up, must not break the order. */
  #advance(): void {
    const now = Math.floor(this.clock.now().getTime() / 1000);
    this.#count += 1;
    if (now <= this.#second && this.#count < this.perSecond) return;
    this.#second = Math.max(now, this.#second + 1);
    // It begins anywhere in the first sixteenth, so that it tells nothing of how many were made before.
    this.#count = randomInt(Math.ceil(this.perSecond / 16));
  }
}
