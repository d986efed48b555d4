import '../../adapters/processes/private-files.js';
import { stat } from 'node:fs/promises';
import { type ImportOrder, serveJob } from '../jobs.js';
import { Importer } from './importer.js';
import { sum } from './rejects.js';

const PROGRESS_MS = 500;

/** One import, one process: what a file does to it, it does to nothing else. */
serveJob(async (order: ImportOrder, tell) => {
  const sizes = await Promise.all(order.source.files.map(async ({ path }) => (await stat(path)).size));
  const importer = new Importer(order, sum(sizes));
  void tell(importer.progress());
  const timer = setInterval(() => {
    void tell(importer.progress());
  }, PROGRESS_MS);
  return importer.run().finally(() => {
    clearInterval(timer);
  });
});
