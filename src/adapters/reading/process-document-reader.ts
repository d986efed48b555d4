import { Injectable } from '@nestjs/common';
import {
  type DocumentBlock,
  DocumentReader,
  type DocumentType,
  type RecognisedDocument,
} from '../../ports/document-reader.js';
import { AppError } from '../../shared/app-error.js';
import { type ReadingDeath, type ReadingEnd, runReading } from './reading-child.js';
import { COULD_NOT_BE_READ, NEEDS_TOO_MUCH_MEMORY, READING_LIMITS, type ReadingLimits } from './reading-limits.js';
import { recogniseAtAGlance } from './recognise-at-a-glance.js';

/** Lets so many work at once; the others wait in the order in which they came, and may give up. */
class ReadingTurns {
  private running = 0;
  private waiting: readonly (() => void)[] = [];

  constructor(private readonly atOnce: number) {}

  /** Does the work when it is its turn; rejects with the signal's reason when it is aborted before. */
  async run<R>(work: () => Promise<R>, signal: AbortSignal): Promise<R> {
    signal.throwIfAborted();
    if (this.running >= this.atOnce) await this.wait(signal);
    else this.running++;
    try {
      return await work();
    } finally {
      this.handOn();
    }
  }

  private wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const go = (): void => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = (): void => {
        this.waiting = this.waiting.filter((other) => other !== go);
        // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- the caller's own reason, whatever it is
        reject(signal.reason);
      };
      signal.addEventListener('abort', leave, { once: true });
      this.waiting = [...this.waiting, go];
    });
  }

  /** The turn goes to whoever waits longest, or is free. */
  private handOn(): void {
    const [first, ...others] = this.waiting;
    this.waiting = others;
    if (first) first();
    else this.running--;
  }
}

/** The pieces of one document as they arrive. The process that sends them counts as well, but is not trusted to. */
class CollectedBlocks {
  readonly blocks: DocumentBlock[] = [];
  private characters = 0;

  constructor(private readonly limits: ReadingLimits) {}

  /** @returns whether there is room for them, and for more */
  add(blocks: readonly DocumentBlock[]): boolean {
    for (const block of blocks) {
      this.characters += block.text.length;
      this.blocks.push(block);
    }
    return this.characters <= this.limits.characters && this.blocks.length <= this.limits.blocks;
  }
}

/**
 * A process for each document, watched from outside and killed when it breaks a limit. What this process itself does with a
 * stranger's bytes is to compare the first ones.
 */
@Injectable()
export class ProcessDocumentReader extends DocumentReader {
  private readonly limits: ReadingLimits;
  private readonly reads: ReadingTurns;
  private readonly looks: ReadingTurns;

  constructor(limits: Partial<ReadingLimits> = {}) {
    super();
    this.limits = { ...READING_LIMITS, ...limits };
    this.reads = new ReadingTurns(this.limits.documentsAtOnce);
    this.looks = new ReadingTurns(this.limits.looksAtOnce);
  }

  override async recognise(path: string): Promise<RecognisedDocument> {
    return (await recogniseAtAGlance(path)) ?? this.looks.run(() => this.look(path), new AbortController().signal);
  }

  override read(path: string, type: DocumentType, signal: AbortSignal): Promise<readonly DocumentBlock[]> {
    return this.reads.run(() => this.readNow(path, type, signal), signal);
  }

  private async look(path: string): Promise<RecognisedDocument> {
    const { limits } = this;
    const end = await runReading(
      { kind: 'look', path, limits },
      {
        memoryBytes: limits.memoryBytes,
        withinMs: limits.lookMs,
        signal: new AbortController().signal,
        onBlocks: () => false,
      },
    );
    // A look is short, so that it is the machine that was slow, not the file.
    if (end.kind === 'too_slow') throw failureOf({ kind: 'failed', reason: 'the look took too long' }, limits);
    if (end.kind !== 'recognised') throw failureOf(end, limits);
    return end.document;
  }

  private async readNow(path: string, type: DocumentType, signal: AbortSignal): Promise<readonly DocumentBlock[]> {
    const { limits } = this;
    const collected = new CollectedBlocks(limits);
    const end = await runReading(
      { kind: 'read', path, type, limits },
      {
        memoryBytes: limits.memoryBytes,
        withinMs: limits.readMs,
        signal,
        onBlocks: (blocks) => collected.add(blocks),
      },
    );
    signal.throwIfAborted();
    if (end.kind !== 'finished' || collected.blocks.length === 0) throw failureOf(end, limits);
    return collected.blocks;
  }
}

/** Signals that a process brings upon itself. */
const OWN_SIGNALS: readonly string[] = [
  'SIGABRT',
  'SIGTRAP',
  'SIGSEGV',
  'SIGBUS',
  'SIGILL',
  'SIGFPE',
  'SIGSYS',
  'SIGXFSZ',
];
/** When it ran out of memory, the engine ends like this. */
const OUT_OF_MEMORY_SIGNALS: readonly string[] = ['SIGABRT', 'SIGTRAP'];
const SIGNAL_CODES = 128;
const ABORT_CODE = 134;
/** From here on, memory is the likeliest reason of a sudden end: the watch looks only now and then. */
const MUCH_MEMORY = 0.7;

/** What the end of a process means to whoever expected another. */
function failureOf(end: ReadingEnd, limits: ReadingLimits): AppError {
  switch (end.kind) {
    case 'refused':
      return new AppError('invalid_input', end.reason);
    case 'too_much_memory':
      return new AppError('invalid_input', NEEDS_TOO_MUCH_MEMORY);
    case 'too_slow':
      return new AppError('invalid_input', `reading the document took longer than ${end.afterMs / 1000} seconds`);
    case 'stopped':
      return new AppError('invalid_input', COULD_NOT_BE_READ);
    case 'finished':
    case 'recognised':
      return unavailable(`the process said ${end.kind} without having done it`);
    case 'failed':
      return unavailable(end.reason);
    case 'died':
      return failureOfDeath(end, limits);
  }
}

function failureOfDeath(death: ReadingDeath, limits: ReadingLimits): AppError {
  const how = death.signal ?? death.code ?? 'never started';
  const cause = new Error(`the process ended (${how}): ${death.lastWords}`);
  if (!death.started) return unavailable(cause.message);
  if (isOutOfMemory(death, limits)) return new AppError('invalid_input', NEEDS_TOO_MUCH_MEMORY, { cause });
  // What a process brings upon itself, it would again.
  return isOwnDeath(death) ? new AppError('invalid_input', COULD_NOT_BE_READ, { cause }) : unavailable(cause.message);
}

function isOutOfMemory({ code, signal, peakBytes }: ReadingDeath, { memoryBytes }: ReadingLimits): boolean {
  if (peakBytes > memoryBytes * MUCH_MEMORY) return true;
  return code === ABORT_CODE || OUT_OF_MEMORY_SIGNALS.includes(signal ?? '');
}

function isOwnDeath({ code, signal }: ReadingDeath): boolean {
  return OWN_SIGNALS.includes(signal ?? '') || (code ?? 0) > SIGNAL_CODES;
}

function unavailable(reason: string): AppError {
  return new AppError('unavailable', 'the document could not be read just now', { cause: new Error(reason) });
}
