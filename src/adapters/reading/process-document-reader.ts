import { type ChildProcess, spawn } from 'node:child_process';
import { z } from 'zod';
import {
  DOCUMENT_TYPES,
  type DocumentBlock,
  DocumentReader,
  type DocumentType,
  type RecognisedDocument,
} from '../../ports/document-reader.js';
import { AppError, isAppError, messageOf } from '../../shared/app-error.js';
import { KeyedSemaphore } from '../../shared/keyed-semaphore.js';
import {
  COULD_NOT_BE_READ,
  NEEDS_TOO_MUCH_MEMORY,
  READING_LIMITS,
  type ReadingLimits,
  refused,
} from './reading-limits.js';
import { recogniseAtAGlance } from './recognise-at-a-glance.js';
import { childEntry } from '../processes/child-entry.js';
import { type ChildEnd, WatchedChild } from '../processes/one-order.js';

/**
 * A process for each document, watched from outside and killed when it breaks a limit. What this process itself does with a
 * stranger's bytes is to compare the first ones.
 */
export class ProcessDocumentReader extends DocumentReader {
  private readonly limits: ReadingLimits;
  private readonly reads: KeyedSemaphore;
  private readonly looks: KeyedSemaphore;

  constructor(limits: Partial<ReadingLimits> = {}) {
    super();
    this.limits = { ...READING_LIMITS, ...limits };
    this.reads = new KeyedSemaphore(this.limits.documentsAtOnce);
    this.looks = new KeyedSemaphore(this.limits.looksAtOnce);
  }

  override async recognise(path: string): Promise<RecognisedDocument> {
    return (await recogniseAtAGlance(path)) ?? this.looks.run('', () => this.look(path));
  }

  override read(path: string, type: DocumentType, signal: AbortSignal): Promise<readonly DocumentBlock[]> {
    return this.reads.run('', () => this.readNow(path, type, signal), signal);
  }

  private async look(path: string): Promise<RecognisedDocument> {
    const { limits } = this;
    // A look is short, so that it is the machine that was slow, not the file.
    const tooLate = unavailable('the look took too long');
    const outcome = await readingOf({ kind: 'look', path, limits }, { afterMs: limits.lookMs, tooLate });
    if (outcome === null) throw unavailable('the process said that it has read what it was to look at');
    return outcome;
  }

  private async readNow(path: string, type: DocumentType, signal: AbortSignal): Promise<readonly DocumentBlock[]> {
    const { limits } = this;
    const blocks: DocumentBlock[] = [];
    let characters = 0;
    // The process that sends them counts as well, but is not trusted to.
    const onPiece = (piece: ReadPiece): boolean => {
      for (const block of piece) {
        characters += block.text.length;
        blocks.push(block);
      }
      return characters <= limits.characters && blocks.length <= limits.blocks;
    };
    const tooLate = refused(`reading the document took longer than ${limits.readMs / 1000} seconds`);
    await readingOf({ kind: 'read', path, type, limits }, { afterMs: limits.readMs, tooLate, onPiece, signal });
    signal.throwIfAborted();
    if (blocks.length === 0) throw unavailable('the process said that it is done, and has sent nothing');
    return blocks;
  }
}

/** Signals that a process brings upon itself. */
const OWN_SIGNALS = /^SIG(?:ABRT|TRAP|SEGV|BUS|ILL|FPE|SYS|XFSZ)$/;
/** When it ran out of memory, the engine ends like this. */
const OUT_OF_MEMORY_SIGNALS = /^SIG(?:ABRT|TRAP)$/;
const SIGNAL_CODES = 128;
const ABORT_CODE = 134;
/** From here on, memory is the likeliest reason of a sudden end: the watch looks only now and then. */
const MUCH_MEMORY = 0.7;
const LAST_WORDS = 2000;
/** Of objects; byte buffers come on top, up to the limit of the whole process. */
const MAX_HEAP_MEGABYTES = 448;
/** Sets limits and becomes node: it writes no files, and leaves no image of its memory, which holds a stranger's document. */
const LIMITED = 'ulimit -c 0; ulimit -f 0; exec "$@"';

interface ReadingWatch {
  readonly afterMs: number;
  /** Why it ends when it has no result by then. */
  readonly tooLate: AppError;
  /** Hears every piece; false ends the process. */
  readonly onPiece?: (piece: ReadPiece) => boolean;
  readonly signal?: AbortSignal;
}

/**
 * Starts a process for one document, listens to it until it is done, breaks a limit or dies, and settles when it is gone.
 *
 * @throws AppError `invalid_input` when the document is at fault or too much for it, `unavailable`; the signal's reason when aborted.
 */
async function readingOf(order: ReadingOrder, watch: ReadingWatch): Promise<ReadingOutcome> {
  const { memoryBytes } = order.limits;
  const reader = startProcess();
  const child = new WatchedChild(reader, {
    memoryBytes,
    tooMuchMemory: refused(NEEDS_TOO_MUCH_MEMORY),
    signal: watch.signal,
  });
  child.endAfter(watch.afterMs, watch.tooLate);
  let hasBegun = false;
  let lastWords = '';
  reader.stderr?.setEncoding('utf8').on('data', (text: string) => {
    lastWords = (lastWords + text).slice(-LAST_WORDS);
  });
  try {
    return await child.work<ReadPiece, ReadingOutcome>(order, {
      // A process that has read a stranger's bytes is not trusted either: its messages are built anew from what they must be made of.
      messageFrom: (sent) => messageSchema.safeParse(sent).data ?? null,
      onTold: (piece) => {
        hasBegun = true;
        if (watch.onPiece?.(piece) === false) child.end(refused(COULD_NOT_BE_READ));
      },
      died: (end) => failureOfDeath(end, memoryBytes, hasBegun, lastWords),
    });
  } catch (error) {
    watch.signal?.throwIfAborted();
    throw isAppError(error) ? error : unavailable(messageOf(error));
  }
}

function failureOfDeath(
  { code, signal, peakBytes }: ChildEnd,
  memoryBytes: number,
  hasBegun: boolean,
  lastWords: string,
): AppError {
  const cause = new Error(`the process ended (${signal ?? code ?? 'never started'}): ${lastWords}`);
  if (!hasBegun) return unavailable(cause.message);
  const isFull =
    peakBytes > memoryBytes * MUCH_MEMORY || code === ABORT_CODE || OUT_OF_MEMORY_SIGNALS.test(signal ?? '');
  if (isFull) return refused(NEEDS_TOO_MUCH_MEMORY, cause);
  // What a process brings upon itself, it would again.
  const isOwn = OWN_SIGNALS.test(signal ?? '') || (code ?? 0) > SIGNAL_CODES;
  return isOwn ? refused(COULD_NOT_BE_READ, cause) : unavailable(cause.message);
}

function unavailable(reason: string): AppError {
  return new AppError('unavailable', 'the document could not be read just now', { cause: new Error(reason) });
}

function startProcess(): ChildProcess {
  const { path, execArgv } = childEntry(import.meta.url, './document-reader.process');
  const command = [process.execPath, ...execArgv, `--max-old-space-size=${MAX_HEAP_MEGABYTES}`, path];
  return spawn('sh', ['-c', LIMITED, 'reading', ...command], {
    // Nothing of the service's environment: it holds secrets.
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', TZ: 'UTC', MALLOC_ARENA_MAX: '2' },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    serialization: 'advanced',
  });
}

/** What a process is started for; it gets one of these and no other message. */
export type ReadingOrder = { readonly path: string; readonly limits: ReadingLimits } & (
  | { readonly kind: 'look' }
  | { readonly kind: 'read'; readonly type: DocumentType }
);

/** First an empty piece, which says that the work has begun, then those that are read. */
export type ReadPiece = readonly DocumentBlock[];
/** What a look has recognised; null: it is read. */
export type ReadingOutcome = RecognisedDocument | null;

const LONGEST_TEXT = 500;
const shortText = z.string().transform((text) => text.slice(0, LONGEST_TEXT));
const blockSchema = z.object({
  text: z.string().min(1),
  page: z.int().positive().nullable(),
  heading: z.string().nullable(),
});
const documentSchema = z.discriminatedUnion('supported', [
  z.object({ supported: z.literal(true), type: z.enum(DOCUMENT_TYPES) }),
  z.object({ supported: z.literal(false), mediaType: shortText }),
]);
const messageSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('told'), told: z.array(blockSchema).transform(withSharedHeadings) }),
  z.object({ kind: z.literal('done'), outcome: documentSchema.nullable() }),
  z.object({ kind: z.literal('failed'), error: z.literal('invalid_input').nullable(), message: shortText }),
]);

/** Most blocks stand under the same heading as the one before: they share its text instead of having a copy each. */
function withSharedHeadings(blocks: readonly DocumentBlock[]): readonly DocumentBlock[] {
  let last: string | null = null;
  return blocks.map((block) => {
    if (block.heading !== last) last = block.heading;
    return { ...block, heading: last };
  });
}
