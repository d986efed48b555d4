import { pipeline, Transform, type Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { AppError } from '../../shared/app-error.js';

/** How often, in bytes, it is seen whether there is still room. */
const LOOK_BYTES = 8 * 1024 ** 2;

export interface MeterLimits {
  readonly maxBytes: number;
  /** Whether more may be written where the bytes go; always, without it. */
  readonly hasRoom?: () => Promise<boolean>;
}

/** The same bytes, counted. Fails as `too_large` over `maxBytes`, as `no_space` when there is no more room, and when its source does. */
export class Metered {
  readonly stream: Transform;
  size = 0;
  /** Their CRC-32. */
  sum = 0;
  /** Why there are no more bytes; null when there is no reason, or these were all. */
  failure: Error | null = null;
  private nextLook = 0;

  constructor(
    source: Readable,
    private readonly limits: MeterLimits,
  ) {
    this.stream = new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        this.pass(chunk).then(() => {
          done(null, chunk);
        }, done);
      },
    });
    // Also when the source has ended or failed already. Whoever reads the stream hears of it there.
    pipeline(source, this.stream, (error) => (this.failure = error ?? null));
  }

  private async pass(chunk: Buffer): Promise<void> {
    const { maxBytes, hasRoom } = this.limits;
    this.size += chunk.length;
    this.sum = crc32(chunk, this.sum);
    if (this.size > maxBytes) throw new AppError('too_large', `the file is larger than ${maxBytes} bytes`);
    if (hasRoom === undefined || this.size < this.nextLook) return;
    this.nextLook = this.size + LOOK_BYTES;
    if (!(await hasRoom())) throw new AppError('no_space', 'no room left on the storage');
  }
}
