import type { WrittenCsv } from './csv-inspector.js';

/** One file of an archive that holds a table. */
export interface ArchiveEntry {
  /** Its path in the archive, with `/`; of a sheet its name, behind the path of its workbook when that lies in an archive. */
  readonly name: string;
  /** Bytes as CSV, as the archive declares them; of what is no CSV file an estimate. */
  readonly size: number;
  /** It is no CSV file in the archive, and is made one. */
  readonly isConverted?: boolean;
}

export interface UnpackedFile extends ArchiveEntry {
  /** A CSV file on this machine's disk. */
  readonly path: string;
  /** Otherwise only its first rows lie there. */
  readonly isWhole: boolean;
  /** What is known of a CSV file that was made from typed values. */
  readonly written?: WrittenCsv;
  /** The workbook that it is a sheet of. The sheets of a workbook are alternatives; hidden ones come last. */
  readonly workbook?: string;
}

/** Files that were unpacked for a while. Dispose of them when done. */
export interface UnpackedFiles extends AsyncDisposable {
  /** In archive order. */
  readonly files: readonly UnpackedFile[];
}

export interface UnpackOptions {
  /** Of each file only the whole lines of its first so many bytes; `null`: all of it. */
  readonly headBytes: number | null;
  /** What the file is called by who sent it. A single table has no other name. */
  readonly name?: string;
  /** Only the files of these names; without it all. */
  readonly only?: readonly string[];
  readonly signal: AbortSignal;
  /** Now and then, the share of bytes that is unpacked, 0 to 1. */
  readonly onProgress?: (share: number) => void;
}

/**
 * Opens files of strangers that hold tables in another form than CSV, in a process of its own with limits of memory and time: ZIP archives, Excel
 * workbooks, Parquet, JSON, and files packed by gzip or zstd. What a file is, its bytes tell.
 */
export abstract class ArchiveReader {
  /** Whether the bytes begin like a file that has to be opened before it can be read as CSV. */
  abstract isArchive(path: string): Promise<boolean>;
  /**
   * The files of the archive, at least one, in its order and with names that all differ. Nothing is unpacked.
   *
   * @throws AppError `invalid_input` with a sentence that names what is wrong: no archive, nothing in it, an entry that is no table, an encrypted
   *   entry, a path that leaves the archive, two files of one name, files that overlap, more than 1,000 entries, an expansion over 40 GiB, or over
   *   200:1 from 10 MiB on; `not_found` when the file is gone, `timed_out`, `unavailable` when its process is ended.
   */
  abstract list(path: string): Promise<readonly ArchiveEntry[]>;
  /**
   * Unpacks the tables as CSV files: sheets of a workbook one by one. All the files, or none: a failed or aborted run leaves nothing on the disk.
   *
   * @throws AppError as `list` does, `invalid_input` also when an entry is longer than it declares or damaged, `no_space` when the disk is (too) full;
   *   the signal's reason when aborted.
   */
  abstract unpack(path: string, options: UnpackOptions): Promise<UnpackedFiles>;
}
