/** How long a failure counts. */
export const WINDOW_MS = 15 * 60 * 1000;
const FREE_FAILURES = 5;
const FIRST_DELAY_MS = 5_000;
const LONGEST_DELAY_MS = WINDOW_MS;

/** Failed logins of one account, in milliseconds since 1970, oldest first. */
export type Failures = readonly number[];

/** Milliseconds until the next attempt is let through: 5 s after the fifth failure in 15 minutes, and twice as long after each further one. */
export function delayLeft(failures: Failures, now: number): number {
  const recent = withinWindow(failures, now);
  const last = recent.at(-1);
  if (last === undefined || recent.length < FREE_FAILURES) return 0;
  const delay = Math.min(FIRST_DELAY_MS * 2 ** (recent.length - FREE_FAILURES), LONGEST_DELAY_MS);
  return Math.max(last + delay - now, 0);
}

export function withFailure(failures: Failures, now: number): Failures {
  return [...withinWindow(failures, now), now];
}

function withinWindow(failures: Failures, now: number): Failures {
  return failures.filter((at) => at > now - WINDOW_MS);
}
