import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { childEntry } from '../adapters/processes/child-entry.js';
import { expendable } from '../adapters/processes/expendable.js';
import type { ExportOrder } from './export-protocol.js';
import { type ExportLimits, ExportStream } from './export-stream.js';

const ENTRY = childEntry(import.meta.url, './export.process');
/** How the folder of each export begins. */
const FOLDER = 'export-';
/** The database opens its output by name, which works with a pipe and not with the socket that node gives its children. */
const PIPED = '"$@" | cat';

/** Starts export processes, each in a folder of its own, and removes what they leave. */
export class ExportRuns {
  constructor(
    private readonly folder: string,
    private readonly limits: ExportLimits,
  ) {}

  /** Makes the folder, and removes what a service that was killed left there. Only for the owner of the data folder. */
  async open(): Promise<void> {
    await mkdir(this.folder, { recursive: true });
    const left = (await readdir(this.folder)).filter((name) => name.startsWith(FOLDER));
    await Promise.all(left.map((name) => rm(join(this.folder, name), { recursive: true, force: true })));
  }

  /** Resolves when the first bytes are there; `ended` is called when the process is gone, also when it never came up. */
  async start(order: ExportOrder, ended: () => void): Promise<ExportStream> {
    const stream = await this.begin(order, ended);
    await stream.started;
    return stream;
  }

  private async begin(order: ExportOrder, ended: () => void): Promise<ExportStream> {
    try {
      const own = await mkdtemp(join(this.folder, FOLDER));
      const stream = new ExportStream(processIn(own, order), this.limits);
      // What is left there harms nobody, and is removed at the next start.
      void stream.gone.then(() => rm(own, { recursive: true, force: true })).then(ended, ended);
      return stream;
    } catch (error) {
      ended();
      throw error;
    }
  }
}

function processIn(folder: string, order: ExportOrder): ChildProcess {
  const command = [process.execPath, ...ENTRY.execArgv, ENTRY.path];
  const child = spawn('sh', ['-c', PIPED, 'export', ...command], {
    cwd: folder,
    // A group of its own, so that all of it is ended at once.
    detached: true,
    // Nothing of the service's environment: it holds secrets.
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', TZ: 'UTC' },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  expendable(child, 'work');
  // A failure to send is the end of the process, which the stream hears of.
  child.send(order, () => undefined);
  return child;
}
