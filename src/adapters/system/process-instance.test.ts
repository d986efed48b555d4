import { describe, expect, it } from 'vitest';
import { ProcessInstance } from './process-instance.js';
import { SystemClock } from './system-clock.js';

describe('ProcessInstance', () => {
  it('is another at every start, and alone when it is told so', () => {
    const [first, second] = [new ProcessInstance(true), new ProcessInstance(false)];
    expect(first.id).not.toBe(second.id);
    expect(first.id).toMatch(/^[0-9a-f-]{36}$/);
    expect([first.alone, second.alone]).toEqual([true, false]);
  });
});

describe('SystemClock', () => {
  it('goes on', () => {
    const before = Date.now();
    const now = new SystemClock().now().getTime();
    expect(now).toBeGreaterThanOrEqual(before);
    expect(now).toBeLessThanOrEqual(Date.now());
  });
});
