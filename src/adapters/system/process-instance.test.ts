import { expect, it } from 'vitest';
import { ProcessInstance } from './process-instance.js';

it('a process is another at every start, and alone when it is told so', () => {
  const [first, second] = [new ProcessInstance(true), new ProcessInstance(false)];
  expect(first.id).not.toBe(second.id);
  expect(first.id).toMatch(/^[0-9a-f-]{36}$/);
  expect([first.alone, second.alone]).toEqual([true, false]);
});
