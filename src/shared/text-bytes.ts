// What the first bytes of a text tell by themselves. Whoever looks no further need not load what guesses and decodes.

/** Byte order marks; the longer one first, which begins like the shorter. */
const MARKS: readonly (readonly [mark: Buffer, encoding: string])[] = [
  [Buffer.from([0xef, 0xbb, 0xbf]), 'utf-8'],
  [Buffer.from([0xff, 0xfe, 0, 0]), 'utf-32le'],
  [Buffer.from([0, 0, 0xfe, 0xff]), 'utf-32be'],
  [Buffer.from([0xff, 0xfe]), 'utf-16le'],
  [Buffer.from([0xfe, 0xff]), 'utf-16be'],
];
/** Of the halves of characters; a single zero says nothing. */
const LEAST_ZEROS = 0.05;
const LOOKED_AT_BYTES = 64 * 1024;

/** As a name that iconv knows, when the bytes begin with a byte order mark, or every second one of them may be zero. */
export function wideEncodingOf(head: Buffer): string | null {
  const [, marked] = MARKS.find(([mark]) => head.subarray(0, mark.length).equals(mark)) ?? [];
  return marked ?? unmarkedUtf16Of(head.subarray(0, LOOKED_AT_BYTES));
}

/** UTF-16 without a mark: zero bytes are always the same half of a character, at the latest that of spaces and line breaks. */
function unmarkedUtf16Of(head: Buffer): string | null {
  const zeros: [even: number, odd: number] = [0, 0];
  for (let at = 0; at < head.length; at++) if (head[at] === 0) zeros[at % 2 === 0 ? 0 : 1]++;
  const [even, odd] = zeros;
  const least = Math.max(1, (head.length / 2) * LEAST_ZEROS);
  if (odd > least && even < odd / 10) return 'utf-16le';
  return even > least && odd < even / 10 ? 'utf-16be' : null;
}

/** Without the character of UTF-8 that the end of a sample may have cut. */
export function withoutCutEnd(sample: Buffer): Buffer {
  let end = sample.length;
  while (sample.length - end < 4 && ((sample[end - 1] ?? 0) & 0xc0) === 0x80) end--;
  return sample.subarray(0, (sample[end - 1] ?? 0) >= 0x80 ? end - 1 : end);
}
