import { type ChildProcess, spawn } from 'node:child_process';
import { Injectable } from '@nestjs/common';
import {
  type DocumentBlock,
  DocumentReader,
  type DocumentType,
  type RecognisedDocument,
} from '../../ports/document-reader.js';
import { AppError } from '../../shared/app-error.js';
import { KeyedSemaphore } from '../../shared/keyed-semaphore.js';
import { COULD_NOT_BE_READ, NEEDS_TOO_MUCH_MEMORY, READING_LIMITS, type ReadingLimits } from './reading-limits.js';
import { recogniseAtAGlance } from './recognise-at-a-glance.js';
import { childEntry } from '../processes/child-entry.js';
import { type ChildEnd, WatchedChild } from '../processes/one-order.js';
import { type ReadingRequest, type ReadingResult, replyFrom } from './reading-protocol.js';

/**
 * A process for each document, watched from outside and killed when it breaks a limit. What this process itself does with a
 * stranger's bytes is to compare the first ones.
 */
@Injectable()
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
    const end = await readingOf({ kind: 'look', path, limits }, { afterMs: limits.lookMs, tooLate });
    if (end.kind !== 'recognised') throw failureOf(end);
    return end.document;
  }

  private async readNow(path: string, type: DocumentType, signal: AbortSignal): Promise<readonly DocumentBlock[]> {
    const { limits } = this;
    const blocks: DocumentBlock[] = [];
    let characters = 0;
    // The process that sends them counts as well, but is not trusted to.
    const onBlocks = (piece: readonly DocumentBlock[]): boolean => {
      for (const block of piece) {
        characters += block.text.length;
        blocks.push(block);
      }
      return characters <= limits.characters && blocks.length <= limits.blocks;
    };
    const tooLate = refused(`reading the document took longer than ${limits.readMs / 1000} seconds`);
    const watch = { afterMs: limits.readMs, tooLate, onBlocks, signal };
    const end = await readingOf({ kind: 'read', path, type, limits }, watch);
    if (end.kind !== 'finished' || blocks.length === 0) throw failureOf(end);
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
  readonly onBlocks?: (blocks: readonly DocumentBlock[]) => boolean;
  readonly signal?: AbortSignal;
}

/**
 * Starts a process for one document, listens to it until it has a result, breaks a limit or dies, and settles when it is gone.
 *
 * @throws AppError `invalid_input` when the document is too much for it, `unavailable`; the signal's reason when aborted.
 */
async function readingOf(request: ReadingRequest, watch: ReadingWatch): Promise<ReadingResult> {
  const { memoryBytes } = request.limits;
  const reader = startProcess();
  const child = new WatchedChild(reader, {
    memoryBytes,
    tooMuchMemory: refused(NEEDS_TOO_MUCH_MEMORY),
    signal: watch.signal,
  });
  child.endAfter(watch.afterMs, watch.tooLate);
  const heard: Heard = { started: false, result: null, lastWords: '' };
  reader.stderr?.setEncoding('utf8').on('data', (text: string) => {
    heard.lastWords = (heard.lastWords + text).slice(-LAST_WORDS);
  });
  reader.on('message', (message) => {
    if (heard.result !== null || child.ended !== null) return;
    const reply = replyFrom(message);
    if (reply === null) child.end(unavailable('the process sent what is no reply'));
    else if (reply.kind === 'started') heard.started = true;
    else if (reply.kind !== 'blocks') {
      heard.result = reply;
      // It has no more to do.
      reader.kill('SIGKILL');
    } else if (watch.onBlocks?.(reply.blocks) !== true) child.end(refused(COULD_NOT_BE_READ));
  });
  // A failure to send is the end of the process, which is heard of anyway.
  reader.send(request, () => undefined);
  const end = await child.gone;
  watch.signal?.throwIfAborted();
  if (heard.result !== null) return heard.result;
  if (child.ended !== null) throw child.ended.reason;
  throw failureOfDeath(heard, end, memoryBytes);
}

interface Heard {
  /** It came as far as beginning its work. */
  started: boolean;
  result: ReadingResult | null;
  /** The end of what it wrote to its error output, for the log. */
  lastWords: string;
}

/** What a result means to whoever expected another. */
function failureOf(end: ReadingResult): AppError {
  if (end.kind === 'refused') return refused(end.reason);
  return unavailable(end.kind === 'failed' ? end.reason : `the process said ${end.kind} without having done it`);
}

function failureOfDeath(
  { started, lastWords }: Heard,
  { code, signal, peakBytes }: ChildEnd,
  mostBytes: number,
): AppError {
  const cause = new Error(`the process ended (${signal ?? code ?? 'never started'}): ${lastWords}`);
  if (!started) return unavailable(cause.message);
  const isFull = peakBytes > mostBytes * MUCH_MEMORY || code === ABORT_CODE || OUT_OF_MEMORY_SIGNALS.test(signal ?? '');
  if (isFull) return refused(NEEDS_TOO_MUCH_MEMORY, cause);
  // What a process brings upon itself, it would again.
  const isOwn = OWN_SIGNALS.test(signal ?? '') || (code ?? 0) > SIGNAL_CODES;
  return isOwn ? refused(COULD_NOT_BE_READ, cause) : unavailable(cause.message);
}

function refused(reason: string, cause?: Error): AppError {
  return new AppError('invalid_input', reason, { cause });
}

function unavailable(reason: string): AppError {
  return new AppError('unavailable', 'the document could not be read just now', { cause: new Error(reason) });
}

function startProcess(): ChildProcess {
  const { path, execArgv } = childEntry(import.meta.url, './reading.process');
  const command = [process.execPath, ...execArgv, `--max-old-space-size=${MAX_HEAP_MEGABYTES}`, path];
  return spawn('sh', ['-c', LIMITED, 'reading', ...command], {
    // Nothing of the service's environment: it holds secrets.
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', TZ: 'UTC', MALLOC_ARENA_MAX: '2' },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    serialization: 'advanced',
  });
}
