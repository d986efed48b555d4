import { fork } from 'node:child_process';
import { AppError } from '../shared/app-error.js';
import { childEntry } from '../adapters/processes/child-entry.js';
import { expendable } from '../adapters/processes/expendable.js';
import type { CompactMessage, CompactOrder } from './compact-protocol.js';
import { fromWire } from './process-error.js';

/** Runs one compaction in a process of its own, in the draft's folder. Tells how many rows the new file has, when that process is gone. */
export async function runCompaction(folder: string, order: CompactOrder, signal: AbortSignal): Promise<number> {
  signal.throwIfAborted();
  const { path, execArgv } = childEntry(import.meta.url, './compact.process');
  const child = fork(path, [], {
    cwd: folder,
    execArgv: [...execArgv],
    env: { TZ: 'UTC' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  expendable(child, 'work');
  // What it leaves is in its folder alone.
  const end = (): void => void child.kill('SIGKILL');
  signal.addEventListener('abort', end, { once: true });
  try {
    const ended = new Promise<CompactMessage | null>((resolve, reject) => {
      let last: CompactMessage | null = null;
      child.on('message', (message: CompactMessage) => (last = message));
      child.once('error', reject);
      child.once('close', () => {
        resolve(last);
      });
    });
    // A child that is gone is noticed by its end, not by what it can no longer be told.
    child.send(order, () => undefined);
    const message = await ended;
    signal.throwIfAborted();
    if (message?.kind === 'done') return message.rows;
    throw message?.kind === 'failed'
      ? fromWire(message.error)
      : new AppError('unavailable', 'the compaction process died');
  } finally {
    signal.removeEventListener('abort', end);
  }
}
