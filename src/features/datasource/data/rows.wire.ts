import { IsNotEmpty, IsOptional, IsString } from 'class-validator';
import { answerOf, Envelope, onWire } from '../../../http/envelope.wire.js';
import { IsIdentifier, OptionalText, OptionalWholeNumber, WholeNumber } from '../../../http/fields.js';
import type { PlotSeries } from '../../../ports/row-reader.js';
import type { DatasourceId } from '../../../shared/ids.js';
import type { PlotRequest, Summary } from './rows.service.js';
import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { TimeRangeView } from '../../../http/answer.wire.js';
import { tableText } from '../../../ports/table-text.js';
import { COLUMN_ROLES, type ColumnProfile, type ColumnRole, type TableProfile } from '../../../ports/table.js';
import { roleOf } from '../../../plan/column-roles.js';
import type { Bins } from './histograms.js';

export class MetadataBody {
  @IsIdentifier() readonly datasource_id!: DatasourceId;
  /** A part of the value, upper and lower case alike; no character in it means anything but itself. */
  @OptionalText(0, 1000) readonly search?: string;
  /** Zero-based; what can't be read is 0. */
  @IsOptional() readonly page?: number;
  @IsOptional() readonly page_size?: number;
}

export class MetadataResponse extends answerOf({ metadata: [String], total: Number }) {}

/** Which rows: of one asset, and of a range of time. */
export class AssetRange {
  /** A value of the metafield; empty: all rows. */
  @OptionalText(0, 1000) readonly asset?: string;

  /**
   * Inclusive. ISO 8601, epoch milliseconds, the datasource's own timeformat, relative (`now`, `now-1h`, `now-1d-2h`, `now-7d/d`: units s m h d w M y,
   * a final `/unit` rounds down, all in UTC), or empty: open.
   */
  @OptionalText(0, 100) readonly from?: string;
  /** Exclusive, in the same forms; a final `/unit` rounds down here too: `now-1d/d` to `now/d` is yesterday. Not before `from`. */
  @OptionalText(0, 100) readonly to?: string;
}

const DEFAULT_POINTS = 1000;

export class PlotBody extends AssetRange {
  @IsIdentifier() readonly datasource_id!: DatasourceId;
  /** A numeric column. */
  @IsString() @IsNotEmpty() readonly value!: string;
  /** Most points wanted; above them the range is cut into equal buckets. */
  @OptionalWholeNumber(10, 10_000) readonly points?: number;
}

export class PlotPointView {
  readonly timestamp!: string;
  /** Of one row, or the mean of a bucket. */
  readonly value!: number;
  /** Of a bucket. */
  readonly min?: number;
  readonly max?: number;
  readonly count?: number;
}

export class PlotResponse extends Envelope {
  /** In time order. A bucket without rows is not among them. */
  readonly data!: PlotPointView[];
  /** Rows matched; a row without a value is none. */
  readonly total!: number;
  /** How long each bucket is, in milliseconds: two timestamps further apart have a gap between them. 0: `data` are single rows. */
  readonly bucket_ms!: number;
}

export function plotRequestFrom({ datasource_id: datasourceId, value, points, ...asked }: PlotBody): PlotRequest {
  return { ...asked, datasourceId, column: value, points: points ?? DEFAULT_POINTS };
}

export function plotView({ total, bucketMs, points }: PlotSeries): Omit<PlotResponse, keyof Envelope> {
  return { data: [...points], total, bucket_ms: bucketMs };
}

const MOST_TOP_VALUES = 20;

export class SummaryParameters {
  /** How many bins the histograms of numbers have at most; none are counted unless it is given. */
  @IsOptional()
  @Type(() => Number)
  @WholeNumber(1, 100)
  readonly bins?: number;
}

export class TopValueView {
  readonly value!: string;
  readonly count!: number;
}

/** How many values lie from `from` up to, but without, `to`; the last bin has its end in it. */
export class HistogramBinView {
  readonly from!: number;
  /** The same as `from` where a bin is one value. */
  readonly to!: number;
  readonly count!: number;
}

export class ColumnSummaryView {
  readonly name!: string;
  /** number, integer, boolean, time or text. */
  readonly type!: string;
  /** What is done with the numbers of several rows where nobody says it: `sum`, `average`, or `none` of what is no figure; else empty. */
  @ApiProperty({ enum: COLUMN_ROLES }) readonly role!: ColumnRole;
  readonly null_count!: number;
  /** Exact up to 150,000, an estimate above. */
  readonly distinct_count!: number;
  // The plugin has no word for a value of any simple type.
  @ApiProperty({ oneOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }], nullable: true })
  readonly min!: string | number | boolean | null;
  @ApiProperty({ oneOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }], nullable: true })
  readonly max!: string | number | boolean | null;
  /** Of numbers. */
  readonly mean!: number | null;
  /** Of texts and booleans: the 20 most frequent, most frequent first. */
  readonly top_values!: TopValueView[];
  /**
   * Of numbers, when `bins` was given: bins of equal width from the lowest to the highest value. Of up to 100 columns; not there when
   * counting took too long.
   */
  readonly histogram?: HistogramBinView[];
}

export class SummaryView {
  readonly row_count!: number;
  /** First and last timestamp; null when there are no rows. */
  readonly time_range!: TimeRangeView | null;
  readonly columns!: ColumnSummaryView[];
  /** The form that the assistant is given. */
  readonly text!: string;
}

export class SummaryResponse extends answerOf({ summary: SummaryView }) {}

export function summaryView({ briefing, histograms }: Summary): SummaryView {
  const { profile } = briefing;
  const { rowCount, timeRange, columns } = profile;
  return {
    row_count: rowCount,
    time_range: timeRange && onWire(timeRange, 'from', 'to'),
    columns: columns.map((column) => columnView(column, profile, histograms.get(column.name))),
    text: tableText(briefing),
  };
}

function columnView(column: ColumnProfile, table: TableProfile, bins?: Bins): ColumnSummaryView {
  return {
    ...onWire(column, 'name', 'type', 'min', 'max', 'mean'),
    role: roleOf(column, table),
    null_count: column.nulls,
    distinct_count: column.distinct,
    top_values: column.topValues.slice(0, MOST_TOP_VALUES).map(({ value, count }) => ({ value, count })),
    ...(bins === undefined ? {} : { histogram: bins.map(({ from, to, count }) => ({ from, to, count })) }),
  };
}
