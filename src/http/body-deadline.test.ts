import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { afterEach, expect, it, vi } from 'vitest';
import { endInTime } from './body-deadline.js';

afterEach(() => vi.useRealTimers());

it('waits for the rest of a body, and not for that of a sender who has gone: a timer would keep all that belongs to the request', () => {
  vi.useFakeTimers();
  const raw = new IncomingMessage(new Socket());
  endInTime({ raw } as FastifyRequest);
  expect(vi.getTimerCount()).toBe(1);
  vi.runAllTimers();
  expect(raw.destroyed).toBe(true);
  endInTime({ raw } as FastifyRequest);
  expect(vi.getTimerCount()).toBe(0);
});
