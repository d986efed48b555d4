import { fork } from 'node:child_process';
import { childEntry } from '../adapters/processes/child-entry.js';
import { expendable } from '../adapters/processes/expendable.js';
import type { TableColumn } from '../plan/plan-columns.js';
import type { KeptRows, LoadReport, LoadSource, LoadWatch } from '../ports/row-engine.js';
import { AppError } from '../shared/app-error.js';
import { fromWire, toWire, type WireError } from './process-error.js';

/** What an import process is told; its working directory is the draft's folder. */
export interface ImportOrder {
  readonly source: Omit<LoadSource, 'importedAt' | 'kept'> & { readonly importedAt: string };
  /** What is kept of the earlier rows, which lie in the draft's folder. */
  readonly kept: KeptOrder | null;
  readonly memoryMb: number;
}

export interface KeptOrder extends Pick<KeptRows, 'keys'> {
  readonly laterRows: number;
  /** ISO 8601; older rows are left out. */
  readonly visibleFrom: string | null;
}

/** What a compaction process is told; its working directory is the draft's folder. */
export interface CompactOrder {
  /** Says what the table is; its rows are taken as well, unless `isPart`. */
  readonly base: string;
  /** Only the later rows are made a file. */
  readonly isPart: boolean;
  /** How many later rows lie in the draft's folder. */
  readonly laterRows: number;
  /** As they are with the later rows. */
  readonly columns: readonly TableColumn[];
  /** ISO 8601; older rows are left out. */
  readonly visibleFrom: string | null;
  readonly memoryMb: number;
}

type Progress = Parameters<LoadWatch['onProgress']>[0];

/** What the process of a job says. The last message is how the job ended; without it, the process has died. */
export type JobMessage<Result> =
  | { readonly kind: 'progress'; readonly progress: Progress }
  | { readonly kind: 'done'; readonly result: Result }
  | { readonly kind: 'failed'; readonly error: WireError };

export function runImport(folder: string, order: ImportOrder, watch: LoadWatch): Promise<LoadReport> {
  return runJob<LoadReport>('import', folder, order, watch);
}

/** Tells how many rows the new file has. */
export function runCompaction(folder: string, order: CompactOrder, signal: AbortSignal): Promise<number> {
  return runJob<number>('compaction', folder, order, { signal, onProgress: () => undefined });
}

const ENTRIES = { import: './import/import.process', compaction: './compact.process' } as const;

/** Runs a job in a process of its own, in a folder. Settles when that process is gone; the signal kills it: what it leaves is in its folder alone. */
async function runJob<Result>(
  name: keyof typeof ENTRIES,
  folder: string,
  order: ImportOrder | CompactOrder,
  { signal, onProgress }: LoadWatch,
): Promise<Result> {
  signal.throwIfAborted();
  const { path, execArgv } = childEntry(import.meta.url, ENTRIES[name]);
  const child = fork(path, [], {
    cwd: folder,
    execArgv: [...execArgv],
    // Nothing of the service's environment: its secrets are none of a CSV parser's business.
    env: { TZ: 'UTC' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  expendable(child, 'work');
  const end = (): void => void child.kill('SIGKILL');
  signal.addEventListener('abort', end, { once: true });
  try {
    const ended = new Promise<JobMessage<Result> | null>((resolve, reject) => {
      let last: JobMessage<Result> | null = null;
      child.on('message', (message: JobMessage<Result>) => {
        if (message.kind === 'progress') onProgress(message.progress);
        else last = message;
      });
      child.once('error', reject);
      child.once('close', () => {
        resolve(last);
      });
    });
    // A child that is gone is noticed by its end, not by what it can no longer be told.
    child.send(order, () => undefined);
    const message = await ended;
    signal.throwIfAborted();
    if (message?.kind === 'done') return message.result;
    throw message?.kind === 'failed'
      ? fromWire(message.error)
      : new AppError('unavailable', `the ${name} process died`);
  } finally {
    signal.removeEventListener('abort', end);
  }
}

/** The side of the process: does the job that it is told of, says how it ended, and ends. */
export function serveJob<Order, Result>(
  work: (order: Order, tell: (progress: Progress) => void) => Promise<Result>,
): void {
  const send = (message: JobMessage<Result>, sent?: () => void): void => void process.send?.(message, () => sent?.());
  process.on('message', (order: Order) => {
    const tell = (progress: Progress): void => {
      send({ kind: 'progress', progress });
    };
    void work(order, tell)
      .then(
        (result): JobMessage<Result> => ({ kind: 'done', result }),
        (error: unknown): JobMessage<Result> => ({ kind: 'failed', error: toWire(error) }),
      )
      .then((message) => {
        send(message, () => process.exit(0));
      });
  });
  // Whoever wanted it is gone. A statement that runs would keep an orderly exit waiting.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
}
