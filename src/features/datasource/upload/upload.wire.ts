import { IsString, Length } from 'class-validator';
import type { CsvDescription } from '../../../ports/csv-inspector.js';
import { Envelope } from '../../../http/envelope.wire.js';
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
  /** Column names, one array per CSV file. */
  readonly columns!: string[][];
  /** The first data row of the first file. */
  readonly sample!: string[];
  /** The file's original name. */
  readonly file!: string;
  /** Bytes. */
  readonly size!: number;
  readonly dialects!: DialectView[];
  /** Detected type of each column, one array per CSV file: number, integer, boolean, time or text. */
  readonly types!: string[][];
}

export function uploadView({ upload, description }: ReceivedUpload): Omit<UploadResponse, keyof Envelope> {
  return {
    filename: upload.storageKey,
    columns: [[...description.columns]],
    sample: [...description.sample],
    file: upload.originalName,
    size: upload.size,
    dialects: [dialectView(description)],
    types: [[...description.types]],
  };
}

function dialectView({ dialect }: CsvDescription): DialectView {
  return {
    delimiter: dialect.delimiter,
    quote: dialect.quote,
    encoding: dialect.encoding,
    has_header: dialect.hasHeader,
  };
}
