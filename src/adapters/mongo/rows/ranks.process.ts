import '../../processes/private-files.js';
import { rankCorrelation } from '../../../shared/statistics/rank-correlation.js';
import type { Ranked, RankedPairs } from './reader-ranks.js';

/** Ranks many numbers while the process that answers requests does so. */
process.on('message', ({ x, y }: RankedPairs) => {
  const ranked: Ranked = { correlation: rankCorrelation(x, y) };
  process.send?.(ranked, () => process.exit(0));
});
// Whoever wanted it is gone.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
