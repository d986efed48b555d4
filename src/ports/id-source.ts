import type { Id } from '../shared/ids.js';

/** Makes ids. They sort by time of creation, and nobody can guess one from another. */
export abstract class IdSource {
  abstract next<T extends Id<string>>(): T;
}
