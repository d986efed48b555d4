import { Injectable } from '@nestjs/common';
import { DocumentStore } from '../../ports/document-store.js';
import { TenantRepository } from '../../ports/tenant-repository.js';
import type { CompanyId } from '../../shared/ids.js';
import type { JsonObject } from '../../shared/json.js';
import { SETTINGS, type Settings } from './settings.schema.js';

@Injectable()
export class SettingsRepository extends TenantRepository<Settings> {
  constructor(store: DocumentStore) {
    super(store, SETTINGS);
  }

  list(companyId: CompanyId): Promise<readonly Settings[]> {
    return this.collection.of(companyId).find({}, { sort: [['id', 'asc']] });
  }

  /** Null when the company has no settings yet. */
  override find(companyId: CompanyId): Promise<Settings | null> {
    return this.first(companyId, {}, [['id', 'asc']]);
  }

  /** Null when somebody changed them since they were seen. */
  replaceConfig(seen: Settings, config: JsonObject, at: Date): Promise<Settings | null> {
    const { id, companyId, revision } = seen;
    return this.collection
      .of(companyId)
      .update({ id, revision: revision ?? null }, { set: { config, revision: (revision ?? 0) + 1, updatedAt: at } });
  }
}
