import { isEmail } from 'class-validator';
import { answerOf, Envelope, onWire } from '../../http/envelope.wire.js';
import type { Principal } from '../../shared/principal.js';
import type { User } from './user.schema.js';

/** What counts as an e-mail address here: one of a network without top-level domain is one, too. */
export const EMAIL_FORM = { require_tld: false } as const;

export function isEmailAddress(text: string): boolean {
  return isEmail(text, EMAIL_FORM);
}

/** A user as the token knows them. */
export class SimplifiedUser {
  readonly id!: string;
  readonly email!: string;
  readonly first_name!: string;
  readonly last_name!: string;
  readonly company_id!: string;
  /** `user`, `manager` or `system`. */
  readonly role!: string;
}

/** A user without what changes with every sign-in. */
export class ReducedUser extends SimplifiedUser {
  readonly is_active!: boolean;
  readonly meta!: Readonly<Record<string, string>>;
  readonly created_at!: string;
}

/** A user with everything but secrets. */
export class FullUser extends ReducedUser {
  readonly avatar!: string;
  readonly last_login!: string | null;
  readonly last_logout!: string | null;
}

export class CurrentUserResponse extends answerOf({ user: SimplifiedUser }) {}
export class UserResponse extends answerOf({ user: FullUser }) {}

export class UsersResponse extends Envelope {
  /** Newest first. */
  readonly users!: FullUser[];
  /** Users in the whole company. */
  readonly total!: number;
}

export function simplifiedUser(principal: Principal): SimplifiedUser {
  return { id: principal.userId, ...onWire(principal, 'email', 'firstName', 'lastName', 'companyId', 'role') };
}

export function reducedUser(user: User): Pick<ReducedUser, keyof ReducedUser> {
  return onWire(user, 'id', 'email', 'firstName', 'lastName', 'companyId', 'role', 'isActive', 'meta', 'createdAt');
}

export function fullUser(user: User): FullUser {
  return { ...reducedUser(user), ...onWire(user, 'avatar', 'lastLogin', 'lastLogout') };
}
