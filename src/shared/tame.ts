const UNPRINTABLE = /[\p{Cc}\u200B\u2028-\u202E\u2060\u2066-\u2069\uFEFF\u{E0000}-\u{E007F}]+/gu;

/** Text of unknown origin on one line: without control characters, and cut. */
export function tame(text: string, longest: number): string {
  const line = text.replace(UNPRINTABLE, ' ').trim();
  return line.length <= longest ? line : `${line.slice(0, longest - 1)}…`;
}
