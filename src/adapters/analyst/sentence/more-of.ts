import { conditionAt } from './conditions.js';
import { rowNounAt } from './nouns.js';
import type { Sentence } from './sentence.js';

/** `are there more students from Milan than from Turin` sets two groups side by side. */
export function moreAt(sentence: Sentence, at: number): number | null {
  const isFirst = sentence.filters.length === 0 && sentence.items.length === 0;
  if (!isFirst || !sentence.line.is(at, 'more', 'fewer')) return null;
  const end = twoKindsAt(sentence, at + 1);
  const column = end === null ? null : columnOfKinds(sentence);
  if (column === null) return null;
  sentence.addMeasure({ aggregate: 'count', column: null });
  sentence.addGroup({ kind: 'column', column });
  sentence.tail = true;
  return end;
}

/** The column of which more than one value was named, and nothing else. */
function columnOfKinds({ filters: [kinds, another] }: Sentence): string | null {
  return kinds?.kind === 'in' && another === undefined && kinds.values.length > 1 ? kinds.column : null;
}

/** Rows of one kind, `than`, and those of another. */
function twoKindsAt(sentence: Sentence, at: number): number | null {
  const noun = rowNounAt(sentence, at);
  const first = conditionAt(sentence, noun ?? at);
  return first !== null && sentence.line.is(first, 'than') ? conditionAt(sentence, first + 1) : null;
}
