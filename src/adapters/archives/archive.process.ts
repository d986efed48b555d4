import '../processes/private-files.js';
import { stat } from 'node:fs/promises';
import type { ArchiveEntry, UnpackedFile } from '../../ports/archive-reader.js';
import { yielding } from '../processes/expendable.js';
import { serveOrder } from '../processes/one-order.js';
import { isConverted } from './entry-rules.js';
import { formatOf } from './format.js';
import { unpackFile } from './unpacker.js';
import type { ArchiveOrder, ArchiveProgress } from './zip-archive-reader.js';
import { ZipDirectory } from './zip-directory.js';

/** One archive, one process: what it does to this one, it does to nothing else. */
const PROGRESS_MS = 250;

type Tell = (progress: ArchiveProgress) => Promise<void>;

serveOrder((order: ArchiveOrder, tell: Tell): Promise<readonly ArchiveEntry[]> =>
  order.kind === 'unpack' ? unpack(order, tell) : entriesOf(order.path),
);
// Requests of others come first.
yielding(process);

/** What is in files of other kinds is told by unpacking alone. */
async function entriesOf(path: string): Promise<readonly ArchiveEntry[]> {
  if (['zip', 'text'].includes(await formatOf(path))) {
    await using archive = await ZipDirectory.open(path);
    if (!archive.isWorkbook)
      return archive.entries.map((entry) => ({
        name: entry.path,
        size: entry.size,
        ...(isConverted(entry.path) ? { isConverted: true } : {}),
      }));
  }
  return [{ name: '', size: (await stat(path)).size, isConverted: true }];
}

async function unpack(
  { path, name, ...order }: Extract<ArchiveOrder, { kind: 'unpack' }>,
  tell: Tell,
): Promise<readonly UnpackedFile[]> {
  let [done, bytes, atMost] = [0, 0, 0];
  const timer = setInterval(() => {
    void tell({ kind: 'done', bytes: done });
  }, PROGRESS_MS);
  try {
    return await unpackFile(path, name, {
      ...order,
      onPlan: (more, moreAtMost) => {
        bytes += more;
        atMost += moreAtMost;
        void tell({ kind: 'planned', bytes, atMost });
      },
      onBytes: (more) => {
        done += more;
      },
    });
  } finally {
    clearInterval(timer);
  }
}
