import { describe } from 'vitest';
import { WAYS } from './duckdb-store.fixture.js';
import { rowBatchesContract } from './row-batches.contract.js';
import { rowCompactionContract } from './row-compaction.contract.js';
import { rowDownloadsContract } from './row-downloads.contract.js';
import { rowEngineContract } from './row-engine.contract.js';
import { rowInsertsContract } from './row-inserts.contract.js';

for (const { name, open, isMissing } of WAYS)
  describe.skipIf(isMissing)(name, () => {
    rowEngineContract('rows', open);
    rowInsertsContract('rows', open);
    rowBatchesContract('rows', open);
    rowCompactionContract('rows', open);
    rowDownloadsContract('rows', open);
  });
