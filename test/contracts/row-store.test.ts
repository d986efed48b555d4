import { afterAll, describe } from 'vitest';
import { mongodbServer } from '../support/mongodb.js';
import { type DuckDbStore, openDistant, openDuckDb } from './duckdb-store.fixture.js';
import { rowBatchesContract } from './row-batches.contract.js';
import { rowCompactionContract } from './row-compaction.contract.js';
import { rowDownloadsContract } from './row-downloads.contract.js';
import { rowEngineContract } from './row-engine.contract.js';

const isLong = process.env['TEST_LONG'] === '1';

/** One store for all contracts: each works on tables of its own. */
function shared(open: () => Promise<DuckDbStore>): () => Promise<DuckDbStore> {
  let opened: Promise<DuckDbStore> | null = null;
  afterAll(async () => {
    await (await opened)?.[Symbol.asyncDispose]();
  });
  return async () => {
    opened ??= open();
    return { ...(await opened), [Symbol.asyncDispose]: () => Promise.resolve() };
  };
}

describe('embedded', () => {
  const open = shared(openDuckDb);
  rowEngineContract('rows', open);
  rowBatchesContract('rows', open);
  rowCompactionContract('rows', open);
  rowDownloadsContract('rows', open);
});

describe.skipIf(mongodbServer === undefined)('in production', () => {
  const open = shared(openDistant);
  rowBatchesContract('rows', open);
  // How rows are read and merged does not depend on where they lie; row-instances.test.ts looks at both here.
  if (!isLong) return;
  rowCompactionContract('rows', open);
  rowEngineContract('rows', open);
  rowDownloadsContract('rows', open);
});
