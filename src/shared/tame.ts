const UNPRINTABLE = /[\p{Cc}\u202A-\u202E\u2066-\u2069\u{E0000}-\u{E007F}]+/gu;

/** Text of unknown origin on one line: without control characters, and cut. */
export function tame(text: string, longest: number): string {
  const line = text.replace(UNPRINTABLE, ' ').trim();
  return line.length <= longest ? line : `${line.slice(0, longest - 1)}…`;
}
