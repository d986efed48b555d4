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
import { type ChildProcess, spawn } from 'node:child_process';
import { childEntry } from '../processes/child-entry.js';
import { endOf, expendable } from '../processes/expendable.js';
import { MemoryWatch } from '../processes/memory-watch.js';
import { type ReadingReply, type ReadingRequest, type ReadingResult, replyFrom } from './reading-protocol.js';

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
    const end = await runReading({ kind: 'look', path, limits }, () => false);
    // A look is short, so that it is the machine that was slow, not the file.
    if (end.kind === 'too_slow') throw failureOf({ kind: 'failed', reason: 'the look took too long' }, limits);
    if (end.kind !== 'recognised') throw failureOf(end, limits);
    return end.document;
  }

  private async readNow(path: string, type: DocumentType, signal: AbortSignal): Promise<readonly DocumentBlock[]> {
    const { limits } = this;
    const blocks: DocumentBlock[] = [];
    let characters = 0;
    // The process that sends them counts as well, but is not trusted to.
    const take = (piece: readonly DocumentBlock[]): boolean => {
      for (const block of piece) {
        characters += block.text.length;
        blocks.push(block);
      }
      return characters <= limits.characters && blocks.length <= limits.blocks;
    };
    const end = await runReading({ kind: 'read', path, type, limits }, take, signal);
    signal.throwIfAborted();
    if (end.kind !== 'finished' || blocks.length === 0) throw failureOf(end, limits);
    return blocks;
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

/** How the work of a process ended. */
type ReadingEnd =
  | ReadingResult
  /** It was killed from here. `stopped` is the wish of whoever listens. */
  | { readonly kind: 'too_much_memory' | 'stopped' }
  | { readonly kind: 'too_slow'; readonly afterMs: number }
  | ReadingDeath;

/** It ended without a result. */
interface ReadingDeath {
  readonly kind: 'died';
  /** Whether it came as far as beginning its work. */
  readonly started: boolean;
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly peakBytes: number;
  /** The end of what it wrote to its error output, for the log. */
  readonly lastWords: string;
}

/** Hears every piece; false ends the process. */
type OnBlocks = (blocks: readonly DocumentBlock[]) => boolean;

const ENTRY = childEntry(import.meta.url, './reading.process');
const LAST_WORDS = 2000;
/** Of objects; byte buffers come on top, up to the limit of the whole process. */
const MAX_HEAP_MEGABYTES = 448;
/** Sets limits and becomes node: it writes no files, and leaves no image of its memory, which holds a stranger's document. */
const LIMITED = 'ulimit -c 0; ulimit -f 0; exec "$@"';

/**
 * Starts a process for one document, listens to it until it has a result, breaks a limit or dies, and resolves when it is gone.
 * Never rejects.
 */
function runReading(request: ReadingRequest, onBlocks: OnBlocks, signal?: AbortSignal): Promise<ReadingEnd> {
  return new ReadingChild(startProcess(), request, onBlocks).end(signal);
}

class ReadingChild {
  private result: ReadingEnd | null = null;
  private started = false;
  private lastWords = '';
  private readonly memory: MemoryWatch;

  constructor(
    private readonly child: ChildProcess,
    private readonly request: ReadingRequest,
    private readonly onBlocks: OnBlocks,
  ) {
    this.memory = new MemoryWatch(child.pid ?? 0, request.limits.memoryBytes, () => {
      this.finish({ kind: 'too_much_memory' });
    });
  }

  async end(stopped: AbortSignal | undefined): Promise<ReadingEnd> {
    const { child, request } = this;
    const stop = (): void => {
      this.finish({ kind: 'stopped' });
    };
    const afterMs = request.kind === 'look' ? request.limits.lookMs : request.limits.readMs;
    const timer = setTimeout(() => {
      this.finish({ kind: 'too_slow', afterMs });
    }, afterMs);
    stopped?.addEventListener('abort', stop, { once: true });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.lastWords = (this.lastWords + text).slice(-LAST_WORDS);
    });
    child.on('message', (message) => {
      this.hear(replyFrom(message));
    });
    // A failure to send is the end of the process, which is heard of anyway.
    child.send(request, () => undefined);
    const [code, signal] = await endOf(child);
    clearTimeout(timer);
    this.memory.stop();
    stopped?.removeEventListener('abort', stop);
    return this.result ?? this.death(code, signal);
  }

  private hear(reply: ReadingReply | null): void {
    if (this.result !== null) return;
    if (reply === null) this.finish({ kind: 'failed', reason: 'the process sent what is no reply' });
    else if (reply.kind === 'started') this.started = true;
    else if (reply.kind !== 'blocks') this.finish(reply);
    else if (!this.onBlocks(reply.blocks)) this.finish({ kind: 'stopped' });
  }

  /** The first end counts; then the process has no more to do. */
  private finish(end: ReadingEnd): void {
    this.result ??= end;
    this.child.kill('SIGKILL');
  }

  private death(code: number | null, signal: NodeJS.Signals | null): ReadingDeath {
    const { started, lastWords } = this;
    return { kind: 'died', started, code, signal, peakBytes: this.memory.peakBytes, lastWords };
  }
}

function startProcess(): ChildProcess {
  const command = [process.execPath, ...ENTRY.execArgv, `--max-old-space-size=${MAX_HEAP_MEGABYTES}`, ENTRY.path];
  const child = spawn('sh', ['-c', LIMITED, 'reading', ...command], {
    // Nothing of the service's environment: it holds secrets.
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', TZ: 'UTC', MALLOC_ARENA_MAX: '2' },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    serialization: 'advanced',
  });
  expendable(child, 'stranger');
  return child;
}
