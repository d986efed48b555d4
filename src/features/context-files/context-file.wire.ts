import { Envelope, onWire } from '../../http/envelope.wire.js';
import type { ContextFile, FileStatus } from './context-file.schema.js';

export class ContextFileMetadataView {
  readonly company_id!: string;
  /** `pending` while it is processed, `ready` when answers can use it, or `failed`. */
  readonly status!: FileStatus;
  /** The company's collection of embeddings; empty until the file is ready. */
  readonly collection_id!: string;
  readonly created_at!: string;
  /** The id of who uploaded it: besides managers, they may delete it. */
  readonly created_by!: string;
  /** Why it failed; only there when it did. */
  readonly reason?: string;
  /** Bytes. */
  readonly size!: number;
  /** The media type that its content shows. */
  readonly type!: string;
  /** Null where the format has no pages, and until it is ready. */
  readonly pages!: number | null;
  /** How many pieces it was cut into; 0 until it is ready. */
  readonly passages!: number;
}

/** A document that enriches the company's answers. */
export class ContextFileView {
  readonly id!: string;
  readonly filename!: string;
  readonly uploaded_date!: string;
  readonly metadata!: ContextFileMetadataView;
}

export class ContextFilesResponse extends Envelope {
  /** Newest first. */
  readonly files!: ContextFileView[];
}

export function contextFileView(file: ContextFile): ContextFileView {
  return {
    ...onWire(file, 'id', 'filename'),
    uploaded_date: file.createdAt.toISOString(),
    metadata: {
      ...onWire(file, 'companyId', 'status', 'createdAt', 'createdBy', 'size', 'type', 'pages', 'passages'),
      collection_id: file.collectionId ?? '',
      ...(file.status === 'failed' ? { reason: file.reason ?? 'it could not be processed' } : {}),
    },
  };
}
