import { childEntry } from '../adapters/processes/child-entry.js';
import { forked, serveOrder, WatchedChild } from '../adapters/processes/one-order.js';
import type { TableColumn } from '../plan/plan-columns.js';
import type { KeptRows, LoadReport, LoadSource, LoadWatch } from '../ports/row-engine.js';
import { AppError } from '../shared/app-error.js';
import { foreseen } from './process-error.js';

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

const ENTRIES = { import: './import/import.process', compaction: './compact.process' } as const;

export function runImport(folder: string, order: ImportOrder, watch: LoadWatch): Promise<LoadReport> {
  return runJob<LoadReport>('import', folder, order, watch);
}

/** Tells how many rows the new file has. */
export function runCompaction(folder: string, order: CompactOrder, signal: AbortSignal): Promise<number> {
  return runJob<number>('compaction', folder, order, { signal, onProgress: () => undefined });
}

/** Runs a job in a process of its own, in a folder. Settles when that process is gone; the signal kills it: what it leaves is in its folder alone. */
async function runJob<Result>(
  name: keyof typeof ENTRIES,
  folder: string,
  order: ImportOrder | CompactOrder,
  { signal, onProgress: onTold }: LoadWatch,
): Promise<Result> {
  signal.throwIfAborted();
  const process = forked(childEntry(import.meta.url, ENTRIES[name]), { cwd: folder, errors: 'inherit' });
  const died = (): AppError => new AppError('unavailable', `the ${name} process died`);
  const job = new WatchedChild(process, { signal }, 'work').work<Progress, Result>(order, { onTold, died });
  return job.finally(() => {
    signal.throwIfAborted();
  });
}

/** The side of the process: does the job that it is told of, says how it ended, and ends. */
export function serveJob<Order, Result>(
  work: (order: Order, tell: (progress: Progress) => Promise<void>) => Promise<Result>,
): void {
  serveOrder((order: Order, tell: (progress: Progress) => Promise<void>) =>
    work(order, tell).catch((error: unknown) => {
      throw foreseen(error);
    }),
  );
}
