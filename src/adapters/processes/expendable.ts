import { type ChildProcess } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';

/** Who is ended first when the machine or the container runs out of memory; the service's own process comes last. */
export const EXPENDABLE = {
  /** Everybody waits for it. */
  engine: 200,
  /** It is begun again, or asked for again. */
  work: 500,
  /** It works on what strangers wrote. */
  stranger: 800,
} as const;

const MOST = 1000;

/** Makes the kernel end the child before this process. Called right after its start; nothing happens where that is not allowed. */
export function expendable({ pid }: ChildProcess, before: keyof typeof EXPENDABLE): void {
  try {
    const own = Number(readFileSync('/proc/self/oom_score_adj', 'utf8'));
    writeFileSync(`/proc/${pid ?? 0}/oom_score_adj`, String(Math.min(own + EXPENDABLE[before], MOST)));
  } catch {
    // Not on this system, or the child is gone already.
  }
}

/** Lets everybody else have the processor first: the service goes on beside any number of statements without an end. */
export function yielding({ pid }: Pick<ChildProcess, 'pid'>): void {
  try {
    if (pid !== undefined) setPriority(pid, 10);
  } catch {
    // It is gone already, or not every system lets a process do that.
  }
}
