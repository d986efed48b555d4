import { rewrite, type Meaning, type Piece, type Span } from './pieces.js';
import { isFiller } from './fillers.js';
import { FATE } from './sentence/fates.js';
import { VALUE_ALIASES, synonymsOf } from './synonyms.js';
import type { TableFacts } from './table-facts.js';
import type { ColumnFacts } from './column-facts.js';
import { nounsBehind, stem, wordsOf } from './text.js';
import type { Matches } from './value-index.js';

const LONGEST_VALUE = 8;
/** More than this and `contains` is the plainer condition. */
const MAX_PART_VALUES = 1;

/** Reads values of several words or with digits, and quoted ones, before anything can take their words: `New York`, `web-01`. */
export function readLongValues(pieces: readonly Piece[], facts: TableFacts): readonly Piece[] {
  const quoted = pieces.map((piece) => (piece.kind === 'quoted' ? quotedPiece(piece, facts) : piece));
  return rewrite(quoted, LONGEST_VALUE, (span) => longValue(span, facts));
}

function quotedPiece(piece: Piece, facts: TableFacts): Piece {
  const words = wordsOf(piece.text);
  const meaning =
    single(facts.values.named(words), null) ??
    columnNamed(words, facts) ??
    single(facts.values.containingWords(words), piece.text);
  return meaning === null ? piece : { ...meaning, text: piece.text };
}

function columnNamed(words: readonly string[], facts: TableFacts): Meaning | null {
  const spoken = words.map(stem).join(' ');
  const column = facts.columns.find(({ name }) => wordsOf(name).map(stem).join(' ') === spoken);
  return column === undefined ? null : { kind: 'column', column, implied: null };
}

function longValue({ keys, pieces }: Span, facts: TableFacts): Meaning | null {
  const words = keys.flatMap(wordsOf);
  if (words.length < 2 || pieces.every(({ kind }) => kind === 'number')) return null;
  if (isFiller(keys[0] ?? '') && isFiller(keys.at(-1) ?? '')) return null;
  return single(facts.values.named(words), null);
}

/** A value that one column has. Of several columns none is chosen. */
function single(matches: Matches, part: string | null): Meaning | null {
  const [first, second] = [...matches];
  if (first === undefined || second !== undefined) return null;
  const [column, values] = first;
  const many = part !== null && values.length > MAX_PART_VALUES;
  return { kind: 'value', column, values, part: many ? part.toLowerCase() : null, figure: null };
}

/** Reads several words that stand beside each other in values: `unknown bird`. */
export function readPhrasesOfValues(pieces: readonly Piece[], facts: TableFacts): readonly Piece[] {
  return rewrite(pieces, 3, (span) => (span.keys.length < 2 ? null : partOfValue(span, facts)));
}

/** Reads values of one word: whole, by an adjective made from it, by its initials, or as part of longer values. */
export function readSingleValues(pieces: readonly Piece[], facts: TableFacts): readonly Piece[] {
  const exact = rewrite(pieces, 1, (span) => exactValue(span, facts));
  return rewrite(exact, 3, (span) => partOfValue(span, facts));
}

/** The value that one word names by itself, in whatever form. */
export function exactValue(
  { keys: [key = ''], pieces: [piece] }: Pick<Span, 'keys' | 'pieces'>,
  facts: TableFacts,
): Meaning | null {
  if (piece?.kind !== 'word' || isFiller(key)) return capitals(piece, facts);
  for (const search of SEARCHES) {
    const found = search(key, piece, facts);
    if (found !== null) return found.kind === 'value' ? { ...found, figure: figureCalled(key, facts) } : found;
  }
  return null;
}

const SEARCHES: readonly ((key: string, piece: Piece, facts: TableFacts) => Meaning | null)[] = [
  (key, _, facts) => single(facts.values.named([key]), null),
  (_, piece, facts) => capitals(piece, facts),
  (key, _, facts) => derived(key, facts),
  (key, _, facts) => denied(key, facts),
  (key, _, facts) => aliased(key, facts),
];

function capitals(piece: Piece | undefined, facts: TableFacts): Meaning | null {
  if (piece === undefined || !/^\p{Lu}{2,5}$/u.test(piece.text)) return null;
  return (
    single(facts.values.named([piece.text.toLowerCase()]), null) ?? single(facts.values.abbreviated(piece.text), null)
  );
}

function derived(key: string, facts: TableFacts): Meaning | null {
  for (const noun of nounsBehind(key)) {
    const found = single(facts.values.named([noun]), null);
    if (found !== null) return found;
  }
  return null;
}

/** `unpaid` of a column called paid. */
function denied(key: string, facts: TableFacts): Meaning | null {
  const bare = /^(?:un|non|in)(.{3,})$/.exec(key)?.[1];
  const column = facts.columns.find(
    ({ role, stems }) => role === 'boolean' && bare !== undefined && stems.join(' ') === stem(bare),
  );
  return column === undefined
    ? null
    : { kind: 'value', column: column.name, values: [false], part: null, figure: null };
}

function aliased(key: string, facts: TableFacts): Meaning | null {
  for (const alias of VALUE_ALIASES.get(key) ?? []) {
    const found = single(facts.values.named([alias]), null);
    if (found !== null) return found;
  }
  return null;
}

/** The one figure that the word may mean as well. */
function figureCalled(key: string, facts: TableFacts): ColumnFacts | null {
  const wanted = synonymsOf(stem(key));
  const figures = facts.columns.filter(
    ({ role, stems }) => role === 'figure' && stems.some((one) => wanted.includes(one)),
  );
  return figures.length === 1 ? (figures[0] ?? null) : null;
}

function partOfValue({ keys, pieces, text }: Span, facts: TableFacts): Meaning | null {
  if (!pieces.every(isCertain) || keys.some((key) => key.length < 3 || isFiller(key))) return null;
  // What became of a row is no piece of a remark about it.
  if (keys.every((key) => FATE.test(key))) return null;
  const matches = facts.values.containingWords(keys);
  const [first] = [...matches];
  const part = first === undefined ? text : writtenIn(first[1][0] ?? text, keys);
  return single(matches, part);
}

/** A guess at a mistyped word that is then only a part of a value would be two guesses in one. */
function isCertain(piece: Piece): boolean {
  return piece.kind === 'word' && piece.guessed !== true;
}

/** The part as the values have it: `laptops` was asked, `Laptop` stands there. */
/** The part of a value that these words name, as it stands there. */
export function writtenIn(value: string, keys: readonly string[]): string {
  const pattern = keys.map((key) => `${escapeRegExp(stem(key))}\\p{L}*`).join('[^\\p{L}\\d]+');
  const found = new RegExp(pattern, 'iu').exec(value)?.[0];
  return found ?? keys.join(' ');
}

function escapeRegExp(text: string): string {
  return text.replace(/[^\p{L}\d]/gu, String.raw`\$&`);
}
