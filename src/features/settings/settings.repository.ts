import { Injectable } from '@nestjs/common';
import { DocumentStore, type TenantCollection } from '../../ports/document-store.js';
import type { CompanyId } from '../../shared/ids.js';
import type { JsonObject } from '../../shared/json.js';
import { SETTINGS } from './settings.schema.js';
import type { Settings } from './settings.types.js';

@Injectable()
export class SettingsRepository {
  private readonly collection: TenantCollection<Settings>;

  constructor(store: DocumentStore) {
    this.collection = store.tenantCollection(SETTINGS);
  }

  /** @throws AppError `conflict` when the company has settings. */
  insert(settings: Settings): Promise<void> {
    return this.collection.of(settings.companyId).insert(settings);
  }

  list(companyId: CompanyId): Promise<readonly Settings[]> {
    return this.collection.of(companyId).find({}, { sort: [['id', 'asc']] });
  }

  /** Null when the company has no settings yet. */
  async find(companyId: CompanyId): Promise<Settings | null> {
    const [settings] = await this.list(companyId);
    return settings ?? null;
  }

  /** Null when somebody changed them since they were seen. */
  replaceConfig(seen: Settings, config: JsonObject, at: Date): Promise<Settings | null> {
    const { id, companyId, revision } = seen;
    return this.collection
      .of(companyId)
      .update({ id, revision: revision ?? null }, { set: { config, revision: (revision ?? 0) + 1, updatedAt: at } });
  }

  /** Of all companies, in pages: those after an id, in its order. */
  allAfter(id: string, limit: number): Promise<readonly Settings[]> {
    return this.collection.ofAll().find({ id: { gt: id } }, { sort: [['id', 'asc']], limit });
  }
}
