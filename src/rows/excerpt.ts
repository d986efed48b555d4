const MOST_BYTES_A_UNIT = 3;

/** The beginning of a text in UTF-8, as a report shows it: so many UTF-16 units at most, and no half of a character at the end. */
export function excerptOf(bytes: Buffer, mostUnits: number): string {
  const text = bytes
    .toString('utf8', 0, Math.min(bytes.length, (mostUnits + 1) * MOST_BYTES_A_UNIT))
    .slice(0, mostUnits);
  return /[\uD800-\uDBFF]$/.test(text) ? text.slice(0, -1) : text;
}
