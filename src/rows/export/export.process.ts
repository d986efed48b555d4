import '../../adapters/processes/private-files.js';
import { serveJob } from '../jobs.js';
import { exportRows } from './export-session.js';

/** One export, one process: it writes rows until there are no more, and says then that it wrote them all. */
serveJob(exportRows);
