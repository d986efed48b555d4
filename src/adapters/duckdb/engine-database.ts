import { availableParallelism } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { AppError, messageOf } from '../../shared/app-error.js';
import type { EngineStart } from './engine-protocol.js';
import { foreseen, isInterrupt } from './process-error.js';
import { quotedText } from './sandbox-names.js';
import { Turns } from './turns.js';

/** Statements that run at once; more would only take the processor from each other. */
const AT_ONCE = 8;
/** Insertions are short, and do not wait for questions. */
const WRITES_AT_ONCE = 4;
/** An engine that was just killed may hold the lock for a moment. */
const LOCK_PATIENCE_MS = 3000;
const LOCK_RETRY_MS = 100;

/** The one database of the engine process: everything is attached to it, so that one memory limit and one thread pool bound it all. */
export class EngineDatabase {
  private readonly turns = new Turns(AT_ONCE);
  private readonly writeTurns = new Turns(WRITES_AT_ONCE);

  private constructor(
    private readonly instance: DuckDBInstance,
    /** Attaches and detaches files. */
    readonly keeper: DuckDBConnection,
  ) {}

  /** @throws AppError `unavailable` when another engine works on the same data folder. */
  static async open({ lock, dataDir, memoryMb }: EngineStart): Promise<EngineDatabase> {
    const instance = await DuckDBInstance.create(':memory:', {
      memory_limit: `${memoryMb}MB`,
      threads: String(availableParallelism()),
      // Without a place to spill, a question that needs more memory than there is fails instead of filling the disk.
      temp_directory: '',
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
    });
    const keeper = await instance.connect();
    await keeper.run("SET GLOBAL TimeZone = 'UTC'");
    await takeLock(keeper, lock, dataDir);
    return new EngineDatabase(instance, keeper);
  }

  /** Runs work on a connection of its own when it is its turn, and interrupts it when its time is over. */
  run<T>(timeoutMs: number, work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    return this.inTurn(this.turns, timeoutMs, work);
  }

  /** The same for who adds rows: they wait for one another only. */
  write<T>(timeoutMs: number, work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    return this.inTurn(this.writeTurns, timeoutMs, work);
  }

  private async inTurn<T>(
    turns: Turns,
    timeoutMs: number,
    work: (connection: DuckDBConnection) => Promise<T>,
  ): Promise<T> {
    const end = await turns.take();
    try {
      return await this.timed(timeoutMs, work);
    } finally {
      end();
    }
  }

  private async timed<T>(timeoutMs: number, work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    const connection = await this.instance.connect();
    const timer = setTimeout(() => {
      connection.interrupt();
    }, timeoutMs);
    try {
      return await work(connection);
    } catch (error) {
      if (isInterrupt(error)) throw new AppError('timed_out', 'the query took too long', { cause: error });
      throw foreseen(error);
    } finally {
      clearTimeout(timer);
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
      if (!/lock/i.test(messageOf(error))) throw error;
      if (Date.now() > deadline) throw takenBySomebody(dataDir, error);
      await wait(LOCK_RETRY_MS);
    }
  }
}

function takenBySomebody(dataDir: string, cause: unknown): AppError {
  return new AppError(
    'unavailable',
    `another instance of the service is using the data folder ${dataDir}: stop it or choose another DATA_DIR`,
    { cause },
  );
}
