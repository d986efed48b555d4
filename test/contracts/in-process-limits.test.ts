import { describe } from 'vitest';
import { InProcessLimits } from '../../src/adapters/embedded/in-process-limits.js';
import { sharedLimitsContract } from './shared-limits.contract.js';

describe('InProcessLimits', () => {
  sharedLimitsContract(() => Promise.resolve(new InProcessLimits()));
});
