import type { ArchiveEntry, UnpackedFile } from '../../ports/archive-reader.js';
import type { ErrorKind } from '../../shared/app-error.js';

/** The one thing that an archive process is asked to do. */
export type ArchiveOrder =
  | { readonly kind: 'list'; readonly path: string }
  | {
      readonly kind: 'unpack';
      readonly path: string;
      /** Where to; the sender removes it. */
      readonly folder: string;
      readonly headBytes: number | null;
    };

export type ArchiveOutcome =
  | { readonly kind: 'listed'; readonly entries: readonly ArchiveEntry[] }
  | { readonly kind: 'unpacked'; readonly files: readonly UnpackedFile[] }
  /** `error` is `null` when nobody foresaw it. */
  | { readonly kind: 'failed'; readonly error: ErrorKind | null; readonly message: string };

export type ArchiveMessage =
  /** The directory is read, so many bytes will be written. */
  | { readonly kind: 'planned'; readonly bytes: number }
  /** So many are. */
  | { readonly kind: 'progress'; readonly bytes: number }
  | ArchiveOutcome;
