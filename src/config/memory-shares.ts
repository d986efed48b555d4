import { readFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { join } from 'node:path';

const MIB = 1024 ** 2;
/** The service's own process, with the passages that it searches. */
const API_MB = 512;
/** Charts, documents, exports, and the sandbox that stands by. */
const OTHERS_MB = 512;
/** What a process takes beside what its database may. */
const OVERHEAD_MB = 512;
const LEAST_SANDBOX_MB = 320;
const MOST_SANDBOX_MB = 1024;
const MOST_SANDBOXES = 4;

/** What the processes may take, in MB. */
export interface MemoryShares {
  /** Of the database in the process. */
  readonly engine: number;
  readonly import: number;
  /** Of each sandbox, as its system counts it. */
  readonly sandbox: number;
  /** How many run at once. */
  readonly sandboxes: number;
}

export interface DividedMemory extends MemoryShares {
  /** What all of it comes to. */
  readonly sum: number;
  /** Of the engine's whole process. */
  readonly engineProcess: number;
}

/** Divides the memory there is; what is given stays as it is, and the rest is for the sandboxes. */
export function divided(memoryMb: number, given: Partial<MemoryShares>): DividedMemory {
  const aSixth = between(256, memoryMb / 6, 1024);
  const { engine = aSixth, import: forImport = aSixth } = given;
  const taken = API_MB + OTHERS_MB + engine + forImport + 2 * OVERHEAD_MB;
  const left = memoryMb - taken;
  const sandboxes = given.sandboxes ?? between(1, left / (given.sandbox ?? LEAST_SANDBOX_MB), MOST_SANDBOXES);
  const sandbox = given.sandbox ?? between(LEAST_SANDBOX_MB, left / sandboxes, MOST_SANDBOX_MB);
  const sum = taken + sandboxes * sandbox;
  // Medians and the like take memory that its database does not count: they may have what nobody else may.
  const engineProcess = engine + OVERHEAD_MB + Math.max(memoryMb - sum, 0);
  return { engine, import: forImport, sandbox, sandboxes, sum, engineProcess };
}

/** What this process and its children may take together: the container's limit, or all that the machine has. */
export function memoryMb(root = '/', machineBytes = totalmem()): number {
  const own = /^0::(.*)$/m.exec(textOf(join(root, 'proc/self/cgroup')))?.[1] ?? '';
  const files = [`${own}/memory.max`, 'memory.max', 'memory/memory.limit_in_bytes'];
  const limits = files.map((file) => Number.parseInt(textOf(join(root, 'sys/fs/cgroup', file)), 10));
  // Where there is no limit stands a word, or more than any machine has.
  return Math.floor(Math.min(machineBytes, ...limits.filter((limit) => limit > 0)) / MIB);
}

function between(least: number, wanted: number, most: number): number {
  return Math.floor(Math.min(Math.max(wanted, least), most));
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
