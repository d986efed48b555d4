import { readdirSync, readFileSync } from 'node:fs';

/** What Linux tells of processes. */

const EVERY_MS = 100;
const TICKS_PER_SECOND = 100;
/** Where user and system time stand in `/proc/<pid>/stat`, counted from the state. */
const PLACES = { itself: [11, 12], 'ended children': [13, 14] } as const;

/** Seconds of the processor that a process has had, or its children that have ended. */
export function cpuSeconds(pid: number | 'self', whose: keyof typeof PLACES = 'itself'): number {
  const fields = read(`/proc/${pid}/stat`).split(') ')[1]?.split(' ') ?? [];
  return PLACES[whose].reduce((sum, place) => sum + Number(fields[place]), 0) / TICKS_PER_SECOND;
}

/** NaN when it has ended. */
export function residentMb(pid: number): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(read(`/proc/${pid}/status`))?.[1] ?? Number.NaN) / 1024;
}

/** Watches how much memory this process and its children hold, by what they run. */
export class PeakMemory {
  private readonly found = new Map<string, { readonly startMb: number; peakMb: number }>();
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

  toString(): string {
    const told = ([name, { startMb, peakMb }]: [string, { startMb: number; peakMb: number }]): string =>
      `${name} ${peakMb.toFixed(0)} MB (${(peakMb - startMb).toFixed(0)} more than at the start)`;
    return `at most resident: ${[...this.found].map(told).join(', ')}`;
  }

  private look(): void {
    this.note('this process', process.pid);
    for (const pid of childrenOf(process.pid)) this.note(nameOf(pid), pid);
  }

  private note(name: string, pid: number): void {
    const mb = residentMb(pid);
    if (Number.isNaN(mb) || name === '') return;
    const known = this.found.get(name) ?? { startMb: mb, peakMb: mb };
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

/** Empty when the process has just ended. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
