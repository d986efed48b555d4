import { FatalJobError } from '../../ports/job-queue.js';

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

/** How long an aborted run may take to end before the queue goes on without it. */
export const DEAF_AFTER_MS = 30_000;
/** The same when stopping, where somebody waits. */
export const DEAF_WHEN_STOPPING_MS = 1_000;

/** Where failures of jobs are told. */
export interface JobLogger {
  warn(message: string, context: object): void;
  error(message: string, context: object): void;
}

/** Runs a job once and says how it failed, or `null`. Always ends, even when the handler does not listen to its signal. */
export async function runOnce(
  run: (signal: AbortSignal) => Promise<void>,
  { abort, timeoutMs, deafAfterMs }: RunLimits,
): Promise<RunFailure | null> {
  const timer = setTimeout(() => {
    abort.abort(new Error(`it took longer than ${timeoutMs} ms`));
  }, timeoutMs);
  try {
    await Promise.race([begin(run, abort.signal), deafness(abort.signal, deafAfterMs)]);
    return null;
  } catch (thrown) {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown));
    return { error, final: error instanceof FatalJobError };
  } finally {
    clearTimeout(timer);
  }
}

/** Async, so that a handler that throws before its first await fails like any other. */
async function begin(run: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void> {
  await run(signal);
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
