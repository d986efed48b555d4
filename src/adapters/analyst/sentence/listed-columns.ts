import { columnAt, onlyOf } from './column-mentions.js';
import type { Line } from './line.js';
import type { Sentence } from './sentence.js';

const BETWEEN = new Set([',', 'and', 'the', 'their', 'its', 'with', 'also']);
const ENDS = new Set(['only', 'please']);

/** `cases above 10,000: number, judge and amount`: columns with which a question ends, after all that says which rows. */
export function listedColumnsAt(sentence: Sentence, at: number): number | null {
  const { line } = sentence;
  const names = canList(sentence) ? namesToTheEnd(line, line.skip(at, BETWEEN)) : [];
  const isTold = names.length > 1 || (names.length === 1 && ENDS.has(line.key(line.end - 1)));
  if (!isTold) return null;
  for (const name of names) sentence.addColumn(name);
  sentence.listed = true;
  return line.end;
}

/** Single rows are asked for, and nothing is worked out of them. */
function canList({ tail, rows, rank, measures, groups, order }: Sentence): boolean {
  const isOfRows = tail && (rows || rank !== null);
  return isOfRows && measures.length + groups.length + order.length === 0;
}

/** The columns that are all that is left; none where anything else is. */
function namesToTheEnd(line: Line, from: number): readonly string[] {
  const names: string[] = [];
  let at = from;
  while (at < line.end) {
    if (ENDS.has(line.key(at)) && at + 1 === line.end) return names;
    const named = onlyOf(columnAt(line, at));
    if (named === null || named.strength < 60) return [];
    names.push(named.column.name);
    at = line.skip(named.next, BETWEEN);
  }
  return names;
}
