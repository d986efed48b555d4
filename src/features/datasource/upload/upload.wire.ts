import { IsString, Length } from 'class-validator';
import { Envelope } from '../../../http/envelope.wire.js';
import { hasRows, type DescribedFile } from './described-file.js';
import type { ReceivedUpload } from './upload.service.js';

export class UploadKeyBody {
  /** The generated key from the upload, not the original name. */
  @IsString()
  @Length(1, 128)
  readonly filename!: string;
}

/** How a CSV file is written. */
export class DialectView {
  readonly delimiter!: string;
  readonly quote!: string;
  readonly encoding!: string;
  readonly has_header!: boolean;
}

export class UploadResponse extends Envelope {
  /** Generated storage key: what the creation of a datasource names. */
  readonly filename!: string;
  /** Column names, one array per CSV file, in archive order. */
  readonly columns!: string[][];
  /** The first data row of the first file that has one. */
  readonly sample!: string[];
  /** The file's original name. */
  readonly file!: string;
  /** Names of the CSV files: in an archive their paths there. */
  readonly files!: string[];
  /** Bytes. */
  readonly size!: number;
  readonly dialects!: DialectView[];
  /** Detected type of each column, one array per CSV file: number, integer, boolean, time or text. */
  readonly types!: string[][];
}

export function uploadView({ upload, files }: ReceivedUpload): Omit<UploadResponse, keyof Envelope> {
  return {
    filename: upload.storageKey,
    columns: files.map(({ columns }) => [...columns]),
    sample: [...(files.find(hasRows)?.sample ?? [])],
    file: upload.originalName,
    files: files.map(({ name }) => name),
    size: upload.size,
    dialects: files.map(dialectView),
    types: files.map(({ types }) => [...types]),
  };
}

function dialectView({ dialect }: DescribedFile): DialectView {
  return {
    delimiter: dialect.delimiter,
    quote: dialect.quote,
    encoding: dialect.encoding,
    has_header: dialect.hasHeader,
  };
}
