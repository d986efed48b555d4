import type { Id } from '../shared/ids.js';

/** Makes what must be new and unguessable. */
export abstract class IdSource {
  /** An id. Ids sort by time of creation. */
  abstract next<T extends Id<string>>(): T;
  /** 32 hexadecimal digits, all of them random: a key that is as good as a secret. */
  abstract token(): string;
}
