import type { ColumnFacts } from '../column-facts.js';
import { keyOf, rewrite, type Meaning, type Piece } from '../pieces.js';
import type { TableFacts } from '../table-facts.js';

/** `population variance`, `relative standard deviation`. */
const OF_FIGURES = /^(?:standard|variance|std|stdev|sd|skewness|kurtosis|covariance)$/;
const SHORTEST = 3;
/** Letters that the whole word has more. */
const LONGER = 3;

/** `life expectancy` for a column called life exp, `education` for EDUC: a word that goes on where one column's name breaks off. */
export function readAbbreviatedNames(
  pieces: readonly Piece[],
  facts: TableFacts,
  isKept: (key: string) => boolean,
): readonly Piece[] {
  return rewrite(pieces, 1, ({ pieces: [piece], after }) => {
    if (piece?.kind !== 'word' || isKept(piece.key) || OF_FIGURES.test(keyOf(after) ?? '')) return null;
    return brokenOff(piece.key, facts) ?? inflected(piece.key, facts);
  });
}

/** The only column whose name breaks off within the word. */
function brokenOff(key: string, facts: TableFacts): Meaning | null {
  if (key.length < SHORTEST + LONGER) return null;
  const [column, another] = facts.columns.filter((one) => isBrokenOff(one, key));
  return column === undefined || another !== undefined ? null : { kind: 'column', column, implied: null };
}

const ENDING = /(?:ed|ing|d)$/;
const SHORTEST_BASE = 4;

/** `churn` for a column called churned, `waiting` for minutes_waited; not where it is a value or the plural of what rows are. */
function inflected(key: string, facts: TableFacts): Meaning | null {
  const base = key.replace(ENDING, '');
  if (base.length < SHORTEST_BASE || key.endsWith('s') || facts.values.named([key]).size > 0) return null;
  const [column, another] = facts.columns.filter(
    ({ role, words }) =>
      (role === 'figure' || role === 'boolean') &&
      words.some((word) => word !== key && ENDING.test(word) && word.replace(ENDING, '') === base),
  );
  return column === undefined || another !== undefined ? null : { kind: 'column', column, implied: null };
}

/** Names break off after a consonant, and before a vowel more often than not. */
function isBrokenOff({ words }: ColumnFacts, key: string): boolean {
  return words.some((word) => {
    const rest = key.slice(word.length);
    return (
      word.length >= SHORTEST &&
      key.startsWith(word) &&
      rest.length >= LONGER &&
      /[^aeiou]$/.test(word) &&
      /^[aeiou]/.test(rest)
    );
  });
}
