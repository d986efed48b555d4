import { describe, expect, it } from 'vitest';
import { headBytesOf } from './upload-files.js';

const MIB = 1024 ** 2;

function files(count: number, mebibytes: number): readonly { readonly size: number }[] {
  return Array.from({ length: count }, () => ({ size: mebibytes * MIB }));
}

describe('what is unpacked of each file to describe an archive', () => {
  it.each([
    ['one of 256 MiB', files(1, 256), null],
    ['one of 257 MiB', files(1, 257), 8 * MIB],
    ['64 of 4 MiB', files(64, 4), null],
    ['64 of 5 MiB', files(64, 5), 4 * MIB],
    ['65 of half a MiB', files(65, 0.49), null],
    ['128 of 1 MiB', files(128, 1), MIB / 4],
    ['1000 of 40 MiB', files(1000, 40), Math.floor((32 * MIB) / 1000)],
    ['none', [], null],
  ])('%s', (_, entries, wanted) => {
    expect(headBytesOf(entries)).toBe(wanted);
  });
});
