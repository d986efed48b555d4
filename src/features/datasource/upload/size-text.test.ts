import { describe, expect, it } from 'vitest';
import { sizeText } from './size-text.js';

describe('a size in words', () => {
  it.each([
    [0, '0 bytes'],
    [1023, '1023 bytes'],
    [1024, '1 KiB'],
    [1.5 * 1024 ** 2, '1.5 MiB'],
    [1024 ** 3 - 1, '1023.9 MiB'],
    [10 * 1024 ** 3, '10 GiB'],
    [5000 * 1024 ** 4, '5000 TiB'],
  ])('%d is %s', (bytes, text) => {
    expect(sizeText(bytes)).toBe(text);
  });
});
