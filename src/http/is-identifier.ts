import { Matches, type ValidationOptions } from 'class-validator';

/** A body's field that holds an identifier of 24 hexadecimal digits. */
export function IsIdentifier(options: ValidationOptions = {}): PropertyDecorator {
  return Matches(/^[0-9a-f]{24}$/i, { message: '$property must be a valid identifier', ...options });
}
