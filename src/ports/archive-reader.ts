/** One CSV file of an archive. */
export interface ArchiveEntry {
  /** Its path in the archive, with `/`. */
  readonly name: string;
  /** Unpacked bytes, as the archive declares them. */
  readonly size: number;
}

export interface UnpackedFile extends ArchiveEntry {
  /** On this machine's disk. */
  readonly path: string;
}

/** Files that were unpacked for a while. Dispose of them when done. */
export interface UnpackedFiles extends AsyncDisposable {
  /** In archive order. */
  readonly files: readonly UnpackedFile[];
}

export interface UnpackOptions {
  /** Of each file only the whole lines of its first so many bytes; `null`: all of it. */
  readonly headBytes: number | null;
  readonly signal: AbortSignal;
  /** Now and then, the share of bytes that is unpacked, 0 to 1. */
  readonly onProgress?: (share: number) => void;
}

/** Opens ZIP archives of strangers, in a process of its own with limits of memory and time. */
export abstract class ArchiveReader {
  /** Whether the bytes begin like a ZIP archive. */
  abstract isArchive(path: string): Promise<boolean>;
  /**
   * The CSV files of the archive, at least one, in its order and with names that all differ. Nothing is unpacked.
   *
   * @throws AppError `invalid_input` with a sentence that names what is wrong: no archive, nothing in it, an entry that is no CSV file, an encrypted
   *   entry, a path that leaves the archive, two files of one name, files that overlap, more than 1,000 entries, an expansion over 40 GiB, or over
   *   200:1 from 10 MiB on; `not_found` when the file is gone, `timed_out`, `unavailable` when its process is ended.
   */
  abstract list(path: string): Promise<readonly ArchiveEntry[]>;
  /**
   * Unpacks what `list` names. All the files, or none: a failed or aborted run leaves nothing on the disk.
   *
   * @throws AppError as `list` does, `invalid_input` also when an entry is longer than it declares or damaged, `no_space` when the disk is (too) full;
   *   the signal's reason when aborted.
   */
  abstract unpack(path: string, options: UnpackOptions): Promise<UnpackedFiles>;
}
