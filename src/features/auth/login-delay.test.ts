import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { delayLeft, withFailure, type Failures } from './login-limits.js';

const MINUTE = 60_000;
const START = 1_000_000_000;

/** That many failures, each as soon as the delay allows. */
function failuresAsFastAsAllowed(count: number): { readonly failures: Failures; readonly now: number } {
  let failures: Failures = [];
  let now = START;
  for (let index = 0; index < count; index += 1) {
    now += delayLeft(failures, now);
    failures = withFailure(failures, now);
  }
  return { failures, now };
}

describe('the delay of an account', () => {
  it('is five seconds after the fifth failure and doubles with each further one', () => {
    const delays = [5, 6, 7, 8].map((count) => {
      const { failures, now } = failuresAsFastAsAllowed(count);
      return delayLeft(failures, now);
    });
    expect(delays).toEqual([5_000, 10_000, 20_000, 40_000]);
  });

  it('forgets failures after 15 minutes', () => {
    const { failures, now } = failuresAsFastAsAllowed(5);
    expect(withFailure(failures, now + 15 * MINUTE)).toEqual([now + 15 * MINUTE]);
  });

  it('never keeps anybody out for more than 15 minutes, and never lets more than 40 guesses an hour through', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 20 * MINUTE }), { maxLength: 100 }), (pauses) => {
        let failures: Failures = [];
        let now = START;
        const attempts: number[] = [];
        for (const pause of pauses) {
          const wait = delayLeft(failures, now);
          expect(wait).toBeLessThanOrEqual(15 * MINUTE);
          if (wait === 0) {
            failures = withFailure(failures, now);
            attempts.push(now);
          }
          now += pause;
        }
        for (const from of attempts) {
          expect(attempts.filter((at) => at >= from && at < from + 60 * MINUTE).length).toBeLessThanOrEqual(40);
        }
      }),
    );
  });
});
