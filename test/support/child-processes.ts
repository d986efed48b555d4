import { readdir, readFile } from 'node:fs/promises';

export interface LookedAt {
  readonly pid: number;
  /** What it was started with. */
  readonly command: string;
  /** Resident. */
  readonly bytes: number;
  /** How soon the kernel ends it when there is no memory left. */
  readonly oomScore: number;
}

/** Processes that this one has started and that run now, on Linux. */
export async function childProcesses(of = process.pid): Promise<readonly LookedAt[]> {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0);
  const looked = await Promise.all(pids.map((pid) => lookedAt(pid, of)));
  return looked.filter((one) => one !== null);
}

async function lookedAt(pid: number, parent: number): Promise<LookedAt | null> {
  try {
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    if (Number(/^PPid:\s+(\d+)/m.exec(status)?.[1]) !== parent) return null;
    const bytes = Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) * 1024;
    const command = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ');
    return { pid, command, bytes, oomScore: Number(await readFile(`/proc/${pid}/oom_score_adj`, 'utf8')) };
  } catch {
    // It has just ended.
    return null;
  }
}
