import { inspect } from 'node:util';

/** Asks again until the answer is there; fails with the last answer when the time is over. */
export async function eventually<T>(
  ask: () => T | Promise<T>,
  isGood: (answer: T) => boolean,
  withinMs = 60_000,
): Promise<T> {
  const end = Date.now() + withinMs;
  let answer = await ask();
  while (!isGood(answer)) {
    if (Date.now() > end)
      throw new Error(`not within ${withinMs} ms; last: ${inspect(answer, { breakLength: Infinity }).slice(0, 500)}`);
    await new Promise((wake) => setTimeout(wake, 25));
    answer = await ask();
  }
  return answer;
}
