import { type ChildProcess, fork } from 'node:child_process';
import type { LoadWatch } from '../../../ports/row-engine.js';
import { AppError } from '../../../shared/app-error.js';
import { fromWire } from '../../../rows/process-error.js';
import { childEntry } from '../../processes/child-entry.js';
import { expendable } from '../../processes/expendable.js';
import type { Loaded, LoadMessage, LoadOrder } from './load-protocol.js';

/**
 * Fills a collection from the draft in the folder, in a process of its own. Resolves when that process is gone: nothing is written after that.
 *
 * @throws AppError `unavailable` when the server or the process is gone; the signal's reason when aborted.
 */
export async function runLoad(
  folder: string,
  order: LoadOrder,
  watch: { readonly signal: AbortSignal; readonly onRows: (rows: number) => void },
): Promise<Loaded> {
  watch.signal.throwIfAborted();
  const { path, execArgv } = childEntry(import.meta.url, './load.process');
  const child = fork(path, [], {
    cwd: folder,
    execArgv: [...execArgv],
    // Nothing of the service's environment but what it is told.
    env: { TZ: 'UTC' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  expendable(child, 'work');
  // A child that is gone is noticed by its end, not by what it can no longer be told.
  child.send(order, () => undefined);
  const end = (): void => void child.kill('SIGKILL');
  watch.signal.addEventListener('abort', end, { once: true });
  try {
    const message = await lastMessage(child, watch.onRows);
    watch.signal.throwIfAborted();
    if (message?.kind === 'done') return message.loaded;
    throw message?.kind === 'failed' ? fromWire(message.error) : new AppError('unavailable', 'the import process died');
  } finally {
    watch.signal.removeEventListener('abort', end);
  }
}

function lastMessage(child: ChildProcess, onRows: (rows: number) => void): Promise<LoadMessage | null> {
  return new Promise((resolve, reject) => {
    let last: LoadMessage | null = null;
    child.on('message', (message: LoadMessage) => {
      if (message.kind === 'progress') onRows(message.rows);
      else last = message;
    });
    child.once('error', reject);
    child.once('close', () => {
      resolve(last);
    });
  });
}

/** A part of the whole work, for whoever watches it. */
export function partOf(watch: LoadWatch, from: number, to: number): LoadWatch {
  const { signal } = watch;
  return {
    signal,
    onProgress: ({ percent, rows }) => {
      watch.onProgress({ percent: percent === null ? null : from + (percent * (to - from)) / 100, rows });
    },
  };
}
