import { rewrite, type Meaning, type Piece, type Span } from './pieces.js';
import { isFiller } from './fillers.js';
import { synonymsOf } from './synonyms.js';
import type { TableFacts } from './table-facts.js';
import type { ColumnFacts } from './column-facts.js';
import { nounsBehind, stem } from './text.js';

/** Reads columns named by one word: the whole name first, then a word of it, then (after values had their turn) a synonym. */
export function readColumns(pieces: readonly Piece[], facts: TableFacts, by: 'name' | 'synonym'): readonly Piece[] {
  return rewrite(pieces, 1, (span) => columnOf(span, facts, by));
}

function columnOf(
  { keys: [key = ''], pieces: [piece] }: Span,
  facts: TableFacts,
  by: 'name' | 'synonym',
): Meaning | null {
  if (piece?.kind !== 'word' || isHidden(key, facts)) return null;
  const word = stem(key);
  const searches =
    by === 'name'
      ? [() => wholly(facts, word), () => partly(facts, [word])]
      : [() => abbreviated(facts, key), () => partly(facts, synonymsOf(word)), () => partly(facts, nounsBehind(key))];
  for (const search of searches) {
    const meaning = meaningOf(search());
    if (meaning !== null) return meaning;
  }
  return null;
}

/** A filler is a column only where one is called exactly so. */
function isHidden(key: string, facts: TableFacts): boolean {
  return isFiller(key) && !facts.columns.some(({ words }) => words.join('') === key);
}

function meaningOf(columns: readonly ColumnFacts[]): Meaning | null {
  const [first] = columns;
  if (first === undefined) return null;
  if (columns.length > 1) return { kind: 'ambiguous', columns };
  return { kind: 'column', column: first, implied: null };
}

/** Columns that this word alone names. */
function wholly(facts: TableFacts, word: string): readonly ColumnFacts[] {
  return facts.columns.filter(({ stems }) => stems.length === 1 && stems[0] === word);
}

/** Words of names that alone name nothing: `units` is no unit price. */
const TOO_VAGUE = new Set(
  'unit total number name nam id type date dat amount value valu count max min avg average averag'.split(' '),
);

/** Columns of whose name it is a part; a word of all the table's rows names none of them. */
function partly(facts: TableFacts, spoken: readonly string[]): readonly ColumnFacts[] {
  const words = spoken.filter((word) => !TOO_VAGUE.has(word));
  return facts.columns.filter(
    ({ stems, identifies, role }) => !(identifies && role === 'figure') && stems.some((one) => words.includes(one)),
  );
}

/** `mpg` for Miles per Gallon. */
function abbreviated(facts: TableFacts, key: string): readonly ColumnFacts[] {
  if (key.length < 2) return [];
  return facts.columns.filter(({ words }) => words.length > 1 && words.map((word) => word.charAt(0)).join('') === key);
}

/** Reads the words for a row: record, order, employee; and the rest of the table's name, which says nothing. */
export function readRowNouns(pieces: readonly Piece[], facts: TableFacts): readonly Piece[] {
  return rewrite(pieces, 1, ({ keys: [key = ''], pieces: [piece] }) => {
    if (piece?.kind !== 'word') return null;
    const word = stem(key);
    if (facts.rowNouns.has(word)) return { kind: 'rows' };
    const names = synonymsOf(word);
    if (facts.columns.some(({ stems }) => stems.some((one) => names.includes(one)))) return null;
    return nameMeaning(word, facts);
  });
}

/** The table's name may be one word made of two: of `birdstrikes` the end is what a row is, the beginning says nothing. */
function nameMeaning(word: string, { nameStems }: TableFacts): Meaning | null {
  if (nameStems.has(word)) return { kind: 'filler' };
  if (word.length < MIN_PART) return null;
  const compounds = [...nameStems].filter((name) => name.length >= word.length + MIN_PART - 1);
  if (compounds.some((name) => name.endsWith(word))) return { kind: 'rows' };
  return compounds.some((name) => name.startsWith(word)) ? { kind: 'filler' } : null;
}

const MIN_PART = 4;
