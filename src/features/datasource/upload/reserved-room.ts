import { Transform, pipeline, type Readable } from 'node:stream';
import type { CompanyId } from '../../../shared/ids.js';

/** How an upload is written down, and how that is undone. */
export interface UploadEntry {
  readonly record: () => Promise<void>;
  readonly forget: () => Promise<unknown>;
}

/** Who keeps the room is told what becomes of it. */
export interface RoomKeeper {
  /** More has come than was announced. @throws AppError `no_space` when that is too much. */
  readonly grown: () => void;
  /** Records the upload while its bytes still fit. @throws AppError `no_space` */
  readonly keep: (bytes: number, entry: UploadEntry) => Promise<void>;
  readonly released: () => void;
}

/** The room that is kept for an upload on its way. Dispose of it when the upload is recorded or broken off. */
export class ReservedRoom implements Disposable {
  #received = 0;

  constructor(
    readonly companyId: CompanyId,
    private readonly announced: number,
    private readonly keeper: RoomKeeper,
  ) {}

  /** What was announced, or more when more has come. */
  get bytes(): number {
    return Math.max(this.announced, this.#received);
  }

  /** Announced, and not yet on the disk. */
  get missing(): number {
    return Math.max(0, this.announced - this.#received);
  }

  /** The same bytes, counted. It fails with AppError `no_space` as soon as they don't fit. */
  metered(source: Readable): Readable {
    const meter = new Transform({
      transform: (chunk: Buffer, _encoding, done): void => {
        try {
          this.receive(chunk.length);
          done(null, chunk);
        } catch (error) {
          done(error instanceof Error ? error : new Error(String(error)));
        }
      },
    });
    // Whoever reads the meter hears of what goes wrong with either.
    return pipeline(source, meter, () => undefined);
  }

  /** Records the upload, of so many bytes. @throws AppError `no_space`, and then it is not recorded. */
  keep(bytes: number, entry: UploadEntry): Promise<void> {
    return this.keeper.keep(bytes, entry);
  }

  [Symbol.dispose](): void {
    this.keeper.released();
  }

  private receive(bytes: number): void {
    this.#received += bytes;
    if (this.#received > this.announced) this.keeper.grown();
  }
}
