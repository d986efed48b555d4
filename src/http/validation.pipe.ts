import * as transformerPackage from 'class-transformer';
import * as validatorPackage from 'class-validator';
import { ValidationPipe, type ValidationError } from '@nestjs/common';
import { AppError, type FieldProblem } from '../shared/app-error.js';

/** Checks bodies and queries against their classes. Unknown fields are dropped; nothing is converted silently. */
export function validationPipe(): ValidationPipe {
  return new ValidationPipe({
    // Else it looks for them by name, beside the service's one file.
    transformerPackage,
    validatorPackage,
    whitelist: true,
    transform: true,
    forbidUnknownValues: true,
    stopAtFirstError: true,
    validationError: { target: false },
    exceptionFactory: (errors) => {
      const details = errors.flatMap((error) => problemsOf(error, ''));
      return new AppError('invalid_input', details[0]?.problem ?? 'the body is not valid', { details });
    },
  });
}

function problemsOf(error: ValidationError, parent: string): FieldProblem[] {
  const field = parent === '' ? error.property : `${parent}.${error.property}`;
  const own = Object.entries(error.constraints ?? {}).map(([rule, problem]) => ({
    field,
    problem: rule === 'unknownValue' ? 'the body must be a JSON object' : plain(problem, error),
  }));
  return [...own, ...(error.children ?? []).flatMap((child) => problemsOf(child, field))];
}

/** What class-validator says, as people say it. */
function plain(problem: string, { property, value }: ValidationError): string {
  if (value === undefined) return `${property} is required`;
  return PLAIN.reduce((text, [theirs, ours]) => text.replace(theirs, ours), problem);
}

const PLAIN: readonly (readonly [RegExp, string])[] = [
  [/ must be longer than or equal to 1 characters$/, ' must not be empty'],
  [/ must be longer than or equal to (\d+) characters$/, ' must have at least $1 characters'],
  [/ must be shorter than or equal to (\d+) characters$/, ' must have at most $1 characters'],
  [/ must be one of the following values: /, ' must be one of '],
  [/ must be an integer number$/, ' must be a whole number'],
  [/ must be a number conforming to the specified constraints$/, ' must be a number'],
  [/ must be a boolean value$/, ' must be true or false'],
  [/ must not be less than /, ' must be at least '],
  [/ must not be greater than /, ' must be at most '],
  [/ should not be empty$/, ' must not be empty'],
  [/ must be an email$/, ' must be an email address'],
];
