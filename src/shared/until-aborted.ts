/** The outcome of the work, or the signal's reason thrown the moment it aborts; the work is then left to end by itself. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  // Whoever loses the race may still fail later, and nobody is left to hear it.
  work.catch(() => undefined);
  signal.throwIfAborted();
  let stop = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = (): void => {
      // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- the caller's own reason, whatever it is
      reject(signal.reason);
    };
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
