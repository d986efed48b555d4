import type { User } from '../users/users.facade.js';

/** What a login and a refresh lead to. */
export interface SignedIn {
  readonly user: User;
  readonly token: string;
}
