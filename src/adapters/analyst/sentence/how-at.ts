import type { ColumnFacts } from '../column-facts.js';
import { positiveOf } from '../superlatives.js';
import { relatedColumns } from './column-words.js';
import { hintedColumn } from './hints.js';
import { theOnly } from './only.js';
import type { Sentence } from './sentence.js';

const COPULAS = ['is', 'are', 'was', 'were', 'do', 'does', 'did'];

/** `how satisfied are respondents on average`, `how long are episodes per show`: the average of what the adjective speaks of. */
export function howAt(sentence: Sentence, at: number): number | null {
  const { line } = sentence;
  if (!line.is(at, 'how') || !line.is(at + 2, ...COPULAS) || sentence.items.length > 0) return null;
  const column = spokenOf(sentence, line.key(at + 1));
  if (column === null || !line.has(at + 3, line.end, 'average', 'typically')) return null;
  sentence.opener ??= 'which';
  sentence.addMeasure({ aggregate: 'avg', column: column.name });
  sentence.tail = true;
  return at + 3;
}

function spokenOf({ facts }: Sentence, word: string): ColumnFacts | null {
  const meaning = positiveOf(word);
  const hinted = meaning === null ? null : hintedColumn(facts, meaning.hints);
  if (hinted !== null) return hinted === 'ambiguous' ? null : hinted.column;
  const figures = facts.columns.filter(({ role, identifies }) => role === 'figure' && !identifies);
  return word.length < 5 ? null : theOnly(relatedColumns(word, figures));
}
