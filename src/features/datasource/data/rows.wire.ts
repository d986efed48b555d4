import { IsNotEmpty, IsOptional, IsString } from 'class-validator';
import { Envelope } from '../../../http/envelope.wire.js';
import { OptionalText, OptionalWholeNumber } from '../../../http/fields.js';
import { IsIdentifier } from '../../../http/is-identifier.js';
import type { MetadataValues, PlotBucket, PlotPoint, PlotSeries } from '../../../ports/row-reader.js';
import { asId } from '../../../shared/ids.js';
import { pageFrom } from '../../../shared/page.js';
import type { MetadataRequest, PlotRequest } from './rows.service.js';

export class MetadataBody {
  @IsIdentifier()
  readonly datasource_id!: string;

  /** A part of the value, upper and lower case alike; no character in it means anything but itself. */
  @OptionalText(0, 1000)
  readonly search?: string;

  /** Zero-based; what can't be read is 0. */
  @IsOptional()
  readonly page?: number;

  @IsOptional()
  readonly page_size?: number;
}

export class MetadataResponse extends Envelope {
  readonly metadata!: string[];
  readonly total!: number;
}

export function metadataRequestFrom(body: MetadataBody): MetadataRequest {
  return {
    datasourceId: asId(body.datasource_id.toLowerCase()),
    search: body.search ?? '',
    page: pageFrom(body.page, body.page_size),
  };
}

export function metadataView({ values, total }: MetadataValues): Omit<MetadataResponse, keyof Envelope> {
  return { metadata: [...values], total };
}

/** Which rows: of one asset, and of a range of time. */
export class AssetRange {
  /** A value of the metafield; empty: all rows. */
  @OptionalText(0, 1000)
  readonly asset?: string;

  /**
   * Inclusive. ISO 8601, epoch milliseconds, the datasource's own timeformat, relative (`now`, `now-1h`, `now-1d-2h`, `now-7d/d`: units s m h d w M y,
   * a final `/unit` rounds down, all in UTC), or empty: open.
   */
  @OptionalText(0, 100)
  readonly from?: string;

  /** Exclusive, in the same forms; a final `/unit` rounds down here too: `now-1d/d` to `now/d` is yesterday. Not before `from`. */
  @OptionalText(0, 100)
  readonly to?: string;
}

const DEFAULT_POINTS = 1000;

export class PlotBody extends AssetRange {
  @IsIdentifier()
  readonly datasource_id!: string;

  /** A numeric column. */
  @IsString()
  @IsNotEmpty()
  readonly value!: string;

  /** Most points wanted; above them the range is cut into equal buckets. */
  @OptionalWholeNumber(10, 10_000)
  readonly points?: number;
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

export function plotRequestFrom(body: PlotBody): PlotRequest {
  return {
    datasourceId: asId(body.datasource_id.toLowerCase()),
    asset: body.asset ?? '',
    from: body.from ?? '',
    to: body.to ?? '',
    column: body.value,
    points: body.points ?? DEFAULT_POINTS,
  };
}

export function plotView({ total, bucketMs, points }: PlotSeries): Omit<PlotResponse, keyof Envelope> {
  return { data: points.map(pointView), total, bucket_ms: bucketMs };
}

function pointView(point: PlotPoint | PlotBucket): PlotPointView {
  const { timestamp, value } = point;
  return 'count' in point
    ? { timestamp, value, min: point.min, max: point.max, count: point.count }
    : { timestamp, value };
}
