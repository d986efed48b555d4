import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type FileHandle, mkdtemp, open, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { childEntry } from '../../adapters/processes/child-entry.js';
import { expendable, yielding } from '../../adapters/processes/expendable.js';
import { MemoryWatch } from '../../adapters/processes/memory-watch.js';
import type { FileFormat, PageLimits, ResultPage } from '../../ports/row-downloads.js';
import type { QueryLimits, QueryResult, TableRef } from '../../ports/table.js';
import { AppError, isAppError } from '../../shared/app-error.js';
import { FairTurns } from '../../shared/fair-turns.js';
import { within } from '../../shared/within.js';
import { damagedRows, isDamage } from '../process-error.js';
import { withoutLeftovers } from '../row-files.js';
import {
  OUT_OF_MEMORY,
  RESULT_FILE,
  type SandboxReply,
  type SandboxRequest,
  type SandboxRows,
  type SandboxTable,
} from './sandbox-protocol.js';

const TURNS = { atOnce: 4, mostWaiting: 64, graceMs: 1000 };
const MEMORY_MB = 1024;
const RETRY_AFTER_S = 2;

/** Of a result that is written as a file. */
const FILE_MS = 120_000;
const NEVER = new AbortController().signal;
/** After these nothing is wrong with the process. */
const REUSABLE: ReadonlySet<SandboxOutcome['kind']> = new Set(['rows', 'written', 'refused'] as const);

/** A table's rows, in files, and those of tables that it may be joined with. */
export interface SandboxedRows {
  readonly table: TableRef;
  readonly tables: readonly SandboxTable[];
}

interface Ran {
  readonly outcome: SandboxOutcome;
  /** Of a result that was written. */
  readonly file: FileHandle | null;
}

interface SandboxOptions {
  /** A directory for what statements spill; each process has one of its own in it. */
  readonly tempDir: string;
  /** Statements that run at once. */
  readonly atOnce?: number;
  /** Of each process, which is ended when it takes more. */
  readonly memoryMb?: number;
}

/**
 * Runs statements that a model or a person wrote, each in a process that sees the datasources that it is about and can be killed. A process is
 * used again only for the same rows, and only while nothing went wrong in it; another stands by, started before it is needed.
 */
export class SandboxPool {
  private readonly atOnce: number;
  private readonly memoryMb: number;
  private readonly turns: FairTurns;
  private readonly all = new Set<SandboxChild>();
  private idle: readonly SandboxChild[] = [];
  private warming = false;
  private cleaned: Promise<void> | null = null;
  private stopped = false;

  constructor(private readonly options: SandboxOptions) {
    this.atOnce = options.atOnce ?? TURNS.atOnce;
    this.memoryMb = options.memoryMb ?? MEMORY_MB;
    this.turns = new FairTurns({ ...TURNS, atOnce: this.atOnce });
  }

  /** How many processes there are now, at work or standing by. */
  get processes(): number {
    return this.all.size;
  }

  /**
   * @throws AppError `invalid_input` when the statement is wrong or not allowed, `timed_out`, and `unavailable` when too many
   *   are waiting or the rows can't be opened
   */
  async query(rows: SandboxedRows, statement: string, limits: QueryLimits): Promise<QueryResult> {
    const { outcome } = await this.ask(rows, { statement, ...limits, output: { kind: 'first' } }, NEVER);
    return { ...rowsOf(outcome, limits), dbquery: statement.trim() };
  }

  /** @throws as `query` */
  async page(rows: SandboxedRows, statement: string, { signal, skip, ...limits }: PageLimits): Promise<ResultPage> {
    const { outcome } = await this.ask(rows, { statement, ...limits, output: { kind: 'page', skip } }, signal);
    const { columns, rows: page, total = 0, rowsScanned, joins } = rowsOf(outcome, limits);
    return { columns, rows: page, total, rowsScanned, joins };
  }

  /** All rows as a file. @throws as `query` */
  async file(rows: SandboxedRows, statement: string, format: FileFormat, signal: AbortSignal): Promise<Readable> {
    const limits = { maxRows: 0, timeoutMs: FILE_MS };
    const { outcome, file } = await this.ask(rows, { statement, ...limits, output: { kind: 'file', format } }, signal);
    if (file !== null) return file.createReadStream();
    rowsOf(outcome, limits);
    throw unreadable(outcome.kind);
  }

  private async ask(
    { table, tables }: SandboxedRows,
    { statement, ...asked }: Pick<SandboxRequest, 'statement' | 'maxRows' | 'timeoutMs' | 'output'>,
    signal: AbortSignal,
  ): Promise<Ran> {
    using turn = await this.turns.take(table.companyId, asked.timeoutMs);
    try {
      const relations = table.joinable?.relations ?? [];
      const request = { tables, relations, statement: statement.trim(), ...asked };
      return await this.run(request, AbortSignal.any([turn.cut, signal]));
    } catch (error) {
      throw isAppError(error) ? error : unreadable(error);
    }
  }

  /** Starts a process to stand by, so that the next statement does not wait for one. */
  async warm(): Promise<void> {
    if (this.warming || this.idle.some((child) => child.opened === null && child.isAlive)) return;
    this.warming = true;
    try {
      this.keep(await this.start());
    } finally {
      this.warming = false;
    }
  }

  /** Ends every process; what runs or waits fails. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.turns.close();
    for (const child of this.all) child.kill();
    await Promise.all([...this.all].map((child) => child.ended));
  }

  private async run(request: SandboxRequest, cut: AbortSignal): Promise<Ran> {
    cut.throwIfAborted();
    const rows = await rowsIn(request.tables);
    const child = this.taken(rows) ?? (await this.start());
    // If none can be started now, the next statement tries again and says so.
    void this.warm().catch(() => undefined);
    const outcome = await child.run(rows, request, cut);
    cut.throwIfAborted();
    const file = outcome?.kind === 'written' ? await child.takeFile() : null;
    if (outcome !== null && REUSABLE.has(outcome.kind)) this.keep(child);
    else child.kill();
    if (outcome !== null && !this.stopped) return { outcome, file };
    await file?.close();
    throw new AppError('unavailable', 'no query can be run now', { cause: child.said, retryAfter: RETRY_AFTER_S });
  }

  /** One that has these rows open, else one that has none. */
  private taken(rows: string): SandboxChild | null {
    const alive = this.idle.filter((child) => child.isAlive);
    const child = alive.find(({ opened }) => opened === rows) ?? alive.find(({ opened }) => opened === null) ?? null;
    const [others, standingBy] = parted(alive, (other) => other !== child && other.opened !== null);
    // Those that work have all the memory there is for sandboxes.
    const isFull = this.all.size > this.atOnce;
    if (isFull) for (const other of others) other.kill();
    this.idle = [...standingBy.filter((other) => other !== child), ...(isFull ? [] : others)];
    return child;
  }

  /** One that stands by and the one used last are kept. */
  private keep(child: SandboxChild): void {
    const standsBy = child.opened === null;
    const [replaced, others] = parted(this.idle, (other) => (other.opened === null) === standsBy);
    for (const other of replaced) other.kill();
    if (this.stopped) child.kill();
    this.idle = this.stopped ? [] : [...others, child];
  }

  private async start(): Promise<SandboxChild> {
    this.cleaned ??= withoutLeftovers(this.options.tempDir, SANDBOX_FOLDER).catch((error: unknown) => {
      this.cleaned = null;
      throw error;
    });
    await this.cleaned;
    const child = await SandboxChild.start(this.options.tempDir, this.memoryMb);
    this.all.add(child);
    void child.ended.then(() => this.all.delete(child));
    if (this.stopped) child.kill();
    return child;
  }
}

/** What the files are and not only what they are called: an import that runs again replaces a file by one of its name. */
async function rowsIn(tables: readonly SandboxTable[]): Promise<string> {
  const paths = tables.flatMap(({ name, basePath, deltaPath }) => [name, basePath, deltaPath]);
  const named = tables.flatMap(({ basePath, deltaPath }) => [basePath, ...(deltaPath === null ? [] : [deltaPath])]);
  const files = await Promise.all(named.map((path) => stat(path, { bigint: true })));
  return JSON.stringify([paths, files.map(({ ino, mtimeNs }) => `${ino} ${mtimeNs}`)]);
}

function parted<T>(list: readonly T[], claim: (entry: T) => boolean): readonly [readonly T[], readonly T[]] {
  return [list.filter(claim), list.filter((entry) => !claim(entry))];
}

function rowsOf(outcome: SandboxOutcome, limits: QueryLimits): SandboxRows {
  switch (outcome.kind) {
    case 'rows':
      return outcome.result;
    case 'refused':
    case 'failed':
      throw new AppError('invalid_input', outcome.message);
    case 'died':
      // The limits of the process end it only when the engine could not end the statement in order.
      throw new AppError('invalid_input', OUT_OF_MEMORY);
    case 'written':
      throw unreadable('a file where rows were wanted');
    case 'timed_out':
      throw new AppError('timed_out', `the query took longer than ${limits.timeoutMs / 1000} seconds and was stopped`);
    case 'unavailable':
      if (isDamage(outcome.message)) throw damagedRows(outcome.message);
      throw unreadable(outcome.message);
  }
}

function unreadable(cause: unknown): AppError {
  return new AppError('unavailable', 'the rows can not be read now', { cause, retryAfter: RETRY_AFTER_S });
}

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

type SandboxOutcome = Exclude<SandboxReply, { kind: 'ready' }> | { readonly kind: 'died' };

/** The side of the service of one sandbox process. It runs one statement at a time. */
class SandboxChild {
  /** Resolves when the process is gone, and what it spilled with it. */
  readonly ended: Promise<void>;
  /** Which rows it has opened; null as long as it has none. */
  opened: string | null = null;
  private listener: ((reply: SandboxReply | null) => void) | null = null;
  private readonly started: Promise<boolean>;
  /** What it wrote to its error output, for the log. */
  said = '';

  private constructor(
    private readonly child: ChildProcess,
    private readonly memoryMb: number,
    private readonly tempDir: string,
  ) {
    this.started = this.next(START_MS).then((reply) => reply !== null && reply !== 'late');
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.said = (this.said + text).slice(-LAST_WORDS);
    });
    child.on('message', (reply: SandboxReply) => this.listener?.(reply));
    // Of a process that could not be started there is no `exit`, but an error.
    const gone = once(child, 'exit').catch(() => undefined);
    this.ended = gone.then(() => {
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
    this.opened = rows;
    const waiting = this.next(request.timeoutMs + KILL_AFTER_MS);
    // A failure to send is the end of the process, which `waiting` hears of.
    if (this.isAlive) this.child.send(request, () => undefined);
    const reply = await waiting;
    if (reply === 'late') return { kind: 'timed_out' };
    return reply === null || reply.kind === 'ready' ? { kind: 'died' } : reply;
  }

  /** The next message; null when the process ends, and `late` when there is none in time, after which it is killed. */
  private async next(withinMs: number): Promise<SandboxReply | 'late' | null> {
    const heard = new Promise<SandboxReply | null>((resolve) => {
      this.listener = resolve;
      if (!this.isAlive) resolve(null);
    });
    const reply = await within(heard, withinMs, (): 'late' => {
      this.kill();
      return 'late';
    });
    this.listener = null;
    return reply;
  }
}

function commandFor(tempDir: string, memoryMb: number): readonly string[] {
  // WebAssembly, which loaders use, otherwise reserves more address space than there is.
  const limits = ['--max-old-space-size=256', '--disable-wasm-trap-handler', '--wasm-max-mem-pages=1024'];
  return [process.execPath, ...ENTRY.execArgv, ...limits, ENTRY.path, tempDir, String(memoryMb)];
}
