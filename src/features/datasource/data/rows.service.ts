import { Injectable } from '@nestjs/common';
import { Clock } from '../../../ports/clock.js';
import { type MetadataValues, type PlotQuery, type PlotSeries, RowReader } from '../../../ports/row-reader.js';
import type { DatasourceId } from '../../../shared/ids.js';
import type { Page } from '../../../shared/page.js';
import type { Principal } from '../../../shared/principal.js';
import { DatasourceRepository } from '../datasource.repository.js';
import { knownTable, visibleTable } from '../visible-table.js';
import { type AskedRows, rowsAsked } from './time-range.js';
import { withSaidRoles } from '../../../plan/column-roles.js';
import type { TableBriefing } from '../../../ports/chat-model.js';
import { isUpdating } from '../datasource.errors.js';
import { SemanticsRepository } from '../semantics/semantics.repository.js';
import { KeptQueries } from '../joinable-tables.facade.js';
import { type HistogramsByColumn, histogramsOf } from './histograms.js';
import { ProfileBuilder } from './profile-builder.js';

/** What a caller asks to see. */
export interface PlotRequest extends AskedRows, Pick<PlotQuery, 'column' | 'points'> {
  readonly datasourceId: DatasourceId;
}

/** Shows rows: the old ones until a running import is complete, and none before the first is. */
@Injectable()
export class RowsService {
  constructor(
    private readonly datasources: DatasourceRepository,
    private readonly rows: RowReader,
    private readonly clock: Clock,
  ) {}

  /** The values of the metafield that have the text. */
  async metadata(by: Principal, id: DatasourceId, page: Page, search: string): Promise<MetadataValues> {
    const table = visibleTable(await this.datasources.get(by.companyId, id), this.clock.now());
    if (table === null) return { values: [], total: 0 };
    return this.rows.distinctMetadata(table, { search, skip: page.index * page.size, limit: page.size });
  }

  async plot(by: Principal, request: PlotRequest): Promise<PlotSeries> {
    const datasource = await this.datasources.get(by.companyId, request.datasourceId);
    const now = this.clock.now();
    const { column, points } = request;
    const query = { ...rowsAsked(request, { timeFormat: datasource.config.timeFormat, now }), column, points };
    const table = visibleTable(datasource, now);
    return table === null ? { total: 0, bucketMs: 0, points: [] } : this.rows.plot(table, query);
  }
}

export interface Summary {
  readonly briefing: TableBriefing;
  /** Empty unless they were asked for. */
  readonly histograms: HistogramsByColumn;
}

/** Describes a datasource for people and for models. */
@Injectable()
export class SummaryService {
  constructor(
    private readonly datasources: DatasourceRepository,
    private readonly profiles: ProfileBuilder,
    private readonly queries: KeptQueries,
    private readonly clock: Clock,
    private readonly semantics: SemanticsRepository,
  ) {}

  /**
   * With histograms of up to `bins` bins when that is given.
   *
   * @throws AppError `conflict` while the first rows are imported or when that failed.
   */
  async rebuild(by: Principal, id: DatasourceId, bins?: number): Promise<Summary> {
    const seen = await this.datasources.get(by.companyId, id);
    knownTable(seen, this.clock.now());
    const rebuilt = seen.updating ? seen : await this.profiles.rebuild(seen);
    if (rebuilt === null) {
      // Gone meanwhile, or an import has begun.
      await this.datasources.get(by.companyId, id);
      throw isUpdating();
    }
    const { table, profile } = knownTable(rebuilt, this.clock.now());
    const { name, config } = rebuilt;
    const semantics = (await this.semantics.of(by.companyId, id))?.semantics ?? null;
    return {
      briefing: { name, context: config.context, semantics, profile: withSaidRoles(profile, semantics) },
      histograms:
        bins === undefined
          ? new Map()
          : await histogramsOf(profile, bins, (plan, maxRows) => this.queries.run(table, { plan, sql: null }, maxRows)),
    };
  }
}
