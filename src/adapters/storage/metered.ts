import { pipeline, Transform, type Readable } from 'node:stream';
import { AppError } from '../../shared/app-error.js';

/** The same bytes, counted. Fails over `maxBytes`, and when its source does. */
export class Metered {
  readonly stream: Transform;
  size = 0;
  /** Why there are no more bytes; null when there is no reason, or these were all. */
  failure: Error | null = null;

  constructor(source: Readable, maxBytes: number) {
    this.stream = new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        this.size += chunk.length;
        if (this.size <= maxBytes) done(null, chunk);
        else done(new AppError('too_large', `the file is larger than ${maxBytes} bytes`));
      },
    });
    // Also when the source has ended or failed already. Whoever reads the stream hears of it there.
    pipeline(source, this.stream, (error) => (this.failure = error ?? null));
  }
}
