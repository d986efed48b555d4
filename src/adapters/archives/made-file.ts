import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { assertNoBomb } from './entry-rules.js';
import { assertRoom } from './zip-unpacking.js';

const LOOK_EVERY = 64 * 1024 ** 2;

/** A file that grows out of a smaller one. It is refused before it fills the disk. */
export class MadeFile implements AsyncDisposable {
  /** Written so far. */
  bytes = 0;
  private lookedAt = -LOOK_EVERY;

  private constructor(
    readonly path: string,
    private readonly file: FileHandle,
    private readonly packed: number,
  ) {}

  /** `packed` is the size of what it is made from. */
  static async create(path: string, packed: number): Promise<MadeFile> {
    return new MadeFile(path, await open(path, 'wx+'), packed);
  }

  /** @throws AppError `invalid_input` when it becomes too large for what it is made from, `no_space`. */
  async write(bytes: Buffer): Promise<void> {
    assertNoBomb(this.bytes + bytes.length, this.packed);
    if (this.bytes - this.lookedAt >= LOOK_EVERY) {
      await assertRoom(dirname(this.path), LOOK_EVERY);
      this.lookedAt = this.bytes;
    }
    for (let at = 0; at < bytes.length;) at += (await this.file.write(bytes, at)).bytesWritten;
    this.bytes += bytes.length;
  }

  /** Keeps of a small file what is chosen of it. */
  async cut(choose: (bytes: Buffer) => Buffer): Promise<void> {
    const { buffer } = await this.file.read(Buffer.alloc(this.bytes), 0, this.bytes, 0);
    this.bytes = choose(buffer).length;
    await this.file.truncate(this.bytes);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.file.close();
  }
}
