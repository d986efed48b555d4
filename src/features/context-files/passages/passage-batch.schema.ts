import type { TenantDocument } from '../../../ports/document-store.js';
import { MIXED, required, tenantKind } from '../../../ports/stored-kind.schema.js';
import type { FileId, Id } from '../../../shared/ids.js';

/** A part of a document, short enough to quote and long enough to say something. */
export interface Passage {
  readonly text: string;
  /** Where it stands; null where the format has no pages. */
  readonly page: number | null;
  readonly heading: string | null;
}

export interface StoredPassage extends Passage {
  /** As `packVector` writes it. */
  readonly vector: string;
}

/** Some passages of a context file, in the document's order. */
export interface PassageBatch extends TenantDocument {
  readonly id: Id<'passages'>;
  readonly fileId: FileId;
  /** Which attempt at the file has made it: passages of an attempt that was cut are never taken for the file's. */
  readonly attempt: string;
  /** Its place among the batches of its attempt; the first is 0. */
  readonly place: number;
  readonly embeddingModel: string;
  readonly dimension: number;
  readonly passages: readonly StoredPassage[];
}

export const PASSAGE_BATCHES = tenantKind<PassageBatch>(
  'passage-batches',
  {
    ...required({ fileId: String, attempt: String, place: Number, embeddingModel: String, dimension: Number }),
    passages: { type: [MIXED], required: true },
  },
  [{ companyId: 1, fileId: 1, place: 1 }],
);
