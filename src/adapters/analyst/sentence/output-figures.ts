import { usualMeasure } from './assemble-parts.js';
import { onlyColumnAt } from './column-mentions.js';
import type { Line } from './line.js';
import type { ColumnFacts } from '../column-facts.js';
import { theOnly } from './only.js';
import type { Sentence } from './sentence.js';
import { targetAt } from './targets.js';

const EACH = ['per', 'each', 'every', 'a', 'by'];
const DONE = /(?:ed|wn|ld|id|ght|nt|ut|en)$/;
/** Columns that say how many pieces a row is about. */
const QUANTITY = /^(?:quantity|qty|units|pieces|copies|items)$/;
const DEALT =
  /^(?:ordered|sold|bought|shipped|purchased|delivered|produced|made|rented|dispatched|returned|requested|supplied|received)$/;

/** `green weight roasted per month`: what was done with it in each stretch of time adds up. */
export function outputAt(sentence: Sentence, at: number): number | null {
  const { line, items } = sentence;
  const name = isDone(line, at) ? figureAlone(sentence) : null;
  const target = name === null ? null : targetAt(sentence, line.skip(at + 2, new Set(['the'])));
  if (name === null || target === null || target.dimension.kind === 'column') return null;
  items.pop();
  sentence.note(`I added up ${name}.`);
  sentence.addMeasure({ aggregate: 'sum', column: name });
  return at + 1;
}

/** The one column of numbers that was named, and nothing else. */
function figureAlone({ items, facts }: Sentence): string | null {
  const item = theOnly(items);
  const wanted = item?.kind === 'column' ? item.column : null;
  const column = facts.columns.find(({ name }) => name === wanted);
  return column?.role === 'figure' && !column.identifies ? column.name : null;
}

/** A participle, before `per month`. */
function isDone(line: Line, at: number): boolean {
  return line.isWord(at) && DONE.test(line.key(at)) && line.is(at + 1, ...EACH);
}

/** `how many mugs were ordered`: of what is counted in pieces the pieces, not the rows. */
export function piecesAt(sentence: Sentence, at: number): number | null {
  const { line, facts } = sentence;
  if (!DEALT.test(line.key(at)) || !countsValues(sentence)) return null;
  const pieces = theOnly(facts.columns.filter(isQuantity));
  if (pieces === null || onlyColumnAt(line, at)?.column.role === 'boolean') return null;
  sentence.items.length = 0;
  sentence.addMeasure(usualMeasure(sentence, pieces));
  return at + 1;
}

function isQuantity({ role, words }: ColumnFacts): boolean {
  return role === 'figure' && words.some((word) => QUANTITY.test(word));
}

/** Rows are counted, and only by a value that they have. */
function countsValues({ items, filters, rows }: Sentence): boolean {
  const item = theOnly(items);
  const isCount = item?.kind === 'measure' && item.measure.aggregate === 'count';
  return isCount && !rows && filters.length > 0;
}
