/** Longest name of a column. */
const LONGEST_NAME = 200;

/**
 * Names for all columns, none empty and all different, in upper and lower case too, because in SQL `Temp` and `temp` are one: a name
 * that was there before gets a number, one that is missing is called after its place.
 */
export function columnNames(header: readonly string[], count: number): readonly string[] {
  const cleaned = Array.from({ length: count }, (_, index) => cleanName(header[index] ?? '') || `column${index + 1}`);
  const taken = new Set<string>();
  const written = new Set(cleaned.map((name) => name.toLowerCase()));
  return cleaned.map((name) => {
    const free = taken.has(name.toLowerCase()) ? numbered(name, written) : name;
    taken.add(free.toLowerCase());
    written.add(free.toLowerCase());
    return free;
  });
}

/** A name is one line, without what can't be seen. */
function cleanName(name: string): string {
  return name
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
    .slice(0, LONGEST_NAME)
    .trim();
}

function numbered(name: string, written: ReadonlySet<string>): string {
  let number = 2;
  while (written.has(`${name}_${number}`.toLowerCase())) number++;
  return `${name}_${number}`;
}
