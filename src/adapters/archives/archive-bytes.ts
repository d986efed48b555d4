import { readSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { RandomAccessReader } from 'yauzl';

/**
 * An archive's bytes as its reader wants them. Headers are read without another thread: a directory is a thousand small reads, and
 * this process, which gives way to all others, would wait its turn for each. Closing the file is left to whoever opened it.
 */
export class ArchiveBytes extends RandomAccessReader {
  constructor(private readonly file: FileHandle) {
    super();
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null, bytesRead?: number) => void,
  ): void {
    let bytesRead: number;
    try {
      bytesRead = readSync(this.file.fd, buffer, offset, length, position);
    } catch (error) {
      process.nextTick(callback, error);
      return;
    }
    process.nextTick(callback, null, bytesRead);
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return this.file.createReadStream({ start, end: end - 1, autoClose: false });
  }
}
