import type { ColumnFacts, Direction, Hint } from '../column-facts.js';
import { adjectiveOf } from '../superlatives.js';
import { synonymsOf } from '../synonyms.js';
import { stem } from '../text.js';
import { extremeOf, type TableFacts } from '../table-facts.js';
import { VERB_HINTS } from '../verbs.js';
import { columnAt, limitMalus, type ColumnMention } from './column-mentions.js';
import { likeness, relatedColumns } from './column-words.js';
import type { Line } from './line.js';
import { operatorAt } from './operators.js';

export interface HintedColumn {
  readonly column: ColumnFacts;
  /** Whether much of the adjective means much (`desc`) or little of the column. */
  readonly direction: Direction;
}

/** The column that an adjective or verb speaks of; `ambiguous` when several are, `null` when the table has none. */
export function hintedColumn(
  facts: TableFacts,
  hints: readonly Hint[],
  direction: Direction = 'desc',
): HintedColumn | 'ambiguous' | null {
  for (const hint of hints) {
    const wanted = [hint.word, ...synonymsOf(hint.word)];
    const columns = facts.columns.filter(
      (column) =>
        (column.role === 'figure' || column.role === 'time') &&
        !(column.identifies && column.role === 'figure') &&
        (column.words.some((word) => wanted.some((one) => likeness(word, one) >= 2)) ||
          (column.unit !== null && wanted.includes(stem(column.unit)))),
    );
    if (columns.length === 0) continue;
    const [first] = columns;
    const turnedTo = hint.direction === direction ? 'desc' : 'asc';
    const column = columns.length === 1 ? first : extremeOf(columns, turnedTo);
    return column == null ? 'ambiguous' : { column, direction: hint.direction };
  }
  return null;
}

/** A column as the subject of a condition: named, or spoken of by a verb as in `cost at most 5`, `were delayed more than 10`. */
export function subjectAt(line: Line, at: number): ColumnMention | null {
  const named = columnAt(line, at);
  if (named !== null && named.strength >= 50) return named;
  return spokenAt(line, at) ?? named;
}

/** `last` is a verb only before a comparison: `last more than 45 minutes`. */
function isNoVerb(line: Line, at: number): boolean {
  return line.is(at, 'last') && operatorAt(line, at + 1) === null;
}

/** What a verb speaks of: `costs`, `was delayed`. */
export function spokenAt(line: Line, at: number): ColumnMention | null {
  const word = line.key(at);
  if (isNoVerb(line, at)) return null;
  const hints = VERB_HINTS.get(word);
  const hinted = hints === undefined ? null : hintedColumn(line.facts, hints);
  if (hinted !== null && hinted !== 'ambiguous') return mention(hinted.column, at);
  return /(ed|s|t|n)$/.test(word) && adjectiveOf(word, 'superlative') === null ? relatedFigure(line, at) : null;
}

function relatedFigure(line: Line, at: number): ColumnMention | null {
  const word = line.key(at);
  const figures = line.facts.columns.filter(
    (column) => column.role === 'figure' && !column.identifies && limitMalus(column, word) === 0,
  );
  const [only, another] = relatedColumns(line.key(at), figures);
  return only === undefined || another !== undefined ? null : mention(only, at);
}

function mention(column: ColumnFacts, at: number): ColumnMention {
  return { columns: [column], together: false, implied: null, strength: 55, next: at + 1 };
}
