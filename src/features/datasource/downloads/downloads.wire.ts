import { StreamableFile } from '@nestjs/common';
import { IsIn, IsOptional, IsString } from 'class-validator';
import { attachment, CSV_TYPE } from '../../../http/attachment.js';
import { IsIdentifier } from '../../../http/fields.js';
import { FILE_FORMATS, type FileFormat } from '../../../ports/row-downloads.js';
import type { DatasourceId } from '../../../shared/ids.js';
import { AssetRange } from '../data/rows.wire.js';
import type { Download, ExportRequest } from './downloads.service.js';

export class ExportParameters extends AssetRange {
  @IsIdentifier() readonly id!: DatasourceId;
  /** Names, parted by commas, in the order wanted; a name that holds a comma stands in quotes. Empty: the file's own columns. */
  @IsOptional() @IsString() readonly columns?: string;
  /** How the rows are written; csv without it. */
  @IsOptional() @IsIn(FILE_FORMATS) readonly format?: FileFormat;
}

export function exportRequestFrom({ id: datasourceId, columns, format, ...asked }: ExportParameters): ExportRequest {
  return { ...asked, datasourceId, columns: columns ?? '', format: format ?? 'csv' };
}

const TYPES: Readonly<Record<FileFormat, string>> = {
  csv: CSV_TYPE,
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  parquet: 'application/vnd.apache.parquet',
};

const BYTES = { schema: { type: 'string', format: 'binary' } };

/** How the API document describes rows in each format. */
export const ROWS = { content: { 'text/csv': BYTES, [TYPES.xlsx]: BYTES, [TYPES.parquet]: BYTES } };

/** The answer that a browser saves under the datasource's name. */
export function savedFile({ name, text, format }: Download, part = ''): StreamableFile {
  return new StreamableFile(text, { type: TYPES[format], disposition: attachment(name, `${part}.${format}`) });
}
