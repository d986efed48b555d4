import { RowMoves } from '../../src/adapters/mongo/rows/row-moves.js';
import { RowDatabase } from '../../src/adapters/mongo/rows/row-database.js';
import { RowFiles } from '../../src/rows/row-files.js';
import { StoredRows } from '../../src/rows/stored-rows.js';
import type { TableRef } from '../../src/ports/table.js';
import { ManualClock } from '../support/manual-clock.js';

/** What a process that moves rows, and is to be killed, is told. */
export interface MoverOrder {
  readonly uri: string;
  readonly folder: string;
  readonly table: Omit<TableRef, 'visibleFrom'>;
}

process.on('disconnect', () => process.exit(0));
process.on('message', (order: MoverOrder) => void work(order));

async function work({ uri, folder, table }: MoverOrder): Promise<void> {
  const database = new RowDatabase(uri);
  await database.open();
  const files = new RowFiles(folder);
  const ref = { ...table, visibleFrom: null };
  using rows = await StoredRows.open(files.folder(ref.companyId, ref.datasourceId), ref.generation);
  const order = { ref, rows, lifespanSeconds: null, rejects: files.rejects(ref) };
  const moved = await new RowMoves(database, new ManualClock()).move(order, () => undefined);
  process.send?.(moved, () => process.exit(0));
}
