import { Injectable } from '@nestjs/common';
import { withSaidRoles } from '../../../plan/column-roles.js';
import { Clock } from '../../../ports/clock.js';
import type { TableBriefing } from '../../../ports/chat-model.js';
import type { DatasourceId } from '../../../shared/ids.js';
import type { Principal } from '../../../shared/principal.js';
import { isUpdating } from '../datasource.errors.js';
import { DatasourceService } from '../datasource.service.js';
import { SemanticsRepository } from '../semantics/semantics.repository.js';
import { Histograms, type HistogramsByColumn } from './histograms.js';
import { ProfileBuilder } from './profile-builder.js';
import { knownTable } from '../visible-table.js';

export interface Summary {
  readonly briefing: TableBriefing;
  /** Empty unless they were asked for. */
  readonly histograms: HistogramsByColumn;
}

/** Describes a datasource for people and for models. */
@Injectable()
export class SummaryService {
  constructor(
    private readonly datasources: DatasourceService,
    private readonly profiles: ProfileBuilder,
    private readonly histograms: Histograms,
    private readonly clock: Clock,
    private readonly semantics: SemanticsRepository,
  ) {}

  /**
   * With histograms of up to `bins` bins when that is given.
   *
   * @throws AppError `conflict` while the first rows are imported or when that failed.
   */
  async rebuild(by: Principal, id: DatasourceId, bins?: number): Promise<Summary> {
    const seen = await this.datasources.get(by, id);
    knownTable(seen, this.clock.now());
    const rebuilt = seen.updating ? seen : await this.profiles.rebuild(seen);
    if (rebuilt === null) {
      // Gone meanwhile, or an import has begun.
      await this.datasources.get(by, id);
      throw isUpdating();
    }
    const { table, profile } = knownTable(rebuilt, this.clock.now());
    const { name, config } = rebuilt;
    const semantics = (await this.semantics.find(by.companyId, id))?.semantics ?? null;
    return {
      briefing: { name, context: config.context, semantics, profile: withSaidRoles(profile, semantics) },
      histograms: bins === undefined ? new Map() : await this.histograms.of(table, profile, bins),
    };
  }
}
