import { AppError, type FieldProblem } from '../../shared/app-error.js';
import { ROLES } from '../../shared/principal.js';

export function noSuchUser(): AppError {
  return new AppError('not_found', 'user not found');
}

export function emailTaken(email: string, cause: unknown): AppError {
  return new AppError('conflict', `there is already a user with the email ${email}`, { cause });
}

export function notAnEmail(): AppError {
  return invalid({ field: 'email', problem: 'email must be an email' });
}

export function notARole(): AppError {
  return invalid({ field: 'role', problem: `role must be one of ${ROLES.join(', ')}` });
}

export function passwordLength(least: number, most: number): AppError {
  return invalid({ field: 'password', problem: `password must have ${least} to ${most} characters` });
}

function invalid(problem: FieldProblem): AppError {
  return new AppError('invalid_input', problem.problem, { details: [problem] });
}
