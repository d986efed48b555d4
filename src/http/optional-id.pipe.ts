import { Injectable, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import type { Id } from '../shared/ids.js';
import { IdPipe } from './id.pipe.js';

/** An identifier that may be left out; one that is given must be valid. */
@Injectable()
export class OptionalIdPipe implements PipeTransform<unknown, Id<string> | null> {
  private readonly required = new IdPipe();

  transform(value: unknown, metadata: ArgumentMetadata): Id<string> | null {
    return value === undefined || value === '' ? null : this.required.transform(value, metadata);
  }
}
