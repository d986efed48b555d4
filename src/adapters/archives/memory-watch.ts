import { readFile } from 'node:fs/promises';

const LOOK_MS = 200;

/**
 * Calls `onExceeded` once when the process holds more memory than it may. Node's own limit counts only its heap. Where the system does not tell
 * (there is no /proc), that limit is all there is.
 */
export function watchMemory(pid: number, maxBytes: number, onExceeded: () => void): Disposable {
  const timer = setInterval(() => {
    void residentBytes(pid).then((bytes) => {
      if (bytes <= maxBytes) return;
      clearInterval(timer);
      onExceeded();
    });
  }, LOOK_MS);
  timer.unref();
  return {
    [Symbol.dispose]: () => {
      clearInterval(timer);
    },
  };
}

async function residentBytes(pid: number): Promise<number> {
  // A process that is gone holds nothing.
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
}
