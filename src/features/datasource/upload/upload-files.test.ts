import { describe, expect, it } from 'vitest';
import { headBytesOf } from './upload-files.js';

const MIB = 1024 ** 2;

describe('what is unpacked of each file to describe an archive', () => {
  it.each([
    [0, 0, null],
    [1, 256, null],
    [1, 257, 8 * MIB],
    [64, 4, null],
    [64, 5, 4 * MIB],
    [65, 0.49, null],
    [128, 1, MIB / 4],
    [1000, 40, Math.floor((32 * MIB) / 1000)],
  ])('of %i of %d MiB', (length, mebibytes, wanted) => {
    expect(headBytesOf(Array.from({ length }, () => ({ size: mebibytes * MIB })))).toBe(wanted);
  });
});
