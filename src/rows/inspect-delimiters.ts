import type { TextLines } from './inspect-records.js';

/** A sign that may part the cells. */
export interface DelimiterCandidate {
  readonly delimiter: string;
  /** What it has to be better by than one that is in common use. */
  readonly handicap: number;
  /** It also stands in times, paths, texts: it must part the header, too, or give several columns. */
  readonly isDoubtful: boolean;
}

export const COMMON_DELIMITERS: readonly string[] = [',', ';', '\t', '|'];
/** Signs that stand in no text by chance, as control characters do not. */
const RARE: readonly string[] = ['^', '~', '¦', '§', '¬'];
const LOOKED_AT_LINES = 100;
const SHARE_OF_LINES = 0.5;
const MOST_CANDIDATES = 12;
const SHARE_IN_RUNS = 0.45;
/** UTF-8 */
const LONGEST_DELIMITER = 4;
const LONGEST_LINE = 4096;

/** No quotes, nor what numbers, prices, brackets and addresses are made of. */
const PLAIN_SIGN = /[^\p{L}\p{N}\p{Sc}\p{Ps}\p{Pe}"'`+\-._\n\r\\?=%@<>]/gu;
const RUN = /[^\p{L}\p{N}\s"'`+\-._\\]{2,12}/gu;

/** Signs that are in so many lines that they may part the cells; the common ones first. */
export function delimiterCandidates(lines: TextLines): readonly DelimiterCandidate[] {
  const looked = lookedAt(lines);
  const counts = new Map<string, number>();
  for (const line of looked) {
    for (const sign of signsIn(line)) counts.set(sign, (counts.get(sign) ?? 0) + 1);
  }
  const least = Math.max(1, looked.length * SHARE_OF_LINES);
  const others = [...counts]
    .filter(([sign, count]) => count >= least && !COMMON_DELIMITERS.includes(sign) && isWhole(sign, looked))
    .sort(([, one], [, other]) => other - one)
    .slice(0, MOST_CANDIDATES)
    .map(([sign]) => candidateOf(sign));
  const common = COMMON_DELIMITERS.filter((sign) => counts.has(sign)).map(candidateOf);
  return [...common, ...others];
}

export function candidateOf(delimiter: string): DelimiterCandidate {
  if (COMMON_DELIMITERS.includes(delimiter)) return { delimiter, handicap: 0, isDoubtful: false };
  // A run that always stands together is better than one of its signs, but for the slashes of addresses.
  if (delimiter.length > 1 && !delimiter.includes('/')) {
    const isEven = [...new Set(delimiter)].length === 1 || delimiter.startsWith(delimiter.slice(-1));
    return { delimiter, handicap: isEven ? -0.02 : 0.02, isDoubtful: false };
  }
  return RARE.includes(delimiter) || delimiter < ' '
    ? { delimiter, handicap: 0.05, isDoubtful: false }
    : { delimiter, handicap: 0.35, isDoubtful: true };
}

/** From the middle, too: there may be many lines of remarks before the table. */
function lookedAt({ text, starts, ends }: TextLines): readonly string[] {
  const all = starts.flatMap((start, index) => {
    const end = ends[index] ?? start;
    return end > start ? [text.slice(start, Math.min(end, start + LONGEST_LINE))] : [];
  });
  if (all.length <= 2 * LOOKED_AT_LINES) return all;
  const middle = Math.floor(all.length / 2);
  return [...all.slice(0, LOOKED_AT_LINES), ...all.slice(middle, middle + LOOKED_AT_LINES)];
}

/** Its signs seldom stand alone, and it is no delimiter between quotes, which would also begin the lines. */
function isWhole(run: string, lines: readonly string[]): boolean {
  if (run.length < 2) return true;
  const first = run[0] ?? '';
  const opening = lines.filter((line) => line.startsWith(first)).length;
  if (run.length > 2 && run.endsWith(first) && opening >= lines.length * SHARE_OF_LINES) return false;
  const text = lines.join('\n');
  const together = text.split(run).length - 1;
  return [...new Set(run)].every((sign) => {
    const inRun = run.split(sign).length - 1;
    return together * inRun >= (text.split(sign).length - 1) * SHARE_IN_RUNS;
  });
}

function signsIn(line: string): ReadonlySet<string> {
  const found = new Set<string>();
  for (const [sign] of line.matchAll(PLAIN_SIGN)) found.add(sign);
  for (const [run] of line.matchAll(RUN)) for (const part of partsOf(run)) found.add(part);
  return found;
}

/** Beside empty cells and signs of values a delimiter is a part of what stands together. */
function partsOf(run: string): readonly string[] {
  const parts: string[] = [];
  for (let start = 0; start < run.length; start++) {
    for (let end = start + 2; end <= Math.min(run.length, start + LONGEST_DELIMITER); end++)
      parts.push(run.slice(start, end));
  }
  return parts.filter((part) => Buffer.byteLength(part) <= LONGEST_DELIMITER);
}
