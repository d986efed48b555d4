import { describe } from 'vitest';
import { mongodbServer } from '../support/mongodb.js';
import { openMongoRows } from './mongo-store.fixture.js';
import { rowBatchesContract } from './row-batches.contract.js';
import { rowDownloadsContract } from './row-downloads.contract.js';
import { rowEngineContract } from './row-engine.contract.js';
import { rowInsertsContract } from './row-inserts.contract.js';

describe.skipIf(mongodbServer === undefined)('MongoDB', () => {
  rowEngineContract('MongoDB', openMongoRows);
  rowInsertsContract('MongoDB', openMongoRows);
  rowBatchesContract('MongoDB', openMongoRows);
  rowDownloadsContract('MongoDB', openMongoRows);
});
