import { FatalJobError, type JobHandlers } from '../../ports/job-queue.js';
import type { QueuedJob } from './job-line.js';

export interface RunLimits {
  readonly abort: AbortController;
  readonly timeoutMs: number;
  /** A run that has not ended so long after it was aborted is left to itself. */
  readonly deafAfterMs: number;
}

export interface RunFailure {
  readonly error: Error;
  /** Trying again can't mend it. */
  readonly final: boolean;
}

/** Runs a job once and says how it failed, or `null`. Always ends, even when the handler does not listen to its signal. */
export async function runOnce(job: QueuedJob, handlers: JobHandlers, limits: RunLimits): Promise<RunFailure | null> {
  const { abort, timeoutMs, deafAfterMs } = limits;
  const timer = setTimeout(() => {
    abort.abort(new Error(`it took longer than ${timeoutMs} ms`));
  }, timeoutMs);
  try {
    await Promise.race([begin(job, handlers, abort.signal), deafness(abort.signal, deafAfterMs)]);
    return null;
  } catch (thrown) {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown));
    return { error, final: error instanceof FatalJobError };
  } finally {
    clearTimeout(timer);
  }
}

/** Async, so that a handler that throws before its first await fails like any other. */
async function begin(job: QueuedJob, handlers: JobHandlers, signal: AbortSignal): Promise<void> {
  await job.run(handlers, signal);
}

/** Rejects some time after the signal; never when it is not given. */
function deafness(signal: AbortSignal, afterMs: number): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener(
      'abort',
      () => {
        // Unreferenced: a run that doesn't end must not keep the process alive.
        setTimeout(() => {
          reject(new Error('it did not end when it was aborted'));
        }, afterMs).unref();
      },
      { once: true },
    );
  });
}
