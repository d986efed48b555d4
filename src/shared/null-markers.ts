const WORDS = ['NA', 'N/A', 'N.A.', '#N/A', 'NaN', 'Null', 'None', 'k.A.'];

/** What stands in a cell of numbers, booleans or times when there is no value: in files, in inserted rows, for whoever reads them. */
export const NULL_MARKERS: readonly string[] = [
  ...new Set([
    '',
    '-',
    '--',
    '–',
    '—',
    '?',
    '.',
    ...WORDS.flatMap((word) => [word, word.toLowerCase(), word.toUpperCase()]),
  ]),
];

const MARKERS: ReadonlySet<string> = new Set(NULL_MARKERS);

/** True when a text says that there is no value. */
export function isNullMarker(text: string): boolean {
  return MARKERS.has(text.trim());
}
