import { describe, expect, it } from 'vitest';
import { asId, isId, type Id } from '../../shared/ids.js';
import { RandomIdSource } from './random-id-source.js';

class Hands {
  constructor(public time = new Date('2026-01-15T12:00:00Z')) {}
  now = (): Date => this.time;
}

function expectInOrder(made: readonly string[]): void {
  expect(made).toEqual([...made].sort());
  expect(new Set(made).size).toBe(made.length);
}

describe('RandomIdSource', () => {
  it('makes ids of the right form, which tell the second they were made in', () => {
    const id = new RandomIdSource(new Hands(new Date('2026-01-15T12:00:00.999Z'))).next();
    expect(isId(id)).toBe(true);
    expect(Number.parseInt(id.slice(0, 8), 16)).toBe(Date.parse('2026-01-15T12:00:00Z') / 1000);
  });

  it('makes ids that sort by the millisecond, whichever instance makes them, and when one sets its clock back', () => {
    const hands = new Hands();
    const instances = [new RandomIdSource(hands), new RandomIdSource(hands)];
    const inTurn = Array.from({ length: 3_000 }, (_, index) => {
      hands.time = new Date(hands.time.getTime() + 1);
      return instances[index % 2]!.next<never>();
    });
    expectInOrder(inTurn);
    const jumping = Array.from({ length: 5_000 }, (_, index) => {
      if (index % 100 === 0) hands.time = new Date(hands.time.getTime() + (index % 300 === 0 ? -10_000 : 7_001));
      return instances[0]!.next<never>();
    });
    expectInOrder(jumping);
  });

  it('makes ids behind another’s, though its own clock is behind', () => {
    const ahead = new RandomIdSource(new Hands(new Date('2026-01-15T12:00:07.999Z')));
    const behind = new RandomIdSource(new Hands());
    const made: string[] = [];
    for (let index = 0; index < 100; index += 1) {
      const last = ahead.next<Id<string>>();
      made.push(last, behind.next(last), behind.next());
      ahead.next(asId(made.at(-1)!));
    }
    expectInOrder(made);
  });

  it('goes on in order when the count of a millisecond is used up', () => {
    const ids = new RandomIdSource(new Hands(), 1_000);
    const made = Array.from({ length: 5_000 }, () => ids.next<never>() as string);
    expectInOrder(made);
    expect(new Set(made.map((id) => BigInt(`0x${id.slice(0, 14)}`) >> 14n)).size).toBeGreaterThan(4);
  });

  it('leaves nothing to guess from one id to the next but by luck', () => {
    const ids = new RandomIdSource(new Hands());
    const tails = Array.from({ length: 2_000 }, () => ids.next().slice(14));
    expect(new Set(tails).size).toBe(tails.length);
    const ones = tails.map((tail) => Number.parseInt(tail, 16).toString(2).replaceAll('0', '').length);
    const mean = ones.reduce((sum, each) => sum + each, 0) / ones.length;
    expect(mean).toBeGreaterThan(19.5);
    expect(mean).toBeLessThan(20.5);
  });
});
