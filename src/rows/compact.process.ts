import '../adapters/processes/private-files.js';
import { compact } from './compactor.js';
import { serveJob } from './jobs.js';

/** One compaction, one process: its memory is its own, and it is gone with whoever wanted it. */
serveJob(compact);
