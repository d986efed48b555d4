import { describe, expect, it } from 'vitest';
import { Turns } from './turns.js';

describe('turns', () => {
  it('lets no more run at once than allowed, in the order in which they came', async () => {
    const turns = new Turns(2);
    const begun: number[] = [];
    const [first, second] = await Promise.all([turns.take(), turns.take()]);
    const come = async (number: number): Promise<() => void> => {
      const end = await turns.take();
      begun.push(number);
      return end;
    };
    const [third, fourth, fifth] = [come(1), come(2), come(3)];
    await Promise.resolve();
    expect(begun).toEqual([]);
    first();
    first();
    await third;
    expect(begun).toEqual([1]);
    second();
    (await fourth)();
    (await fifth)();
    expect(begun).toEqual([1, 2, 3]);
  });
});
