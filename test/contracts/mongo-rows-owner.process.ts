import { MongoRowEngine } from '../../src/adapters/mongo/rows/mongo-row-engine.js';
import { MongoTables } from '../../src/adapters/mongo/rows/mongo-tables.js';
import { RowDatabase } from '../../src/adapters/mongo/rows/row-database.js';
import { RowFiles } from '../../src/rows/row-files.js';
import type { LoadSource } from '../../src/ports/row-engine.js';
import type { TableRef } from '../../src/ports/table.js';
import { ManualClock } from '../support/manual-clock.js';

/** What a process that works on rows, and is to be killed, is told. */
export interface OwnerOrder {
  readonly uri: string;
  readonly folder: string;
  readonly table: Omit<TableRef, 'visibleFrom'>;
  /** Imports them; without it rows are inserted until it ends. */
  readonly source: (Omit<LoadSource, 'importedAt'> & { readonly importedAt: string }) | null;
  /** How many rows are inserted at once. */
  readonly together: number;
}

process.on('disconnect', () => process.exit(0));
process.on('message', (order: OwnerOrder) => void work(order));

async function work({ uri, folder, table, source, together }: OwnerOrder): Promise<void> {
  const database = new RowDatabase(uri);
  await database.open();
  const files = new RowFiles(folder);
  await files.prepare();
  const engine = new MongoRowEngine(
    database,
    new MongoTables(database),
    { files, importMemoryMb: 512 },
    new ManualClock(),
  );
  const ref = { ...table, visibleFrom: null };
  if (source !== null) {
    const watch = { onProgress: () => undefined, signal: new AbortController().signal };
    await engine.load(ref, { ...source, importedAt: new Date(source.importedAt) }, watch);
    return;
  }
  for (let batch = 1; ; batch += 1) {
    const begin = Date.UTC(2024, 1, 1) + batch * together * 1000;
    const rows = Array.from({ length: together }, (_, row) => ({
      ...{ time: new Date(begin + row * 1000), device: `d${row % 7}`, value: batch, note: `batch ${batch}` },
    }));
    await engine.append(ref, rows, { key: `batch ${batch}`, note: String(batch), at: new Date(begin) });
    process.send?.(batch);
  }
}
