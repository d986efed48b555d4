import { describe, expect, it } from 'vitest';
import { nextBucket } from './time-words.js';

describe('pieces of time', () => {
  it.each([
    ['month', '2024-01-01', '2024-02-01'],
    ['month', '2024-12-01', '2025-01-01'],
    ['quarter', '2024-10-01', '2025-01-01'],
    ['year', '2024-01-01', '2025-01-01'],
    ['week', '2024-02-26', '2024-03-04'],
  ] as const)('know how long a %s is', (bucket, from, to) => {
    expect(nextBucket(Date.parse(from), bucket)).toBe(Date.parse(to));
  });
});
