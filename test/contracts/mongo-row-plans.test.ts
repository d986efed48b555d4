import { describe } from 'vitest';
import { mongodbServer } from '../support/mongodb.js';
import { openMongoReader } from './mongo-reader.fixture.js';
import { rowPlansContract } from './row-plans.contract.js';

describe.skipIf(mongodbServer === undefined)('rows in MongoDB', () => {
  rowPlansContract('MongoDB', openMongoReader);
});
