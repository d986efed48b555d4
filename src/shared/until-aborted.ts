const ABORTED = Symbol('aborted');

/** The outcome of the work, or the signal's reason thrown the moment it aborts; the work is then left to end by itself. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  // Whoever loses the race may still fail later, and nobody is left to hear it.
  work.catch(() => undefined);
  signal.throwIfAborted();
  let stop = (): void => undefined;
  const aborted = new Promise<typeof ABORTED>((resolve) => {
    stop = (): void => {
      resolve(ABORTED);
    };
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    const winner = await Promise.race([work, aborted]);
    if (winner !== ABORTED) return winner;
  } finally {
    signal.removeEventListener('abort', stop);
  }
  signal.throwIfAborted();
  throw new Error('aborted');
}
