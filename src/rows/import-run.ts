import { type ChildProcess, fork } from 'node:child_process';
import type { LoadReport, LoadSource, LoadWatch } from '../ports/row-engine.js';
import { AppError } from '../shared/app-error.js';
import { childEntry } from '../adapters/processes/child-entry.js';
import { expendable } from '../adapters/processes/expendable.js';
import type { ImportCommand, ImportMessage } from './import-protocol.js';
import { fromWire } from './process-error.js';

/** How long a cancelled import may take to end by itself. */
const PATIENCE_MS = 5000;

/** Runs one import in a process of its own, in the draft's folder. Resolves when that process is gone. */
export async function runImport(
  folder: string,
  source: LoadSource,
  memoryMb: number,
  watch: LoadWatch,
): Promise<LoadReport> {
  watch.signal.throwIfAborted();
  const { path, execArgv } = childEntry(import.meta.url, './import.process');
  const child = fork(path, [], {
    cwd: folder,
    execArgv: [...execArgv],
    // Nothing of the service's environment: its secrets are none of a CSV parser's business.
    env: { TZ: 'UTC' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  expendable(child, 'work');
  const order = { source: { ...source, importedAt: source.importedAt.toISOString() }, memoryMb };
  tell(child, { kind: 'begin', order });
  const stopWatching = cancelOnAbort(child, watch.signal);
  try {
    const message = await lastMessage(child, watch);
    watch.signal.throwIfAborted();
    if (message?.kind === 'done') return message.report;
    throw message?.kind === 'failed' ? fromWire(message.error) : new AppError('unavailable', 'the import process died');
  } finally {
    stopWatching();
  }
}

function cancelOnAbort(child: ChildProcess, signal: AbortSignal): () => void {
  let timer: NodeJS.Timeout | undefined;
  const cancel = (): void => {
    tell(child, { kind: 'cancel' });
    timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
  };
  signal.addEventListener('abort', cancel, { once: true });
  return () => {
    signal.removeEventListener('abort', cancel);
    clearTimeout(timer);
  };
}

function lastMessage(child: ChildProcess, watch: LoadWatch): Promise<ImportMessage | null> {
  return new Promise((resolve, reject) => {
    let last: ImportMessage | null = null;
    child.on('message', (message: ImportMessage) => {
      if (message.kind === 'progress') watch.onProgress({ percent: message.percent, rows: message.rows });
      else last = message;
    });
    child.once('error', reject);
    child.once('close', () => {
      resolve(last);
    });
  });
}

function tell(child: ChildProcess, command: ImportCommand): void {
  // A child that is gone is noticed by its end, not by what it can no longer be told.
  child.send(command, () => undefined);
}
