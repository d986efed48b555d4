import { Injectable } from '@nestjs/common';
import { Clock } from '../../../ports/clock.js';
import { RowReader, type PlotQuery, type PlotSeries } from '../../../ports/row-reader.js';
import type { DatasourceId } from '../../../shared/ids.js';
import type { Principal } from '../../../shared/principal.js';
import { DatasourceService } from '../datasource.service.js';
import { visibleTable } from '../visible-table.js';
import { timeRangeFrom } from './time-range.js';

/** What a caller asks to see; times are texts in one of the accepted forms, empty for an open end. */
export interface PlotRequest extends Pick<PlotQuery, 'column' | 'points'> {
  readonly datasourceId: DatasourceId;
  readonly asset: string;
  readonly from: string;
  readonly to: string;
}

@Injectable()
export class PlotService {
  constructor(
    private readonly datasources: DatasourceService,
    private readonly rows: RowReader,
    private readonly clock: Clock,
  ) {}

  /** The old rows until a running import is complete; none before the first is. */
  async plot(by: Principal, request: PlotRequest): Promise<PlotSeries> {
    const datasource = await this.datasources.get(by, request.datasourceId);
    const now = this.clock.now();
    const query: PlotQuery = {
      asset: request.asset === '' ? null : request.asset,
      ...timeRangeFrom(request, { timeFormat: datasource.config.timeFormat, now }),
      column: request.column,
      points: request.points,
    };
    const table = visibleTable(datasource, now);
    return table === null ? { total: 0, bucketMs: 0, points: [] } : this.rows.plot(table, query);
  }
}
