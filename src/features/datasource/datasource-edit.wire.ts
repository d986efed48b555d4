import { OptionalText } from '../../http/fields.js';
import { IsIdentifier } from '../../http/is-identifier.js';
import type { DatasourceEdit } from './datasource.types.js';

export class EditDatasourceBody {
  @IsIdentifier()
  readonly id!: string;

  /** Left out: stays as it is. */
  @OptionalText(1, 200)
  readonly name?: string;

  /** Free text that improves answers; left out: stays as it is. */
  @OptionalText(0, 20_000)
  readonly context?: string;
}

export function editFrom(body: EditDatasourceBody): DatasourceEdit {
  return { name: body.name ?? null, context: body.context ?? null };
}
