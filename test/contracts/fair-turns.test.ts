import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type FairRules, FairTurns, type Turn } from '../../src/shared/fair-turns.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Somebody who asks for turns, and for the next one as soon as one has ended. */
class Askers {
  readonly served = new Map<string, number>();
  readonly running: { key: string; turn: Turn }[] = [];

  constructor(readonly turns: FairTurns) {}

  ask(key: string, times: number): void {
    for (let time = 0; time < times; time += 1) {
      void this.turns.take(key).then(
        (turn) => {
          this.served.set(key, (this.served.get(key) ?? 0) + 1);
          this.running.push({ key, turn });
        },
        () => undefined,
      );
    }
  }

  get keys(): readonly string[] {
    return this.running.map(({ key }) => key);
  }

  async endFirst(key?: string): Promise<void> {
    const index = key === undefined ? 0 : this.keys.indexOf(key);
    this.running.splice(index, 1)[0]?.turn[Symbol.dispose]();
    await vi.advanceTimersByTimeAsync(0);
  }
}

async function askersOf(rules: FairRules, asked: Readonly<Record<string, number>>): Promise<Askers> {
  const askers = new Askers(new FairTurns(rules));
  for (const [key, times] of Object.entries(asked)) askers.ask(key, times);
  await vi.advanceTimersByTimeAsync(0);
  return askers;
}

describe('fair turns', () => {
  it('keep a place for who has none running, however many somebody else asks for', async () => {
    const askers = await askersOf({ atOnce: 4 }, { flood: 24 });
    expect(askers.keys).toEqual(['flood', 'flood', 'flood']);
    askers.ask('other', 1);
    await vi.advanceTimersByTimeAsync(0);
    expect(askers.keys).toEqual(['flood', 'flood', 'flood', 'other']);
  });

  it('go round among those who wait, so that two who never stop share equally', async () => {
    const askers = await askersOf({ atOnce: 4 }, { one: 200, other: 200 });
    for (let ended = 0; ended < 100; ended += 1) await askers.endFirst();
    const [one = 0, other = 0] = [askers.served.get('one'), askers.served.get('other')];
    expect(one + other).toBeGreaterThan(100);
    // Who came first began three before there was another.
    expect(Math.abs(one - other)).toBeLessThanOrEqual(3);
  });

  it('go to who has fewer running, and to who came first among those of one key', async () => {
    const order: number[] = [];
    const turns = new FairTurns({ atOnce: 4 });
    const [one, , two] = [await turns.take('a'), await turns.take('a'), await turns.take('b')];
    for (const [number, key] of ['a', 'b', 'c', 'b'].entries()) {
      const come = turns.take(key);
      void come.then(() => order.push(number));
    }
    // Nobody of 'c' has a turn: it gets the place that was kept. The next place is kept again.
    await vi.advanceTimersByTimeAsync(0);
    expect(order).toEqual([2]);
    two[Symbol.dispose]();
    one[Symbol.dispose]();
    await vi.advanceTimersByTimeAsync(0);
    expect(order).toEqual([2, 1]);
  });

  it('are refused to who has too many waiting, and to nobody else', async () => {
    const { turns } = await askersOf({ atOnce: 1, mostWaiting: 2 }, { flood: 3 });
    await expect(turns.take('flood')).rejects.toMatchObject({ kind: 'unavailable', retryAfter: 2 });
    const other = turns.take('other', 100).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(100);
    expect(await other).toMatchObject({ kind: 'unavailable' });
  });

  it('are refused to who waited too long, who then holds nobody up, and count once, however often they are given back', async () => {
    const turns = new FairTurns({ atOnce: 1, mostWaiting: 1 });
    const held = await turns.take('a');
    const late = turns.take('a', 100).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(100);
    expect(await late).toMatchObject({ kind: 'unavailable' });
    held[Symbol.dispose]();
    held[Symbol.dispose]();
    await expect(turns.take('a')).resolves.toBeDefined();
    const next = turns.take('a', 1).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(1);
    expect(await next).toMatchObject({ kind: 'unavailable' });
  });

  it('end when they are closed, for who waits, too', async () => {
    const { turns } = await askersOf({ atOnce: 1 }, { a: 1 });
    const waiting = turns.take('a').catch((error: unknown) => error);
    turns.close();
    expect(await waiting).toMatchObject({ kind: 'unavailable' });
    await expect(turns.take('a')).rejects.toMatchObject({ kind: 'unavailable' });
  });
});

describe('a long turn', () => {
  const RULES = { atOnce: 4, graceMs: 1000 };

  it('is cut, the longest first, when others have waited behind its key for the grace', async () => {
    const askers = await askersOf(RULES, { flood: 24, one: 1 });
    const [longest, second] = askers.running;
    await vi.advanceTimersByTimeAsync(5000);
    askers.ask('other', 1);
    await vi.advanceTimersByTimeAsync(999);
    expect(longest?.turn.cut.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(longest?.turn.cut.reason).toMatchObject({
      kind: 'timed_out',
      message: expect.stringMatching(/others/) as string,
    });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(second?.turn.cut.aborted).toBe(false);
    await askers.endFirst('flood');
    expect(askers.keys).toEqual(['flood', 'flood', 'one', 'other']);
  });

  it('goes on while nobody waits but its own company, or who has as many', async () => {
    const alone = await askersOf(RULES, { flood: 24 });
    const shared = await askersOf({ ...RULES, atOnce: 2 }, { one: 12, other: 12 });
    await vi.advanceTimersByTimeAsync(60_000);
    expect([...alone.running, ...shared.running].filter(({ turn }) => turn.cut.aborted)).toEqual([]);
  });
});
