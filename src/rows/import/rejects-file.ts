import { type FileHandle, open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { RejectedLine } from '../../ports/row-engine.js';

/** What is kept of the lines that were left out. */
interface RejectsBounds {
  readonly lines: number;
  readonly bytes: number;
}

export const MOST_KEPT: RejectsBounds = { lines: 1_000_000, bytes: 256 * 1024 ** 2 };
const WRITE_AT_ONCE = 1024 ** 2;

/** Writes lines that were left out into a file, one JSON text on each line, until it is full. Without a line there is no file. */
export class RejectsWriter {
  private file: FileHandle | null = null;
  private waiting = '';
  private lines = 0;
  private bytes = 0;
  isFull = false;

  constructor(
    private readonly path: string,
    private readonly bounds: RejectsBounds = MOST_KEPT,
  ) {}

  /** Takes a line, unless the file is full; the first that finds no room is the end, so that what is there has no gaps. */
  add(line: RejectedLine): void {
    if (this.isFull) return;
    const text = `${JSON.stringify(line)}\n`;
    const bytes = Buffer.byteLength(text);
    this.isFull = this.lines + 1 > this.bounds.lines || this.bytes + bytes > this.bounds.bytes;
    if (this.isFull) return;
    this.lines++;
    this.bytes += bytes;
    this.waiting += text;
  }

  /** Hands on what was taken, when it is worth it. To be called often: memory holds what was taken since. */
  async flush(atLeast = WRITE_AT_ONCE): Promise<void> {
    if (this.waiting.length < atLeast || this.waiting === '') return;
    this.file ??= await open(this.path, 'w');
    const text = this.waiting;
    this.waiting = '';
    await this.file.appendFile(text);
  }

  end(): Promise<void> {
    return this.flush(0);
  }

  /** Also when something failed. */
  async close(): Promise<void> {
    await this.file?.close();
  }
}

/** The lines of a file that `RejectsWriter` has made, one after the other. */
export async function* rejectedLines(source: Readable): AsyncGenerator<RejectedLine> {
  let rest = '';
  for await (const chunk of source.setEncoding('utf8')) {
    // By line feeds alone: JSON leaves other breaks as they are, and readers of lines end lines there.
    const lines = `${rest}${String(chunk)}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield JSON.parse(line) as RejectedLine;
  }
  // A line that is cut is no JSON, and says so.
  if (rest !== '') yield JSON.parse(rest) as RejectedLine;
}
