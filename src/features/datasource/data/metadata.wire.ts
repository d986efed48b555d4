import { IsOptional } from 'class-validator';
import { Envelope } from '../../../http/envelope.wire.js';
import { OptionalText } from '../../../http/fields.js';
import { IsIdentifier } from '../../../http/is-identifier.js';
import type { MetadataValues } from '../../../ports/row-reader.js';
import { asId } from '../../../shared/ids.js';
import { pageFrom } from '../../../shared/page.js';
import type { MetadataRequest } from './metadata.service.js';

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
