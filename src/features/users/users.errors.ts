import { AppError, invalidField } from '../../shared/app-error.js';
import { ROLES, type Role } from '../../shared/principal.js';

export function noSuchUser(): AppError {
  return new AppError('not_found', 'user not found');
}

export function emailTaken(email: string, cause: unknown): AppError {
  return new AppError('conflict', `there is already a user with the email ${email}`, { cause });
}

export function notAnEmail(): AppError {
  return invalidField('email', 'email must be an email address');
}

const MIN_PASSWORD_LENGTH = 8;
/** Hashing costs time for every character; nobody remembers more. */
export const MAX_PASSWORD_LENGTH = 1000;
export const MAX_NAME_LENGTH = 100;

/** @throws AppError `invalid_input` that names the roles there are. */
export function roleFrom(text: string): Role {
  const role = ROLES.find((known) => known === text);
  if (role === undefined) throw invalidField('role', `role must be one of ${ROLES.join(', ')}`);
  return role;
}

/** @throws AppError `invalid_input` */
export function assertPassword(password: string): void {
  const { length } = password;
  if (length < MIN_PASSWORD_LENGTH || length > MAX_PASSWORD_LENGTH) {
    throw invalidField('password', `password must have ${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters`);
  }
}
