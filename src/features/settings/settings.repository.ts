import { repositoryOf } from '../../ports/tenant-repository.js';
import type { CompanyId } from '../../shared/ids.js';
import type { JsonObject } from '../../shared/json.js';
import { SETTINGS, type Settings } from './settings.schema.js';

export class SettingsRepository extends repositoryOf(SETTINGS) {
  /** Null when the company has no settings yet. */
  override find(companyId: CompanyId): Promise<Settings | null> {
    return this.first(companyId, {}, [['id', 'asc']]);
  }

  /** Null when somebody changed them since they were seen. */
  replaceConfig(seen: Settings, config: JsonObject, at: Date): Promise<Settings | null> {
    const { revision } = seen;
    const set = { config, revision: (revision ?? 0) + 1, updatedAt: at };
    return this.swap(seen, { revision: revision ?? null }, set);
  }
}
