import { DOCUMENT_TYPES, type DocumentType } from '../../ports/document-reader.js';
import type { BinDocument } from '../../ports/bin-repository.js';
import { binKind, counts, LEASE_FIELDS, nullable, required } from '../../ports/stored-kind.schema.js';
import type { Leased } from '../../queue/lease-keeper.js';
import type { FileId, Id, UserId } from '../../shared/ids.js';

export const FILE_STATUSES = ['pending', 'ready', 'failed'] as const;
export type FileStatus = (typeof FILE_STATUSES)[number];

/** A document of a company that enriches answers. Its passages and their vectors are stored apart, as passage batches. */
export interface ContextFile extends BinDocument, Leased {
  readonly id: FileId;
  readonly createdBy: UserId;
  /** As its owner calls it, cleaned; never used to find anything. */
  readonly filename: string;
  /** Its key in the object store. */
  readonly storageKey: string;
  readonly type: DocumentType;
  /** Bytes. */
  readonly size: number;
  readonly status: FileStatus;
  /** Why it failed; while it is pending, the last problem there was. */
  readonly reason: string | null;
  /** The company's collection of embeddings; null until it is ready. */
  readonly collectionId: Id<'collection'> | null;
  /** Null where the format has no pages, and until it is ready. */
  readonly pages: number | null;
  readonly passages: number;
  /** Which batches are its passages: those of one attempt. Null until it is ready. */
  readonly attempt: string | null;
  /** The name of the model that made its vectors. */
  readonly embeddingModel: string | null;
  /** Attempts that were begun and never ended in order: the process died. */
  readonly interrupted: number;
  /** When somebody first worked on it. */
  readonly startedAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export const CONTEXT_FILES = binKind<ContextFile>(
  'context-files',
  {
    ...required({ createdBy: String, filename: String, storageKey: String, size: Number }),
    ...required({ createdAt: Date, updatedAt: Date }),
    type: { type: String, enum: DOCUMENT_TYPES, required: true },
    status: { type: String, enum: FILE_STATUSES, required: true },
    ...nullable({ reason: String, collectionId: String, pages: Number, attempt: String }),
    ...nullable({ embeddingModel: String, startedAt: Date }),
    ...counts('passages', 'interrupted'),
    ...LEASE_FIELDS,
  },
  [{ companyId: 1, createdAt: -1 }, [{ storageKey: 1 }, { unique: true }], { status: 1 }],
);

/** One context file. */
export const MAX_FILE_BYTES = 50 * 1024 * 1024;
/** Files of one request. */
export const MAX_FILES_AT_ONCE = 20;
/** Files of one company. The list shows them all, and what they hold must fit into memory. */
export const MAX_FILES = 1000;
/** Passages of one company, some 5,000 printed pages: all of them are searched in memory. */
export const MAX_PASSAGES = 20_000;
/** Passages of all companies that are held in memory at once, some 13 KB each; who asked longest ago gives way. */
export const MAX_PASSAGES_HELD = 30_000;
/** From the first attempt on. What is not done by then fails. */
export const MAX_PROCESSING_MS = 10 * 60_000;
