import '../processes/private-files.js';
import { Worker } from 'node:worker_threads';
import { serveOrder } from '../processes/one-order.js';
import type { ReadingOrder, ReadingOutcome, ReadPiece } from './process-document-reader.js';
import { readDocument } from './read-document.js';
import { exhaustionOf } from './reading-limits.js';
import { recogniseDocument } from './recognise-document.js';

/** Plain JavaScript, which needs no loader: it starts in milliseconds. */
const WATCH = `
  const { ppid } = process;
  setInterval(() => {
    if (process.ppid !== ppid) process.kill(process.pid, 'SIGKILL');
  }, 250);
`;

// Readers leave promises behind that nobody waits for when a document is broken. The one that counts is the reading itself.
process.on('unhandledRejection', () => undefined);
const uncaught = new Promise<never>((_, reject) => process.on('uncaughtException', reject));

serveOrder(async (order: ReadingOrder, tell: (piece: ReadPiece) => Promise<void>): Promise<ReadingOutcome> => {
  await tell([]);
  try {
    return await Promise.race([work(order, tell), uncaught]);
  } catch (error) {
    throw exhaustionOf(error) ?? error;
  }
});
// Ends this process when its parent is gone, even while it computes without a pause and hears nothing: then nobody watches its memory
// and its time any more.
new Worker(WATCH, { eval: true, execArgv: [], env: {}, resourceLimits: { maxOldGenerationSizeMb: 8 } }).unref();

async function work(order: ReadingOrder, tell: (piece: ReadPiece) => Promise<void>): Promise<ReadingOutcome> {
  if (order.kind === 'look') return recogniseDocument(order.path, order.limits);
  await readDocument(order, tell);
  return null;
}
