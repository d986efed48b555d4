import { ValidationPipe, type ValidationError } from '@nestjs/common';
import { AppError, type FieldProblem } from '../shared/app-error.js';

/** Checks bodies and queries against their classes. Unknown fields are dropped; nothing is converted silently. */
export function validationPipe(): ValidationPipe {
  return new ValidationPipe({
    whitelist: true,
    transform: true,
    forbidUnknownValues: true,
    stopAtFirstError: true,
    validationError: { target: false, value: false },
    exceptionFactory: (errors) => invalid(errors.flatMap((error) => problemsOf(error, ''))),
  });
}

function invalid(problems: readonly FieldProblem[]): AppError {
  return new AppError('invalid_input', problems[0]?.problem ?? 'the body is not valid', { details: problems });
}

function problemsOf(error: ValidationError, parent: string): FieldProblem[] {
  const field = parent === '' ? error.property : `${parent}.${error.property}`;
  const own = Object.entries(error.constraints ?? {}).map(([rule, problem]) => ({
    field,
    // class-validator speaks of "an unknown value" when there was no object at all.
    problem: rule === 'unknownValue' ? 'the body must be a JSON object' : problem,
  }));
  return [...own, ...(error.children ?? []).flatMap((child) => problemsOf(child, field))];
}
