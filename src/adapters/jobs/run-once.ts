import { FatalJobError } from '../../ports/job-queue.js';
import type { JobName } from '../../ports/jobs.js';
import type { Log } from '../../ports/log.js';
import { messageOf } from '../../shared/app-error.js';

export interface RunFailure {
  readonly error: Error;
  /** Trying again can't mend it. */
  readonly final: boolean;
}

/** Why a run is aborted. */
export const CANCELLED = 'it was cancelled';
export const STOPS = 'the service stops';

/** How long an aborted run may take to end before the queue goes on without it. */
const DEAF_AFTER_MS = 30_000;
/** The same when stopping, where somebody waits. */
export const DEAF_WHEN_STOPPING_MS = 1_000;

export type JobLogger = Pick<Log, 'warn' | 'error'>;

/**
 * Runs a job once and says how it failed, or `null`. Always ends, even when the handler does not listen to its signal. `signal` is not
 * aborted yet; its reason is a sentence.
 */
export async function runOnce(
  run: (signal: AbortSignal) => Promise<void>,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<RunFailure | null> {
  const abort = new AbortController();
  const end = (reason: string): void => {
    abort.abort(new Error(reason));
  };
  const timer = setTimeout(end, timeoutMs, `it took longer than ${timeoutMs} ms`);
  signal?.addEventListener('abort', () => {
    end(String(signal.reason));
  });
  try {
    await Promise.race([run(abort.signal), deafness(abort.signal)]);
    return null;
  } catch (thrown) {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown));
    return { error, final: error instanceof FatalJobError };
  } finally {
    clearTimeout(timer);
  }
}

interface FailedAttempt {
  readonly job: JobName;
  readonly key: string;
  /** 1 for the first. */
  readonly attempt: number;
  readonly attempts: number;
  readonly giveUp: (error: Error) => Promise<void>;
  readonly log: JobLogger;
}

/** Tells the log of a failed run, and gives the job up when nothing will retry. */
export async function isTriedAgain(
  { error, final }: RunFailure,
  { attempts, giveUp, log, ...job }: FailedAttempt,
): Promise<boolean> {
  const context = { ...job, reason: error.message };
  if (!final && job.attempt < attempts) {
    log.warn('a job failed and will be tried again', context);
    return true;
  }
  log.error('a job was given up', context);
  try {
    await giveUp(error);
  } catch (problem) {
    log.error('what a job leaves behind could not be recorded', { ...context, reason: messageOf(problem) });
  }
  return false;
}

/** Rejects some time after the signal; never when it is not given. */
function deafness(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const leave = (): void => {
      reject(new Error('it did not end when it was aborted'));
    };
    // Unreferenced: a run that doesn't end must not keep the process alive.
    signal.addEventListener('abort', () => setTimeout(leave, DEAF_AFTER_MS).unref());
  });
}
