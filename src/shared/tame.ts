const UNPRINTABLE = /[\p{Cc}\u200B\u2028-\u202E\u2060\u2066-\u2069\uFEFF\u{E0000}-\u{E007F}]+/gu;

/** Text of unknown origin on one line: without control characters, and cut. */
export function tame(text: string, longest: number): string {
  return cut(text.replace(UNPRINTABLE, ' ').trim(), longest);
}

/** At most so many UTF-16 units, of which the last tells that there were more. No character is cut in half. */
export function cut(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
