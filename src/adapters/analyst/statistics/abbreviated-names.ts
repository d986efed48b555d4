import type { ColumnFacts } from '../column-facts.js';
import { keyOf, rewrite, type Meaning, type Piece } from '../pieces.js';
import type { TableFacts } from '../table-facts.js';

/** `population variance`, `relative standard deviation`. */
const OF_FIGURES = /^(?:standard|variance|std|stdev|sd|skewness|kurtosis|covariance)$/;
/** Words of the trade that are as often what a column measures. */
const MEASURES: ReadonlySet<string> = new Set(['magnitude']);
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
    if (
      piece?.kind !== 'word' ||
      (isKept(piece.key) && !MEASURES.has(piece.key)) ||
      OF_FIGURES.test(keyOf(after) ?? '')
    )
      return null;
    return brokenOff(piece.key, facts) ?? inflected(piece.key, facts);
  });
}

/** The only column whose name breaks off within the word. */
function brokenOff(key: string, facts: TableFacts): Meaning | null {
  if (key.length < SHORTEST + LONGER) return null;
  const found = facts.columns.filter((one) => isBrokenOff(one, key));
  const whole = found.filter(({ words }) => words.length === 1);
  const [column, another] = whole.length === 1 ? whole : found;
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

/** Names break off after a consonant, and before a vowel more often than not; before a consonant where they are no words themselves. */
function isBrokenOff({ words, role }: ColumnFacts, key: string): boolean {
  return words.some((word) => {
    const rest = key.slice(word.length);
    if (word.length < SHORTEST || !key.startsWith(word) || !/[^aeiou]$/.test(word)) return false;
    return isBeforeVowel(rest) || (role === 'figure' && isShortened(word, rest));
  });
}

function isBeforeVowel(rest: string): boolean {
  return rest.length >= LONGER && /^[aeiou]/.test(rest);
}

function isShortened(word: string, rest: string): boolean {
  return word.length < LONGEST_SHORT && rest.length > LONGER && !WORDS.has(word);
}

/** Names shorter than this are broken off anywhere. */
const LONGEST_SHORT = 5;
/** Short words that other words happen to begin with. */
const WORDS: ReadonlySet<string> = new Set(
  'car bus art tax net pet job bar bed fin mat par pan pen per pin pot rat red rep run sea set sun ten tip top war web win day hot ice cat dog cap can man men not out pay per pop rad rest road row seat ship shop spot step stop sub text time trip type unit user view wall week wind wing wood word work year yard act add air all and ant arm ask bad bag bat big bill bit book box boy bug but buy call cash cell chart chat class club coal coin cold corn cost cut dark data desk dish door down draw drop drum dust each east fall fan far farm fast fat feed feet film firm fish flat foot for form fuel full fund game gap gas get gold good grid ground hand hard hat head heat help high hill home host hour hub job key kid kind lab lag land last law leg let link list load loan lock log long loss lot low mail main map mark mass max mid mil mill min mix mod mon month moon net new news next odd off old on pack pair park part pass past path peak pick plan plant plot pool port post rain rank raw rear rent risk rock roof room root salt sand self sell send ship sign sit size skin snow soft soil sold son song sort staff star stock sum tail tank team term test tool tour town track tree turn van vat vet visit walk wash west wet wild yes'.split(
    ' ',
  ),
);
