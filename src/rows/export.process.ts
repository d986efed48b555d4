import '../adapters/processes/private-files.js';
import type { ExportMessage, ExportOrder } from './export-protocol.js';
import { exportRows } from './export-session.js';
import { toWire } from './process-error.js';

/** One export, one process: it writes rows until there are no more, and says then that it wrote them all. */
process.on('message', (order: ExportOrder) => {
  void outcomeOf(order).then((message) => process.send?.(message, () => process.exit(0)));
});
// Whoever wanted the rows is gone. A statement that waits for its reader would keep an orderly exit waiting.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));

async function outcomeOf(order: ExportOrder): Promise<ExportMessage> {
  try {
    await exportRows(order);
    return { kind: 'done' };
  } catch (error) {
    return { kind: 'failed', error: toWire(error) };
  }
}
