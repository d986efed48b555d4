import { afterAll, beforeAll, describe } from 'vitest';
import { mongodbServer } from '../support/mongodb.js';
import { type DuckDbStore, openDistant, openDuckDb } from './duckdb-store.fixture.js';
import { rowBatchesContract } from './row-batches.contract.js';
import { rowCompactionContract } from './row-compaction.contract.js';
import { rowDownloadsContract } from './row-downloads.contract.js';
import { rowEngineContract } from './row-engine.contract.js';

/** One store for all contracts: each works on tables of its own. */
function shared(open: () => Promise<DuckDbStore>): () => DuckDbStore {
  let store: DuckDbStore;
  beforeAll(async () => {
    store = await open();
  });
  afterAll(() => store[Symbol.asyncDispose]());
  return () => store;
}

describe('embedded', () => {
  const opened = shared(openDuckDb);
  rowEngineContract(opened);
  rowBatchesContract(opened);
  rowCompactionContract(opened);
  rowDownloadsContract(opened);
});

describe.skipIf(mongodbServer === undefined)('in production', () => {
  const opened = shared(openDistant);
  rowBatchesContract(opened);
  // How rows are read and merged does not depend on where they lie; row-instances.test.ts looks at both here.
  if (process.env['TEST_LONG'] !== '1') return;
  rowCompactionContract(opened);
  rowEngineContract(opened);
  rowDownloadsContract(opened);
});
