import { onlyColumnAt, type ColumnHere } from './column-mentions.js';
import { loosePhrases, type Line } from './line.js';
import { rowNounAt } from './nouns.js';
import { onlyFigureAt } from './only.js';
import type { Sentence } from './sentence.js';
import { takeRank } from './superlatives-at.js';
import { targetAt } from './targets.js';

const BY = loosePhrases(
  'for|in terms of|with regard to|with respect to|regarding|measured by|judged by|according to|going by|based on|in',
);
const SMALL = new Set(['the', 'their', 'its', 'a']);

/** `the worst month for the balanced fund`: the least of the one figure that is named; said as an assumption. */
export function judgedAt(sentence: Sentence, at: number): number | null {
  const { line } = sentence;
  const start = line.skip(at, SMALL);
  const noun = line.is(start, 'best', 'worst') && sentence.rank === null ? nounAt(sentence, start + 1) : null;
  const named = noun === null ? null : figureAfter(line, noun.next);
  if (noun === null || named === null) return null;
  noun.add();
  rankBy(sentence, line.key(start), named.column.name);
  return named.next;
}

/** `for the balanced fund`, `in terms of return`. */
function figureAfter(line: Line, at: number): ColumnHere | null {
  const by = line.phrase(at, BY);
  const named = by === null ? null : onlyFigureAt(line, line.skip(by, SMALL));
  return named === null || named.column.identifies || named.strength < 60 ? null : named;
}

function rankBy(sentence: Sentence, word: string, column: string): void {
  const direction = word === 'best' ? 'desc' : 'asc';
  const by = { kind: 'column', column, measure: null } as const;
  takeRank(sentence, { direction, limit: null, by, text: word, literal: false });
  sentence.note(`I took “${word}” as the ${direction === 'desc' ? 'highest' : 'lowest'} ${column}.`);
  sentence.tail = true;
}

interface Noun {
  readonly next: number;
  readonly add: () => void;
}

/** What is judged: rows, or what figures are grouped by. */
function nounAt(sentence: Sentence, at: number): Noun | null {
  const rows = rowNounAt(sentence, at);
  if (rows !== null)
    return {
      next: rows,
      add: () => {
        takeRows(sentence);
      },
    };
  const named = onlyColumnAt(sentence.line, at);
  if (named !== null && named.column.role !== 'figure' && named.strength >= 60)
    return {
      next: named.next,
      add: () => {
        sentence.addColumn(named.column.name);
      },
    };
  const target = targetAt(sentence, at);
  if (target === null) return null;
  return {
    next: target.next,
    add: () => {
      sentence.items.push({ kind: 'bucket', dimension: target.dimension });
    },
  };
}

function takeRows(sentence: Sentence): void {
  sentence.rows = true;
}
