import { readSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { RandomAccessReader } from 'yauzl';

const CHUNK = 256 * 1024;

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
    // A stream of the file's own would close it when it is given up.
    return Readable.from(this.pieces(start, end), { objectMode: false });
  }

  private async *pieces(start: number, end: number): AsyncGenerator<Buffer> {
    for (let at = start; at < end;) {
      const { buffer, bytesRead } = await this.file.read(Buffer.alloc(Math.min(CHUNK, end - at)), 0, null, at);
      if (bytesRead === 0) return;
      at += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  }
}
