import { describe } from 'vitest';
import { MiniSearchPassageIndex } from '../../src/adapters/passages/minisearch-passage-index.js';
import { keepsThePassageIndexPromises } from './passage-index.contract.js';

describe('MiniSearchPassageIndex', () => {
  keepsThePassageIndexPromises(() => new MiniSearchPassageIndex());
});
