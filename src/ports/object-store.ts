import type { Readable } from 'node:stream';
import type { CompanyId } from '../shared/ids.js';

/** `charts` are the specifications of pictures that nobody has fetched yet; drawn, they are `images`. `rows` are the finished files of datasources. */
export const OBJECT_AREAS = ['uploads', 'charts', 'images', 'documents', 'rows'] as const;
export type ObjectArea = (typeof OBJECT_AREAS)[number];

/** Names one object. `name` is `[A-Za-z0-9][A-Za-z0-9._-]{0,127}`; anything else is not there. */
export interface ObjectKey {
  readonly companyId: CompanyId;
  readonly area: ObjectArea;
  readonly name: string;
}

export interface StoredObject {
  readonly key: ObjectKey;
  readonly size: number;
  readonly modifiedAt: Date;
}

/** A file on this machine's disk with an object's bytes, for a child process to read. Dispose of it when done. */
export interface LocalFile extends AsyncDisposable {
  readonly path: string;
}

export interface StorageState {
  /** What uploads may still take, with what is kept back for other work left out; below zero when that is being used up. */
  readonly freeBytes: number;
}

/** Files: uploads, documents, charts, images, rows. */
export abstract class ObjectStore {
  /**
   * Stores the whole stream under the key, or nothing: an aborted or failed stream leaves no trace. Returns the bytes written.
   *
   * @throws AppError `too_large` over `maxBytes`, `no_space` when the disk is full (for an upload: when it comes near to it), `conflict` when the key is taken.
   */
  abstract write(key: ObjectKey, source: Readable, maxBytes: number): Promise<number>;
  /**
   * Makes a finished file of this machine the object, durable, whole and private, or nothing; afterwards it is gone from its path. It may
   * be large: no checksum of it is made.
   *
   * @throws AppError `conflict` when the key is taken, `no_space`.
   */
  abstract adopt(key: ObjectKey, path: string): Promise<void>;
  /** Where the object lies, or would, when that is on this machine's disk, so that it can be opened in place; null where it lies elsewhere. */
  abstract placeOf(key: ObjectKey): string | null;
  /** @throws AppError `not_found`; `unavailable` when it is damaged, as far as the store can know. */
  abstract read(key: ObjectKey): Promise<Readable>;
  abstract stat(key: ObjectKey): Promise<StoredObject | null>;
  /** What is not read to its end need not be looked at for damage. @throws AppError as `read` does. */
  abstract localFile(key: ObjectKey, reads?: 'all' | 'a part'): Promise<LocalFile>;
  /** Whether there was one. */
  abstract remove(key: ObjectKey): Promise<boolean>;
  /** Every object of an area, of all companies, in no order. For cleaning up. */
  abstract list(area: ObjectArea): AsyncIterable<StoredObject>;
  /** @throws AppError `unavailable` */
  abstract check(): Promise<StorageState>;
}
