import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { RejectedLine } from '../../ports/row-engine.js';
import { fileExists } from './row-files.js';

/** What is kept of the lines that were left out. */
export interface RejectsBounds {
  readonly lines: number;
  readonly bytes: number;
}

const MOST: RejectsBounds = { lines: 1_000_000, bytes: 256 * 1024 ** 2 };
const WRITE_AT_ONCE = 1024 ** 2;
/** JSON leaves them as they are, and who reads line by line may end a line there. */
const OTHER_BREAKS = /[\u0085\u2028\u2029]/g;

/** Writes lines that were left out into a file, one JSON text on each line, until it is full. Without a line there is no file. */
export class RejectsWriter {
  private file: FileHandle | null = null;
  private waiting: string[] = [];
  private waitingLength = 0;
  private lines = 0;
  private bytes = 0;
  private full = false;

  constructor(
    private readonly path: string,
    private readonly bounds: RejectsBounds = MOST,
  ) {}

  get isFull(): boolean {
    return this.full;
  }

  /** Takes a line, unless the file is full; the first that finds no room is the end, so that what is there has no gaps. */
  add(line: RejectedLine): void {
    if (this.full) return;
    const text = `${JSON.stringify(line).replace(OTHER_BREAKS, escaped)}\n`;
    const bytes = Buffer.byteLength(text);
    this.full = this.lines + 1 > this.bounds.lines || this.bytes + bytes > this.bounds.bytes;
    if (this.full) return;
    this.lines++;
    this.bytes += bytes;
    this.waiting.push(text);
    this.waitingLength += text.length;
  }

  /** Hands on what was taken, when it is worth it. To be called often: memory holds what was taken since. */
  async flush(atLeast = WRITE_AT_ONCE): Promise<void> {
    if (this.waitingLength < atLeast || this.waitingLength === 0) return;
    this.file ??= await open(this.path, 'w');
    const text = this.waiting.join('');
    this.waiting = [];
    this.waitingLength = 0;
    await this.file.appendFile(text);
  }

  /** Hands on the rest. */
  async end(): Promise<void> {
    await this.flush(0);
  }

  /** Also when something failed. */
  async close(): Promise<void> {
    await this.file?.close();
  }
}

function escaped(sign: string): string {
  return `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** The lines of a file that `RejectsWriter` has made, one after the other; none when there is no file. */
export async function* readRejects(path: string): AsyncGenerator<RejectedLine> {
  if (!(await fileExists(path))) return;
  const source = createReadStream(path, { encoding: 'utf8' });
  // A file that can't be read ends the iteration with its error, which readline alone would not pass on.
  const failed = new Promise<never>((_, reject) => source.once('error', reject));
  failed.catch(() => undefined);
  try {
    const lines = createInterface({ input: source, crlfDelay: Infinity })[Symbol.asyncIterator]();
    for (;;) {
      const next = await Promise.race([lines.next(), failed]);
      if (next.done === true) return;
      yield JSON.parse(next.value) as RejectedLine;
    }
  } finally {
    source.destroy();
  }
}
