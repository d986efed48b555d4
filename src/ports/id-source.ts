import type { Id } from '../shared/ids.js';

/** Makes what must be new and unguessable. */
export abstract class IdSource {
  /**
   * An id. Ids of one instance sort as they were made; those of several by the millisecond that the clock of each tells. Whatever the
   * clocks tell, an id sorts behind `after`.
   */
  abstract next<T extends Id<string>>(after?: Id<string> | null): T;
  /** 32 hexadecimal digits, all of them random: a key that is as good as a secret. */
  abstract token(): string;
}
