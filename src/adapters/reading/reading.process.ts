import '../processes/private-files.js';
import { Worker } from 'node:worker_threads';
import { messageOf } from '../../shared/app-error.js';
import { readDocument } from './read-document.js';
import type { ReadingReply, ReadingRequest, ReadingResult } from './reading-protocol.js';
import { recogniseDocument } from './recognise-document.js';
import { exhaustionOf, Refusal } from './reading-limits.js';

/** Plain JavaScript, which needs no loader: it starts in milliseconds. */
const WATCH = `
  const { ppid } = process;
  setInterval(() => {
    if (process.ppid !== ppid) process.kill(process.pid, 'SIGKILL');
  }, 250);
`;

/** Looks at or reads one document, and waits to be ended; ends with whoever started it. */
process.once('message', (request: ReadingRequest) => {
  void work(request);
});
process.on('disconnect', () => {
  process.kill(process.pid, 'SIGKILL');
});
endWithParent();
// Readers leave promises behind that nobody waits for when a document is broken. The one that counts is the reading itself.
process.on('unhandledRejection', () => undefined);
process.on('uncaughtException', (error) => void tell(resultOf(error)));

async function work(request: ReadingRequest): Promise<void> {
  await tell({ kind: 'started' });
  try {
    await tell(request.kind === 'look' ? await look(request) : await read(request));
  } catch (error) {
    await tell(resultOf(error));
  }
}

async function look({ path, limits }: Extract<ReadingRequest, { kind: 'look' }>): Promise<ReadingResult> {
  return { kind: 'recognised', document: await recogniseDocument(path, limits) };
}

async function read(document: Extract<ReadingRequest, { kind: 'read' }>): Promise<ReadingResult> {
  await readDocument(document, (blocks) => tell({ kind: 'blocks', blocks }));
  return { kind: 'finished' };
}

function resultOf(error: unknown): ReadingResult {
  const refusal = error instanceof Refusal ? error : exhaustionOf(error);
  return refusal === null ? { kind: 'failed', reason: messageOf(error) } : { kind: 'refused', reason: refusal.message };
}

/** Resolves when the message is on its way, so that the next is not made before. */
function tell(reply: ReadingReply): Promise<void> {
  return new Promise((resolve) => {
    process.send?.(reply, undefined, {}, () => {
      resolve();
    });
  });
}

/**
 * Ends this process when its parent is gone, even while it computes without a pause and hears nothing: then nobody watches its memory
 * and its time any more.
 */
function endWithParent(): void {
  new Worker(WATCH, { eval: true, execArgv: [], env: {}, resourceLimits: { maxOldGenerationSizeMb: 8 } }).unref();
}
