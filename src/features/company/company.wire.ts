import { answerOf, onWire } from '../../http/envelope.wire.js';
import type { JsonObject } from '../../shared/json.js';
import type { Company } from './company.schema.js';

/** What stands for "never" in `deleted_at`. */
const NOT_DELETED = '0001-01-01T00:00:00Z';

export class CompanyView {
  readonly id!: string;
  readonly name!: string;
  readonly meta!: JsonObject;
  readonly is_active!: boolean;
  readonly created_at!: string;
  readonly updated_at!: string;
  /** `0001-01-01T00:00:00Z` while the company is not deleted. */
  readonly deleted_at!: string;
}

export class CompanyResponse extends answerOf({ company: CompanyView }) {}

export function companyView(company: Company): CompanyView {
  return {
    ...onWire(company, 'id', 'name', 'meta', 'isActive', 'createdAt', 'updatedAt'),
    deleted_at: company.deletedAt?.toISOString() ?? NOT_DELETED,
  };
}
