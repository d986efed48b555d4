import type { Readable } from 'node:stream';
import type { WrittenCsv } from './csv-inspector.js';

export const PLACE_KINDS = ['https', 's3', 'postgresql', 'mysql'] as const;
export type PlaceKind = (typeof PLACE_KINDS)[number];

/** Where a table is fetched from, with all that it takes: it holds secrets. */
export interface Place {
  readonly kind: PlaceKind;
  /**
   * `https://host/path`, `s3://bucket/key` (Amazon) or `s3+https://host/bucket/key`, both with `?region=`, `postgresql://host:port/database`,
   * `mysql://host:port/database`. Never a user or a password.
   */
  readonly address: string;
  /** S3: the id of the access key; a database: who signs in. */
  readonly user: string;
  /** HTTPS: the value of the `authorization` header; S3: the secret access key; a database: the password. Empty: none. */
  readonly secret: string;
  /** A database: the SELECT whose rows are fetched. */
  readonly query: string;
  /** PEM of the authorities that the place's certificate must come from; empty: those that the system trusts. */
  readonly ca: string;
  /** False: without encryption, which networks that the operator allows can be asked for alone. */
  readonly tls: boolean;
}

/** What a place says of a file, by which it tells later that it is the same. */
export interface FileVersion {
  readonly etag: string | null;
  readonly lastModified: string | null;
}

/** A file on its way. */
export interface FetchedFile {
  /** As it was sent; of a database CSV. It fails with an AppError when the place breaks off, sends too slowly or takes too long. */
  readonly source: Readable;
  /** What is known of the rows of a database; null: the bytes tell. */
  readonly written: WrittenCsv | null;
  /** Null: the place says nothing of it, as databases do. */
  readonly version: FileVersion | null;
}

/** Fetches files and rows from places on the public internet, and in networks that the operator allows, in a process of its own. */
export abstract class PlaceReader {
  /**
   * Resolves when the place has begun to answer. Every address is checked, and the connection made to what was checked; so is every redirect, of
   * which five are followed. A database is asked in a transaction that only reads, one SELECT.
   *
   * @throws AppError `invalid_input` when the place refuses, is not allowed or has another certificate, with a sentence that says so; `unavailable`
   *   when it can't be reached now; `timed_out`; the signal's reason when aborted.
   */
  abstract open(place: Place, signal: AbortSignal): Promise<FetchedFile>;

  /** As `open`; null when the place says that the file is still of this version, and sends none. */
  abstract openChanged(place: Place, version: FileVersion, signal: AbortSignal): Promise<FetchedFile | null>;
}
