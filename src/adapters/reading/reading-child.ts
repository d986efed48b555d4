import { type ChildProcess, spawn } from 'node:child_process';
import { childEntry } from '../processes/child-entry.js';
import { expendable } from '../processes/expendable.js';
import { MemoryWatch } from '../processes/memory-watch.js';
import { type ReadingReply, type ReadingRequest, type ReadingResult, replyFrom } from './reading-protocol.js';

/** How the work of a process ended. */
export type ReadingEnd =
  | ReadingResult
  /** It was killed from here. `stopped` is the wish of whoever listens. */
  | { readonly kind: 'too_much_memory' | 'stopped' }
  | { readonly kind: 'too_slow'; readonly afterMs: number }
  | ReadingDeath;

/** It ended without a result. */
export interface ReadingDeath {
  readonly kind: 'died';
  /** Whether it came as far as beginning its work. */
  readonly started: boolean;
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly peakBytes: number;
  /** The end of what it wrote to its error output, for the log. */
  readonly lastWords: string;
}

export interface ReadingWatch {
  readonly memoryBytes: number;
  readonly withinMs: number;
  readonly signal: AbortSignal;
  /** Hears every piece; false ends the process. */
  readonly onBlocks: (blocks: ReadingBlocks) => boolean;
}

type ReadingBlocks = Extract<ReadingReply, { kind: 'blocks' }>['blocks'];

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
export function runReading(request: ReadingRequest, watch: ReadingWatch): Promise<ReadingEnd> {
  return new ReadingChild(startProcess(), watch).run(request);
}

class ReadingChild {
  private end: ReadingEnd | null = null;
  private started = false;
  private lastWords = '';
  private readonly memory: MemoryWatch;

  constructor(
    private readonly child: ChildProcess,
    private readonly watch: ReadingWatch,
  ) {
    this.memory = new MemoryWatch(child.pid ?? 0, watch.memoryBytes, () => {
      this.finish({ kind: 'too_much_memory' });
    });
  }

  async run(request: ReadingRequest): Promise<ReadingEnd> {
    const { child, watch } = this;
    const stop = (): void => {
      this.finish({ kind: 'stopped' });
    };
    const timer = setTimeout(() => {
      this.finish({ kind: 'too_slow', afterMs: watch.withinMs });
    }, watch.withinMs);
    watch.signal.addEventListener('abort', stop, { once: true });
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
    watch.signal.removeEventListener('abort', stop);
    return this.end ?? this.death(code, signal);
  }

  private hear(reply: ReadingReply | null): void {
    if (this.end !== null) return;
    if (reply === null) this.finish({ kind: 'failed', reason: 'the process sent what is no reply' });
    else if (reply.kind === 'started') this.started = true;
    else if (reply.kind !== 'blocks') this.finish(reply);
    else if (!this.watch.onBlocks(reply.blocks)) this.finish({ kind: 'stopped' });
  }

  /** The first end counts; then the process has no more to do. */
  private finish(end: ReadingEnd): void {
    this.end ??= end;
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

/** Resolves when nothing more will be heard: the process is gone, and what it had sent has arrived. */
function endOf(child: ChildProcess): Promise<[code: number | null, signal: NodeJS.Signals | null]> {
  return new Promise((resolve) => {
    // Of a process that could not be started there is no `close`.
    child.once('error', () => {
      if (child.pid === undefined) resolve([null, null]);
    });
    child.once('close', (code, signal) => {
      resolve([code, signal]);
    });
  });
}
