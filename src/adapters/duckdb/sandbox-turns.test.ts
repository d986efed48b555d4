import { describe, expect, it, vi } from 'vitest';
import { SandboxTurns } from './sandbox-turns.js';

const LONG = 60_000;

describe('turns', () => {
  it('go to as many at once as there are, then to who waits longest', async () => {
    const turns = new SandboxTurns(1, 10);
    const order: string[] = [];
    const first = await turns.take(LONG);
    const second = turns.take(LONG).then((done) => {
      order.push('second');
      done();
    });
    const third = turns.take(LONG).then((done) => {
      order.push('third');
      done();
    });
    expect(order).toEqual([]);
    first();
    await Promise.all([second, third]);
    expect(order).toEqual(['second', 'third']);
  });

  it('are refused when too many wait', async () => {
    const turns = new SandboxTurns(1, 1);
    await turns.take(LONG);
    void turns.take(LONG);
    await expect(turns.take(LONG)).rejects.toMatchObject({ kind: 'unavailable' });
  });

  it('are refused to who waited too long, who then holds nobody up', async () => {
    vi.useFakeTimers();
    const turns = new SandboxTurns(1, 1);
    const done = await turns.take(LONG);
    const late = expect(turns.take(100)).rejects.toMatchObject({ kind: 'unavailable' });
    await vi.advanceTimersByTimeAsync(100);
    await late;
    vi.useRealTimers();
    done();
    await expect(turns.take(LONG)).resolves.toBeTypeOf('function');
  });

  it('count once, however often they are given back', async () => {
    const turns = new SandboxTurns(1, 1);
    const done = await turns.take(LONG);
    done();
    done();
    await turns.take(LONG);
    await expect(turns.take(0)).rejects.toMatchObject({ kind: 'unavailable' });
  });

  it('end when they are closed, for who waits, too', async () => {
    const turns = new SandboxTurns(1, 1);
    await turns.take(LONG);
    const waiting = expect(turns.take(LONG)).rejects.toMatchObject({ kind: 'unavailable' });
    turns.close();
    await waiting;
    await expect(turns.take(LONG)).rejects.toMatchObject({ kind: 'unavailable' });
  });
});
