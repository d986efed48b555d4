import { Injectable } from '@nestjs/common';
import { Clock } from '../../../ports/clock.js';
import type { TableBriefing } from '../../../ports/chat-model.js';
import type { DatasourceId } from '../../../shared/ids.js';
import type { Principal } from '../../../shared/principal.js';
import { isUpdating } from '../datasource.errors.js';
import { DatasourceService } from '../datasource.service.js';
import { ProfileBuilder } from './profile-builder.js';
import { readyTable } from './ready-table.js';

/** Describes a datasource for people and for models. */
@Injectable()
export class SummaryService {
  constructor(
    private readonly datasources: DatasourceService,
    private readonly profiles: ProfileBuilder,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError `conflict` while the datasource is updating or when its import failed. */
  async rebuild(by: Principal, id: DatasourceId): Promise<TableBriefing> {
    const seen = await this.datasources.get(by, id);
    readyTable(seen, this.clock.now());
    const rebuilt = await this.profiles.rebuild(seen);
    if (rebuilt === null) {
      // Gone meanwhile, or an import has begun.
      await this.datasources.get(by, id);
      throw isUpdating();
    }
    const { profile } = readyTable(rebuilt, this.clock.now());
    return { name: rebuilt.name, context: rebuilt.config.context, profile };
  }
}
