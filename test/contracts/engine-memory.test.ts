import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { EngineMemory } from '../../src/rows/engine/engine-database.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('ends the longest of what is long when there is too much, and the next only when that did not help', async () => {
  let bytes = 100;
  const memory = new EngineMemory(1000, () => bytes);
  using first = memory.watch();
  await vi.advanceTimersByTimeAsync(500);
  using second = memory.watch();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(first.tooMuch.aborted).toBe(false);
  bytes = 2000;
  await vi.advanceTimersByTimeAsync(100);
  expect(first.tooMuch.reason).toMatchObject({ kind: 'unavailable', message: 'not enough memory for this' });
  expect(second.tooMuch.aborted).toBe(false);
  await vi.advanceTimersByTimeAsync(300);
  expect(second.tooMuch.aborted).toBe(true);
});

it('leaves alone what is short, and looks no more when nothing runs', async () => {
  const bytes = vi.fn(() => 2000);
  const memory = new EngineMemory(1000, bytes);
  {
    using short = memory.watch();
    await vi.advanceTimersByTimeAsync(200);
    expect(short.tooMuch.aborted).toBe(false);
  }
  await vi.advanceTimersByTimeAsync(60_000);
  expect(bytes).not.toHaveBeenCalled();
});
