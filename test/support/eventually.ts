import { inspect } from 'node:util';

const [SHORTEST_MS, LONGEST_MS] = [25, 100];

/** Asks again until the answer is there, the longer it takes the less often; fails with the last answer when the time is over. */
export async function eventually<T>(
  ask: () => T | Promise<T>,
  isGood: (answer: T) => boolean,
  withinMs = 60_000,
): Promise<T> {
  const began = Date.now();
  let answer = await ask();
  while (!isGood(answer)) {
    const waited = Date.now() - began;
    if (waited > withinMs)
      throw new Error(`not within ${withinMs} ms; last: ${inspect(answer, { breakLength: Infinity }).slice(0, 500)}`);
    await new Promise((wake) => setTimeout(wake, Math.min(Math.max(waited / 20, SHORTEST_MS), LONGEST_MS)));
    answer = await ask();
  }
  return answer;
}
