import { ROLES, type Role } from '../../shared/principal.js';
import { notARole, passwordLength } from './users.errors.js';

export const MIN_PASSWORD_LENGTH = 8;
/** Hashing costs time for every character; nobody remembers more. */
export const MAX_PASSWORD_LENGTH = 1000;

/** @throws AppError `invalid_input` that names the roles there are. */
export function roleFrom(text: string): Role {
  const role = ROLES.find((known) => known === text);
  if (role === undefined) throw notARole();
  return role;
}

/** @throws AppError `invalid_input` */
export function assertPassword(password: string): void {
  const { length } = password;
  if (length < MIN_PASSWORD_LENGTH || length > MAX_PASSWORD_LENGTH) {
    throw passwordLength(MIN_PASSWORD_LENGTH, MAX_PASSWORD_LENGTH);
  }
}
