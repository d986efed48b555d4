import { expect, it, vi } from 'vitest';
import { startTestApi } from '../support/test-api.js';

// A start that has no Redis must not take the time and memory of its queue.
vi.mock('bullmq', () => {
  throw new Error('bullmq was loaded');
});
vi.mock('@nestjs/bullmq', () => {
  throw new Error('@nestjs/bullmq was loaded');
});
// Nor what guesses and decodes encodings, which the processes that read files need.
vi.mock('chardet', () => {
  throw new Error('chardet was loaded');
});
vi.mock('iconv-lite', () => {
  throw new Error('iconv-lite was loaded');
});

it('starts without Redis, and loads nothing that it has no use for', async () => {
  await using api = await startTestApi();
  expect((await api.stranger().get('/health/ready')).status).toBe(200);
  await expect(import('../../src/adapters/bullmq/bullmq.module.js')).rejects.toThrow();
});
