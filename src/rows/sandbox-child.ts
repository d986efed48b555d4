import { type ChildProcess, spawn } from 'node:child_process';
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { childEntry } from '../adapters/processes/child-entry.js';
import { expendable, yielding } from '../adapters/processes/expendable.js';
import { MemoryWatch } from '../adapters/processes/memory-watch.js';
import { RESULT_FILE, type SandboxReply, type SandboxRequest } from './sandbox-protocol.js';

/**
 * Address space beside the memory that it may take: node maps 1,000 to 1,500 MB that it never touches. The limit bounds functions that the
 * engine's own does not, also while nobody comes to look at the process.
 */
const UNUSED_MB = 1800;
const MIB = 1024 ** 2;
/** How the folder of each process begins. */
export const SANDBOX_FOLDER = 'sandbox-';
const LAST_WORDS = 2000;
const START_MS = 20_000;
/** How long after its time a statement is waited for before its process is killed. */
const KILL_AFTER_MS = 2000;

/**
 * Sets the limit and becomes node. Any POSIX shell on Linux can do it (bash, dash, busybox), so that `sh` is enough; where the
 * system has no such limit (macOS), the child still has the engine's memory limit, node's heap limit and the time limit.
 */
const LIMITED = 'ulimit -v "$1" 2>/dev/null; shift; exec "$@"';

const ENTRY = childEntry(import.meta.url, './sandbox.process');

export type SandboxOutcome = Exclude<SandboxReply, { kind: 'ready' }> | { readonly kind: 'died' };

/** The side of the service of one sandbox process. It runs one statement at a time. */
export class SandboxChild {
  /** Resolves when the process is gone, and what it spilled with it. */
  readonly ended: Promise<void>;
  /** Which rows it has opened; null as long as it has none. */
  private rows: string | null = null;
  private listener: ((reply: SandboxReply | null) => void) | null = null;
  private readonly started: Promise<boolean>;
  private lastWords = '';

  private constructor(
    private readonly child: ChildProcess,
    private readonly memoryMb: number,
    private readonly tempDir: string,
  ) {
    this.started = this.next(START_MS).then((reply) => reply !== null && reply !== 'late');
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.lastWords = (this.lastWords + text).slice(-LAST_WORDS);
    });
    child.on('message', (reply: SandboxReply) => this.listener?.(reply));
    this.ended = endOf(child).then(() => {
      this.listener?.(null);
      // What is left there harms nobody, and must not fail a request.
      return rm(tempDir, { recursive: true, force: true }).catch(() => undefined);
    });
  }

  static async start(tempDir: string, memoryMb: number): Promise<SandboxChild> {
    const own = await mkdtemp(join(tempDir, SANDBOX_FOLDER));
    const addressKib = (UNUSED_MB + memoryMb) * 1024;
    const child = spawn('sh', ['-c', LIMITED, 'sandbox', String(addressKib), ...commandFor(own, memoryMb)], {
      cwd: own,
      // Nothing of the service's environment: it holds secrets.
      // Two arenas of malloc, because each thread's own would take address space from the statement.
      env: { PATH: '/usr/local/bin:/usr/bin:/bin', TZ: 'UTC', MALLOC_ARENA_MAX: '2' },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    expendable(child, 'stranger');
    yielding(child);
    return new SandboxChild(child, memoryMb, own);
  }

  get opened(): string | null {
    return this.rows;
  }

  /** What it wrote to its error output, for the log. */
  get said(): string {
    return this.lastWords;
  }

  get isAlive(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null && this.child.connected;
  }

  /**
   * The signal kills the process, and so does more memory than it may take.
   *
   * @returns null when the process never came up
   */
  async run(rows: string, request: SandboxRequest, cut: AbortSignal): Promise<SandboxOutcome | null> {
    cut.addEventListener('abort', this.kill);
    const memory = new MemoryWatch(this.child.pid ?? 0, this.memoryMb * MIB, this.kill);
    try {
      return await this.outcome(rows, request);
    } finally {
      memory.stop();
      cut.removeEventListener('abort', this.kill);
    }
  }

  /** The result that was written, for its last reader: the file has no name any more. */
  async takeFile(): Promise<FileHandle> {
    const path = join(this.tempDir, RESULT_FILE);
    const file = await open(path);
    await rm(path);
    return file;
  }

  readonly kill = (): void => {
    this.child.kill('SIGKILL');
  };

  private async outcome(rows: string, request: SandboxRequest): Promise<SandboxOutcome | null> {
    if (!(await this.started)) return null;
    this.rows = rows;
    const waiting = this.next(request.timeoutMs + KILL_AFTER_MS);
    // A failure to send is the end of the process, which `waiting` hears of.
    if (this.isAlive) this.child.send(request, () => undefined);
    const reply = await waiting;
    if (reply === 'late') return { kind: 'timed_out' };
    return reply === null || reply.kind === 'ready' ? { kind: 'died' } : reply;
  }

  /** The next message; null when the process ends, and `late` when there is none in time, after which it is killed. */
  private next(withinMs: number): Promise<SandboxReply | 'late' | null> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.listener = null;
        this.kill();
        resolve('late');
      }, withinMs);
      this.listener = (reply) => {
        clearTimeout(timer);
        this.listener = null;
        resolve(reply);
      };
      if (!this.isAlive) this.listener(null);
    });
  }
}

function commandFor(tempDir: string, memoryMb: number): readonly string[] {
  // WebAssembly, which loaders use, otherwise reserves more address space than there is.
  const limits = ['--max-old-space-size=256', '--disable-wasm-trap-handler', '--wasm-max-mem-pages=1024'];
  return [process.execPath, ...ENTRY.execArgv, ...limits, ENTRY.path, tempDir, String(memoryMb)];
}

/** Also of a process that could not be started, of which there is no `exit`. */
function endOf(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('error', () => {
      resolve();
    });
    child.once('exit', () => {
      resolve();
    });
  });
}
