import { Injectable, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { invalidField } from '../shared/app-error.js';
import { asId, isId, type Id } from '../shared/ids.js';

/** Lets an identifier of 24 hexadecimal digits through, in lower case. */
@Injectable()
export class IdPipe implements PipeTransform<unknown, Id<string>> {
  transform(value: unknown, metadata: ArgumentMetadata): Id<string> {
    const name = metadata.data ?? 'id';
    const text = typeof value === 'string' ? value.toLowerCase() : '';
    if (isId(text)) return asId(text);
    const problem = value === undefined || value === '' ? `${name} is required` : `${name} must be a valid identifier`;
    throw invalidField(name, problem);
  }
}

/** An identifier that may be left out; one that is given must be valid. */
@Injectable()
export class OptionalIdPipe implements PipeTransform<unknown, Id<string> | null> {
  private readonly required = new IdPipe();

  transform(value: unknown, metadata: ArgumentMetadata): Id<string> | null {
    return value === undefined || value === '' ? null : this.required.transform(value, metadata);
  }
}
