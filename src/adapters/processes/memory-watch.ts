import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** Memory can grow by half a gigabyte in a second, so it is looked at often where looking is cheap. */
const LOOK_MS = process.platform === 'linux' ? 25 : 250;

/**
 * Looks from outside at the memory of a process, again and again: what is inside cannot be trusted to count, and limits that the
 * engine has itself do not cover its byte buffers.
 */
export class MemoryWatch {
  /** The most that was seen, in bytes. */
  peakBytes = 0;
  private readonly timer = setInterval(() => void this.look(), LOOK_MS);
  private isStopped = false;

  constructor(
    private readonly pid: number,
    private readonly mostBytes: number,
    private readonly onTooMuch: () => void,
  ) {}

  stop(): void {
    this.isStopped = true;
    clearInterval(this.timer);
  }

  private async look(): Promise<void> {
    const bytes = await memoryOf(this.pid);
    if (this.isStopped) return;
    this.peakBytes = Math.max(this.peakBytes, bytes);
    if (bytes > this.mostBytes) this.onTooMuch();
  }
}

/** Resident memory of a process in bytes; 0 when there is none, or nobody can tell. */
async function memoryOf(pid: number): Promise<number> {
  try {
    if (process.platform === 'linux') {
      const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? [];
      return Number(kibibytes ?? 0) * 1024;
    }
    const { stdout } = await run('ps', ['-o', 'rss=', '-p', String(pid)]);
    return (Number.parseInt(stdout, 10) || 0) * 1024;
  } catch {
    // It has just ended, of which its owner hears in another way.
    return 0;
  }
}
