import '../processes/private-files.js';
import { stat } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import { isAppError, messageOf } from '../../shared/app-error.js';
import type { ArchiveEntry } from '../../ports/archive-reader.js';
import type { ArchiveMessage, ArchiveOrder, ArchiveOutcome } from './archive-protocol.js';
import { isConverted } from './entry-rules.js';
import { formatOf } from './format.js';
import { unpackFile } from './unpacker.js';
import { ZipDirectory } from './zip-directory.js';

/** One archive, one process: what it does to this one, it does to nothing else. */
const PROGRESS_MS = 250;

process.once('message', (order: ArchiveOrder) => {
  void work(order);
});
// Whoever wanted the files is gone, and removes them when it comes back.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
giveWay();

async function work(order: ArchiveOrder): Promise<void> {
  const outcome = await outcomeOf(order);
  send(outcome, () => process.exit(0));
}

async function outcomeOf(order: ArchiveOrder): Promise<ArchiveOutcome> {
  try {
    if (order.kind === 'unpack') return await unpack(order);
    return { kind: 'listed', entries: await entriesOf(order.path) };
  } catch (error) {
    return { kind: 'failed', error: isAppError(error) ? error.kind : null, message: messageOf(error) };
  }
}

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

async function unpack({ path, name, ...order }: Extract<ArchiveOrder, { kind: 'unpack' }>): Promise<ArchiveOutcome> {
  let [done, bytes, atMost] = [0, 0, 0];
  const timer = setInterval(() => {
    send({ kind: 'progress', bytes: done });
  }, PROGRESS_MS);
  try {
    const files = await unpackFile(path, name, {
      ...order,
      onPlan: (more, moreAtMost) => {
        bytes += more;
        atMost += moreAtMost;
        send({ kind: 'planned', bytes, atMost });
      },
      onBytes: (more) => {
        done += more;
      },
    });
    return { kind: 'unpacked', files };
  } finally {
    clearInterval(timer);
  }
}

/** Requests of others come first. */
function giveWay(): void {
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Not every system lets a process do that; it works at its usual priority then.
  }
}

function send(message: ArchiveMessage, sent?: () => void): void {
  process.send?.(message, () => sent?.());
}
