import { distance } from 'fastest-levenshtein';
import { readColumns, readRowNouns } from '../columns.js';
import type { ColumnFacts } from '../column-facts.js';
import { readFillers } from '../fillers.js';
import { readNames } from '../names.js';
import { readNumbers } from '../numbers.js';
import { GROUPINGS, INTENTS, OPERATORS, readPhrases } from '../phrases.js';
import { rewrite, type Meaning, type Piece } from '../pieces.js';
import { correctSpelling } from '../spelling.js';
import { readSuperlatives } from '../superlatives.js';
import type { TableFacts } from '../table-facts.js';
import { plain, stem, wordsOf } from '../text.js';
import { readTimes } from '../times.js';
import { tokenize } from '../tokens.js';
import { readLongValues, readPhrasesOfValues, readSingleValues } from '../values.js';
import { readAbbreviatedNames } from './abbreviated-names.js';
import { readFlagRates } from './flag-rates.js';
import { readSpokenNames } from './spoken-names.js';
import { isProse } from './prose-words.js';
import { MARK_BOOK, REMOVING } from './mark-book.js';
import type { PatternBook } from './mark-patterns.js';
import type { Mark, MarkKind, MarkOf } from './marks.js';

/** What a message itself gave names to. */
export interface Names {
  readonly columns: readonly ColumnFacts[];
  /** Values of columns that the message made. */
  readonly values: readonly { readonly column: string; readonly value: string }[];
}

const LONGEST_NAME = 6;
const OUT_OF_PLACE =
  /\b(?:missing|unknown|unrecorded|null|nan|nans|nulls|empty|blank|outliers?|anomal\w+|incomplete|extreme values?)\b|\b(?:exclud|drop|ignor|remov|omit|discard)\w*\b[^,.;]*\bwithout\b|\bwithout\b[^,.;]*\b(?:exclud|drop|ignor|remov|omit|discard)\w*/i;

/** One clause with the words of statistics and of the table read. A piece with a mark has the kind `filler` for the table's rules. */
export class Clause {
  constructor(
    readonly text: string,
    readonly pieces: readonly Piece[],
    private readonly marks: ReadonlyMap<Piece, Mark>,
    readonly notes: readonly string[],
  ) {}

  markOf(piece: Piece | undefined): Mark | null {
    return piece === undefined ? null : (this.marks.get(piece) ?? null);
  }

  /** All marks of this kind, from left to right. */
  all<K extends MarkKind>(kind: K): readonly MarkOf<K>[] {
    return this.pieces.map((piece) => this.markOf(piece)).filter((mark): mark is MarkOf<K> => mark?.kind === kind);
  }

  first<K extends MarkKind>(kind: K): MarkOf<K> | null {
    return this.all(kind)[0] ?? null;
  }

  has(...kinds: readonly MarkKind[]): boolean {
    return kinds.some((kind) => this.first(kind) !== null);
  }

  get columns(): readonly ColumnFacts[] {
    return this.pieces.flatMap((piece) => (piece.kind === 'column' ? [piece.column] : []));
  }

  /** The same clause with marks that were said apart from it. */
  plus(marks: readonly Mark[]): Clause {
    if (marks.length === 0) return this;
    const added = marks.map((mark) => [{ kind: 'filler', text: mark.kind } satisfies Piece, mark] as const);
    const pieces = [...this.pieces, ...added.map(([piece]) => piece)];
    return new Clause(this.text, pieces, new Map<Piece, Mark>([...this.marks, ...added]), this.notes);
  }

  /** The same clause with other pieces. */
  with(pieces: readonly Piece[]): Clause {
    return new Clause(this.text, pieces, this.marks, this.notes);
  }
}

/** Reads a clause of plain text: names that the message made, then the table's names, statistics, and the rest of the grammar. */
export function readClause(text: string, facts: TableFacts, names: Names, now: Date): Clause {
  const marks = new Map<Piece, Mark>();
  const own = readFlagRates(readOwnNames(tokenize(text), names), facts, marks);
  const { pieces: spelled, notes } = spelledOf(
    readAbbreviatedNames(readSpokenNames(own, facts, isKept), facts, isKept),
    facts,
  );
  const named = readNames(readLongValues(spelled, facts), facts);
  const marked = readMarks(named, MARK_BOOK, marks);
  const removed = OUT_OF_PLACE.test(text) ? readMarks(marked, REMOVING, marks) : marked;
  const timed = readTimes(readPhrasesOfValues(removed, facts), facts, now);
  const said = readSuperlatives(readPhrases(readPhrases(timed, INTENTS), OPERATORS), facts);
  const counted = readRowNouns(readNumbers(readPhrases(said, GROUPINGS)), facts);
  const valued = readSingleValues(readColumns(withoutProse(counted, facts), facts, 'name'), facts);
  const rated = readRates(valued, marks);
  return new Clause(text, readFillers(readColumns(rated, facts, 'synonym')), marks, notes);
}

/** Words of the trade are right as they are. */
function spelledOf(pieces: readonly Piece[], facts: TableFacts): ReturnType<typeof correctSpelling> {
  const kept = new Map<Piece, Piece>();
  const told: string[] = [];
  const covered = pieces.map((written) => {
    const piece = tradeWord(written, facts, told);
    if (piece.kind !== 'word' || !isTrade(piece.key)) return piece;
    const cover: Piece = { kind: 'filler', text: piece.text };
    kept.set(cover, piece);
    return cover;
  });
  const { pieces: corrected, notes } = correctSpelling(covered, facts);
  return { pieces: corrected.map((piece) => kept.get(piece) ?? piece), notes: [...told, ...notes] };
}

/** `relative` and `population` are as often part of a name. */
function isKept(key: string): boolean {
  return isTrade(key) && key !== 'relative' && key !== 'population';
}

const TRADE = new Set([...MARK_BOOK.words, ...REMOVING.words]);
const TRADE_WORDS = [...TRADE].filter((word) => word.length > 5);
const MISSPELT = 6;

/** `corelation`, `percentege`: a word of the trade that was mistyped, where the table has no such word. */
function tradeWord(piece: Piece, facts: TableFacts, notes: string[]): Piece {
  if (piece.kind !== 'word' || piece.key.length < MISSPELT || isTrade(piece.key)) return piece;
  const word = stem(piece.key);
  if (facts.columns.some(({ stems }) => stems.includes(word)) || facts.values.named([piece.key]).size > 0) return piece;
  const near = TRADE_WORDS.filter(
    (known) =>
      known.startsWith(word.charAt(0)) && Math.abs(known.length - word.length) < 2 && distance(known, word) === 1,
  );
  const [meant, another] = near;
  if (meant === undefined || another !== undefined) return piece;
  notes.push(`I read “${piece.text}” as “${meant}”.`);
  return { ...piece, key: meant };
}

function isTrade(key: string): boolean {
  return TRADE.has(stem(key)) || isProse(key);
}

/** Prose is no part of a value or a synonym; where a column is called so it is the column. */
function withoutProse(pieces: readonly Piece[], facts: TableFacts): readonly Piece[] {
  return pieces.map((piece) => {
    if (piece.kind !== 'word' || !isProse(piece.key)) return piece;
    const word = stem(piece.key);
    const isName = facts.columns.some(({ stems }) => stems.length === 1 && stems[0] === word) || isOneOf(word, facts);
    const isValue = facts.values.named([piece.key]).size > 0;
    return isName || isValue ? piece : { kind: 'filler', text: piece.text };
  });
}

/** `output` where one column alone is about that. */
function isOneOf(word: string, { columns }: TableFacts): boolean {
  return NAMED_FOR.has(word) && columns.filter(({ stems }) => stems.includes(word)).length === 1;
}

const NAMED_FOR: ReadonlySet<string> = new Set(
  ['output', 'outcome', 'score', 'amount', 'condition', 'response', 'result', 'level', 'class', 'type'].map(stem),
);

function readOwnNames(pieces: readonly Piece[], names: Names): readonly Piece[] {
  if (names.columns.length + names.values.length === 0) return pieces;
  const meanings = new Map<string, Meaning>([
    ...names.values.map(
      ({ column, value }) =>
        [wordsOf(value).join(' '), { kind: 'value', column, values: [value], part: null, figure: null }] as const,
    ),
    ...names.columns.flatMap((column) =>
      [plainName(column.name), column.phrase].map(
        (phrase) => [phrase, { kind: 'column', column, implied: null }] as const,
      ),
    ),
  ]);
  const unquoted = pieces.map((piece) => {
    const meaning = piece.kind === 'quoted' ? meanings.get(plainName(piece.text)) : undefined;
    return meaning === undefined ? piece : { ...meaning, text: piece.text };
  });
  return rewrite(
    unquoted,
    LONGEST_NAME,
    ({ keys }) => meanings.get(keys.join(' ')) ?? meanings.get(keys.map(stem).join(' ')) ?? null,
  );
}

function plainName(name: string): string {
  return wordsOf(plain(name)).join(' ');
}

/** `fault rate`: which share of the rows a yes-or-no column says yes of. */
function readRates(pieces: readonly Piece[], marks: Map<Piece, Mark>): readonly Piece[] {
  return pieces.map((piece, place) => {
    const before = pieces[place - 1];
    const isRate = piece.kind === 'word' && /^rates?$/.test(piece.key);
    if (!isRate || before?.kind !== 'column' || before.column.role !== 'boolean') return piece;
    const rate: Piece = { kind: 'filler', text: piece.text };
    marks.set(rate, { kind: 'share', as: 'percent', of: before.column.name });
    return rate;
  });
}

/** `finish time` multiplies nothing; words are else found in singular and plural. */
function isTime(piece: Piece | undefined): boolean {
  return piece?.kind === 'word' && piece.key === 'time';
}

/** `waiting times?`: nothing follows that could be multiplied. */
function isTimes(piece: Piece | undefined, next: Piece | undefined): boolean {
  if (piece?.kind !== 'word' || piece.key !== 'times') return false;
  return (
    next === undefined ||
    next.kind === 'join' ||
    /^(?:and|or|for|of|in|by|per|with|from|to|are|is|were|was)$/iu.test(next.text)
  );
}

function readMarks(pieces: readonly Piece[], book: PatternBook<Mark>, marks: Map<Piece, Mark>): readonly Piece[] {
  const out: Piece[] = [];
  let at = 0;
  while (at < pieces.length) {
    const kept = pieces[at];
    const found = isTime(kept) || isTimes(kept, pieces[at + 1]) ? null : book.match(pieces, at);
    if (found !== null) {
      const text = pieces
        .slice(at, at + found.length)
        .map((piece) => piece.text)
        .join(' ');
      const piece: Piece = { kind: 'filler', text };
      marks.set(piece, found.meaning);
      out.push(piece);
    } else if (kept !== undefined) out.push(kept);
    at += found?.length ?? 1;
  }
  return out;
}
