import '../adapters/processes/private-files.js';
import { stat } from 'node:fs/promises';
import { Importer } from './importer.js';
import type { ImportCommand, ImportMessage, ImportOrder } from './import-protocol.js';
import { toWire } from './process-error.js';

/** One import, one process: what a file does to it, it does to nothing else. */
const PROGRESS_MS = 500;

let importer: Importer | null = null;

process.on('message', (command: ImportCommand) => {
  if (command.kind === 'cancel') importer?.cancel();
  else void work(command.order);
});
// Whoever wanted the rows is gone. A query that runs would keep an orderly exit waiting.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));

async function work(order: ImportOrder): Promise<void> {
  const message = await outcomeOf(order);
  send(message, () => process.exit(0));
}

async function outcomeOf(order: ImportOrder): Promise<ImportMessage> {
  try {
    const sizes = await Promise.all(order.source.files.map(async ({ path }) => (await stat(path)).size));
    importer = new Importer(
      order,
      sizes.reduce((total, size) => total + size, 0),
    );
    return { kind: 'done', report: await watched(importer) };
  } catch (error) {
    return { kind: 'failed', error: toWire(error) };
  }
}

async function watched(running: Importer): ReturnType<Importer['run']> {
  const tell = (): void => {
    send({ kind: 'progress', ...running.progress() });
  };
  tell();
  const timer = setInterval(tell, PROGRESS_MS);
  try {
    return await running.run();
  } finally {
    clearInterval(timer);
  }
}

function send(message: ImportMessage, sent?: () => void): void {
  process.send?.(message, () => sent?.());
}
