import { readdirSync, readFileSync } from 'node:fs';

const EVERY_MS = 100;

interface Peak {
  readonly name: string;
  readonly startMb: number;
  peakMb: number;
}

/** Watches how much memory this process and its children hold, by what they run. Linux only. */
export class PeakMemory {
  private readonly found = new Map<string, Peak>();
  private timer: NodeJS.Timeout | undefined;

  watch(): void {
    this.look();
    this.timer = setInterval(() => {
      this.look();
    }, EVERY_MS);
  }

  rest(): void {
    clearInterval(this.timer);
  }

  peaks(): readonly { readonly name: string; readonly peakMb: number; readonly grewMb: number }[] {
    return [...this.found.values()].map(({ name, startMb, peakMb }) => ({ name, peakMb, grewMb: peakMb - startMb }));
  }

  private look(): void {
    this.note('this process', process.pid);
    for (const pid of childrenOf(process.pid)) this.note(nameOf(pid), pid);
  }

  private note(name: string, pid: number): void {
    const mb = residentMb(pid);
    if (mb === null || name === '') return;
    const known = this.found.get(name) ?? { name, startMb: mb, peakMb: mb };
    known.peakMb = Math.max(known.peakMb, mb);
    this.found.set(name, known);
  }
}

function childrenOf(pid: number): readonly number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    read(`/proc/${pid}/task/${task}/children`).split(' ').filter(Boolean).map(Number),
  );
}

/** What a child of ours runs: `import`, `engine` … */
function nameOf(pid: number): string {
  return /([\w-]+)\.process\.[jt]s/.exec(read(`/proc/${pid}/cmdline`))?.[1] ?? '';
}

function residentMb(pid: number): number | null {
  const kilobytes = /VmRSS:\s+(\d+) kB/.exec(read(`/proc/${pid}/status`))?.[1];
  return kilobytes === undefined ? null : Number(kilobytes) / 1024;
}

/** Empty when the process has just ended. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
