import { IsInt, IsNotEmpty, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';
import { Envelope } from '../../../http/envelope.wire.js';
import { IsIdentifier } from '../../../http/is-identifier.js';
import type { PlotSeries } from '../../../ports/row-reader.js';
import { asId } from '../../../shared/ids.js';
import type { PlotRequest } from './plot.service.js';

const DEFAULT_POINTS = 1000;

export class PlotBody {
  @IsIdentifier()
  readonly datasource_id!: string;

  /** A value of the metafield; empty: all rows. */
  @IsOptional()
  @IsString()
  @MaxLength(1000)
  readonly asset?: string;

  /** Inclusive. ISO 8601, epoch milliseconds, the datasource's own timeformat, or empty: open. */
  @IsOptional()
  @IsString()
  @MaxLength(100)
  readonly from?: string;

  /** Exclusive. */
  @IsOptional()
  @IsString()
  @MaxLength(100)
  readonly to?: string;

  /** A numeric column. */
  @IsString()
  @IsNotEmpty()
  readonly value!: string;

  /** Most points wanted; above them the range is cut into equal buckets. */
  @IsOptional()
  @IsInt()
  @Min(10)
  @Max(10_000)
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
  readonly data!: PlotPointView[];
  /** Rows matched. */
  readonly total!: number;
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

export function plotView({ total, points }: PlotSeries): Omit<PlotResponse, keyof Envelope> {
  return { data: points.map((point) => ({ ...point })), total };
}
