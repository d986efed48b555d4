import type { TenantDocument } from '../../ports/document-store.js';
import type { SettingsId } from '../../shared/ids.js';
import type { JsonObject } from '../../shared/json.js';

/** A company's settings profile. There is one a company. */
export interface Settings extends TenantDocument {
  readonly id: SettingsId;
  readonly name: string;
  readonly config: JsonObject;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}
