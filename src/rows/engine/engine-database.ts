import { availableParallelism } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { AppError, messageOf } from '../../shared/app-error.js';
import { FairTurns } from '../../shared/fair-turns.js';
import { foreseen, isDamage } from '../process-error.js';
import { QueryClock } from '../query-clock.js';
import { quotedText } from '../sql-text.js';
import type { EngineStart } from './engine-protocol.js';

const MIB = 1024 ** 2;
const CORES = availableParallelism();
/** One for each core and one that is kept; more would only take the processor from each other. */
const PLANS_AT_ONCE = Math.min(CORES + 1, 8);
const READS_AT_ONCE = Math.min(Math.max(2 * CORES, 4), 8);
const WRITES_AT_ONCE = 4;
const MOST_PLANS_WAITING = 64;
const PLAN_GRACE_MS = 1000;
/** An engine that was just killed may hold the lock for a moment. */
const LOCK_PATIENCE_MS = 3000;
const LOCK_RETRY_MS = 100;

/**
 * Works wait for those of their own kind alone. `plans`: what people ask, however long it takes. `reads`: plots, lists, counts, files for others.
 * `writes`: insertions.
 */
type Lane = 'plans' | 'reads' | 'writes';

/** The one database of the engine process: everything is attached to it, so that one memory limit and one thread pool bound it all. */
export class EngineDatabase {
  private readonly lanes: Readonly<Record<Lane, FairTurns>> = {
    plans: new FairTurns({ atOnce: PLANS_AT_ONCE, mostWaiting: MOST_PLANS_WAITING, graceMs: PLAN_GRACE_MS }),
    reads: new FairTurns({ atOnce: READS_AT_ONCE }),
    writes: new FairTurns({ atOnce: WRITES_AT_ONCE }),
  };

  private constructor(
    private readonly instance: DuckDBInstance,
    private readonly memory: EngineMemory,
    /** Attaches and detaches files. */
    readonly keeper: DuckDBConnection,
  ) {}

  /** @throws AppError `unavailable` when another engine works on the same data folder. */
  static async open({ lock, dataDir, memoryMb, processMb }: EngineStart): Promise<EngineDatabase> {
    const instance = await DuckDBInstance.create(':memory:', {
      memory_limit: `${memoryMb}MB`,
      threads: String(CORES),
      // Without a place to spill, a question that needs more memory than there is fails instead of filling the disk.
      temp_directory: '',
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
    });
    const keeper = await instance.connect();
    await keeper.run("SET GLOBAL TimeZone = 'UTC'");
    await takeLock(keeper, lock, dataDir);
    return new EngineDatabase(instance, new EngineMemory(processMb * MIB), keeper);
  }

  /**
   * Runs work on a connection of its own when it is its company's turn, and interrupts it when its turn is cut or its time is over: it waits
   * for `timeoutMs` at most, and then takes as long.
   */
  async run<T>(
    lane: Lane,
    companyId: string,
    timeoutMs: number,
    work: (connection: DuckDBConnection) => Promise<T>,
  ): Promise<T> {
    using turn = await this.lanes[lane].take(companyId, timeoutMs);
    using watched = lane === 'plans' ? this.memory.watch() : null;
    const cut = watched === null ? turn.cut : AbortSignal.any([turn.cut, watched.tooMuch]);
    const connection = await this.instance.connect();
    using clock = new QueryClock(connection, timeoutMs, cut);
    try {
      return await work(connection);
    } catch (error) {
      cut.throwIfAborted();
      if (clock.isOver || messageOf(error).startsWith('INTERRUPT'))
        throw new AppError('timed_out', 'the query took too long', { cause: error });
      throw foreseen(error);
    } finally {
      connection.closeSync();
    }
  }
}

/** The kernel gives the lock back when the process dies, however it dies. */
async function takeLock(keeper: DuckDBConnection, lock: string, dataDir: string): Promise<void> {
  const deadline = Date.now() + LOCK_PATIENCE_MS;
  for (;;) {
    try {
      await keeper.run(`ATTACH ${quotedText(lock)} AS engine_lock`);
      return;
    } catch (error) {
      if (isDamage(error)) throw new AppError('unavailable', `${lock} is damaged: delete it, nothing is kept in it`);
      if (!/lock/i.test(messageOf(error))) throw error;
      const problem = `another instance of the service is using the data folder ${dataDir}: stop it or choose another DATA_DIR`;
      if (Date.now() > deadline) throw new AppError('unavailable', problem, { cause: error });
      await wait(LOCK_RETRY_MS);
    }
  }
}

const LOOK_MS = 25;
/** What is shorter is not what fills the memory. */
const LONG_MS = 250;
/** What was ended gives its memory back within this. */
const RESPITE_MS = 250;

/** Ends what runs longest when the process takes more memory than it may: the database's own limit does not count what a median collects. */
export class EngineMemory {
  private readonly running = new Set<{ readonly since: number; readonly end: AbortController }>();
  private endedAt = -Infinity;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly mostBytes: number,
    private readonly bytes: () => number = () => process.memoryUsage.rss(),
  ) {}

  /** For work that is ended when the process takes too much memory, until it is disposed of. */
  watch(): Disposable & { readonly tooMuch: AbortSignal } {
    const work = { since: performance.now(), end: new AbortController() };
    this.running.add(work);
    this.timer ??= setInterval(() => {
      this.look();
    }, LOOK_MS);
    return {
      tooMuch: work.end.signal,
      [Symbol.dispose]: () => {
        this.running.delete(work);
        if (this.running.size > 0) return;
        clearInterval(this.timer);
        this.timer = undefined;
      },
    };
  }

  private look(): void {
    const now = performance.now();
    // In the order in which they began.
    const [longest] = this.running;
    if (longest === undefined || now - longest.since < LONG_MS || now - this.endedAt < RESPITE_MS) return;
    if (this.bytes() <= this.mostBytes) return;
    this.endedAt = now;
    this.running.delete(longest);
    longest.end.abort(new AppError('unavailable', 'not enough memory for this'));
  }
}
