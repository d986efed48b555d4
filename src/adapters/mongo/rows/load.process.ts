import '../../processes/private-files.js';
import { toWire } from '../../../rows/process-error.js';
import type { LoadMessage, LoadOrder } from './load-protocol.js';
import { loadRows } from './load-rows.js';
import { RowDatabase } from './row-database.js';
import { rowsError } from './row-errors.js';

/** Fills one collection from the draft of an import: rows are neither read nor packed in the process that answers requests. */
const PROGRESS_MS = 500;

process.on('message', (order: LoadOrder) => {
  void outcomeOf(order).then((message) => {
    send(message, () => process.exit(0));
  });
});
// Whoever wanted the rows is gone.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));

async function outcomeOf(order: LoadOrder): Promise<LoadMessage> {
  const database = new RowDatabase(order.uri);
  let told = 0;
  try {
    await database.connect();
    const loaded = await loadRows(database, order, (rows) => {
      if (performance.now() - told < PROGRESS_MS) return;
      told = performance.now();
      send({ kind: 'progress', rows });
    });
    return { kind: 'done', loaded };
  } catch (error) {
    return { kind: 'failed', error: toWire(rowsError(error)) };
  }
}

function send(message: LoadMessage, sent?: () => void): void {
  process.send?.(message, () => sent?.());
}
