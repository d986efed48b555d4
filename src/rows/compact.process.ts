import '../adapters/processes/private-files.js';
import { compact } from './compactor.js';
import type { CompactMessage, CompactOrder } from './compact-protocol.js';
import { toWire } from './process-error.js';

/** One compaction, one process: its memory is its own, and it is gone with whoever wanted it. */
process.on('message', (order: CompactOrder) => void work(order));
// A statement that runs would keep an orderly exit waiting.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));

async function work(order: CompactOrder): Promise<void> {
  const message = await outcomeOf(order);
  process.send?.(message, () => process.exit(0));
}

async function outcomeOf(order: CompactOrder): Promise<CompactMessage> {
  try {
    return { kind: 'done', rows: await compact(order) };
  } catch (error) {
    return { kind: 'failed', error: toWire(error) };
  }
}
