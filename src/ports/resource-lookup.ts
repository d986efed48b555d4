import type { Principal } from '../shared/principal.js';

/** What an id of a room can name, beside a message. */
export type ResourceKind = 'conversation' | 'datasource' | 'task';

/** Says what an id names to somebody, whatever feature keeps it. */
export abstract class ResourceLookup {
  /**
   * `null` when the id names nothing that they may read: not there, and somebody else's, are the same.
   *
   * @throws AppError `unavailable`
   */
  abstract kindOf(by: Principal, id: string): Promise<ResourceKind | null>;
}
