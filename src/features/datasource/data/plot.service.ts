import { Injectable } from '@nestjs/common';
import { Clock } from '../../../ports/clock.js';
import { RowReader, type PlotQuery, type PlotSeries } from '../../../ports/row-reader.js';
import { AppError } from '../../../shared/app-error.js';
import type { DatasourceId } from '../../../shared/ids.js';
import type { Principal } from '../../../shared/principal.js';
import { parseLayout, parseTime } from '../../../shared/time-format/time-format.js';
import { DatasourceService } from '../datasource.service.js';
import { visibleTable } from '../visible-table.js';
import { isoTime } from './iso-time.js';

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
    const { timeFormat } = datasource.config;
    const query: PlotQuery = {
      asset: request.asset === '' ? null : request.asset,
      from: instantFrom('from', request.from, timeFormat),
      to: instantFrom('to', request.to, timeFormat),
      column: request.column,
      points: request.points,
    };
    const table = visibleTable(datasource, this.clock.now());
    return table === null ? { total: 0, points: [] } : this.rows.plot(table, query);
  }
}

const EPOCH_MS = /^-?\d{11,16}$/;

/** ISO 8601 (no zone is UTC), epoch milliseconds, or the datasource's own layout; empty is open. */
export function instantFrom(field: string, text: string, timeFormat: string): Date | null {
  if (text === '') return null;
  const own = timeFormat === '' ? null : parseTime(parseLayout(timeFormat), text);
  const instant = own ?? otherwise(text);
  if (instant !== null && !Number.isNaN(instant.getTime())) return instant;
  const problem = `${field} must be a time: ISO 8601, epoch milliseconds or the datasource's own timeformat`;
  throw new AppError('invalid_input', problem, { details: [{ field, problem }] });
}

function otherwise(text: string): Date | null {
  if (EPOCH_MS.test(text)) return new Date(Number(text));
  return isoTime(text);
}
