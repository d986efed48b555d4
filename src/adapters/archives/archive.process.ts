import '../processes/private-files.js';
import { constants, setPriority } from 'node:os';
import { isAppError, messageOf } from '../../shared/app-error.js';
import type { ArchiveMessage, ArchiveOrder, ArchiveOutcome } from './archive-protocol.js';
import { ZipDirectory } from './zip-directory.js';
import { plannedBytes, unpackAll } from './zip-unpacking.js';

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
    await using archive = await ZipDirectory.open(order.path);
    if (order.kind === 'unpack') return await unpack(archive, order);
    return { kind: 'listed', entries: archive.entries.map(({ path, size }) => ({ name: path, size })) };
  } catch (error) {
    return { kind: 'failed', error: isAppError(error) ? error.kind : null, message: messageOf(error) };
  }
}

async function unpack(
  archive: ZipDirectory,
  { folder, headBytes }: Extract<ArchiveOrder, { kind: 'unpack' }>,
): Promise<ArchiveOutcome> {
  send({ kind: 'planned', bytes: plannedBytes(archive, headBytes) });
  let written = 0;
  const timer = setInterval(() => {
    send({ kind: 'progress', bytes: written });
  }, PROGRESS_MS);
  try {
    const onBytes = (bytes: number): void => {
      written += bytes;
    };
    return { kind: 'unpacked', files: await unpackAll(archive, { folder, headBytes, onBytes }) };
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
