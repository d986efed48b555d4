import { IsNotEmpty, IsString } from 'class-validator';
import { Envelope } from '../../../http/envelope.wire.js';
import { OptionalWholeNumber } from '../../../http/fields.js';
import { IsIdentifier } from '../../../http/is-identifier.js';
import type { PlotBucket, PlotPoint, PlotSeries } from '../../../ports/row-reader.js';
import { asId } from '../../../shared/ids.js';
import { AssetRange } from './asset-range.wire.js';
import type { PlotRequest } from './plot.service.js';

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
