import { usualMeasure } from './assemble-parts.js';
import { figureNamed, type Operand } from './figures.js';
import { spokenAt } from './hints.js';
import { onlyOf } from './column-mentions.js';
import type { ColumnFacts } from '../column-facts.js';
import type { Sentence } from './sentence.js';

const SMALL = new Set(['of', 'the', 'total', 'in', 'more', 'our']);

/** `how much rain fell`, `how much did they spend`: the sum of what can be added up; of a single thing what stands there. */
export function howMuchAt(sentence: Sentence, at: number): number | null {
  const { line } = sentence;
  if (!line.is(at, 'how') || !line.is(at + 1, 'much') || sentence.items.length > 0) return null;
  const amount = amountAt(sentence, at + 2);
  if (amount === null) return null;
  sentence.opener ??= 'which';
  add(sentence, amount.column, line.has(at + 2, amount.next, 'total'));
  return amount.next;
}

const VERBS = new Set(['did', 'do', 'does', 'has', 'have', 'was', 'were', 'is']);

/** The column of numbers that is named here, or else the one that the verb speaks of. */
function amountAt(sentence: Sentence, at: number): Operand | null {
  const { line } = sentence;
  const named = figureNamed(sentence, line.skip(at, SMALL));
  if (named !== null) return named;
  const column = spokenLater(sentence, at);
  return column === null ? null : { column, next: line.skip(at, VERBS) };
}

function add(sentence: Sentence, column: ColumnFacts, isTotal: boolean): void {
  if (isTotal) sentence.addMeasure({ aggregate: 'sum', column: column.name });
  else if (column.additive) sentence.addMeasure(usualMeasure(sentence, column));
  else sentence.addColumn(column.name);
  sentence.tail = true;
}

/** After `how much did …` the verb says of what. */
function spokenLater({ line }: Sentence, from: number): ColumnFacts | null {
  if (!line.is(from, 'did', 'do', 'does', 'has', 'have', 'was', 'were', 'is')) return null;
  for (let at = from + 1; at < line.end; at += 1) {
    const spoken = onlyOf(spokenAt(line, at));
    if (spoken?.column.role === 'figure') return spoken.column;
  }
  return null;
}
