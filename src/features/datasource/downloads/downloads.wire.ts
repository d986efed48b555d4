import { StreamableFile } from '@nestjs/common';
import { IsOptional, IsString } from 'class-validator';
import { attachment } from '../../../http/attachment.js';
import { IsIdentifier } from '../../../http/is-identifier.js';
import { asId } from '../../../shared/ids.js';
import { AssetRange } from '../data/asset-range.wire.js';
import type { Download, ExportRequest } from './downloads.service.js';

export class ExportParameters extends AssetRange {
  @IsIdentifier()
  readonly id!: string;

  /** Names, parted by commas, in the order wanted; a name that holds a comma stands in quotes. Empty: the file's own columns. */
  @IsOptional()
  @IsString()
  readonly columns?: string;
}

export function exportRequestFrom(parameters: ExportParameters): ExportRequest {
  return {
    datasourceId: asId(parameters.id.toLowerCase()),
    asset: parameters.asset ?? '',
    from: parameters.from ?? '',
    to: parameters.to ?? '',
    columns: parameters.columns ?? '',
  };
}

/** How the API document describes a CSV file. */
export const CSV = { content: { 'text/csv': { schema: { type: 'string', format: 'binary' } } } };

export const CSV_TYPE = 'text/csv; charset=utf-8';

/** The answer that a browser saves under the datasource's name. */
export function csvFile({ name, text }: Download, ending: string): StreamableFile {
  return new StreamableFile(text, { type: CSV_TYPE, disposition: attachment(name, ending) });
}
