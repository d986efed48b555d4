import type { Aggregate } from '../../ports/analysis-plan.js';
import { rewrite, type Meaning, type Piece, type Span } from './pieces.js';
import { synonymsOf } from './synonyms.js';
import type { TableFacts } from './table-facts.js';
import type { ColumnFacts } from './column-facts.js';
import { stem, unique } from './text.js';

const LONGEST_NAME = 6;
const SMALL = new Set(['of', 'in', 'the']);
/** Names of a single word that the grammar would take for its own. */
const RESERVED = new Set(
  ['hour', 'day', 'date', 'week', 'month', 'quarter', 'year', 'weekday', 'number', 'name', 'type'].map(stem),
);
const IMPLIED: ReadonlyMap<string, Aggregate> = new Map([
  ['max', 'max'],
  ['maximum', 'max'],
  ['min', 'min'],
  ['minimum', 'min'],
  ['total', 'sum'],
  ['average', 'avg'],
  ['avg', 'avg'],
  ['mean', 'avg'],
]);

/** Columns by what they are called, so that a wide table takes no longer to read about than a narrow one. */
interface NameIndex {
  readonly phrases: ReadonlyMap<string, ColumnFacts>;
  readonly joined: ReadonlyMap<string, ColumnFacts>;
  /** By each word of the name, and each that may be said with it. */
  readonly byStem: ReadonlyMap<string, readonly ColumnFacts[]>;
}

const indexes = new WeakMap<TableFacts, NameIndex>();

function namesOf(facts: TableFacts): NameIndex {
  const known = indexes.get(facts);
  if (known !== undefined) return known;
  const index = indexOf(facts.columns);
  indexes.set(facts, index);
  return index;
}

/** Of two columns that are called alike the first is meant. */
function indexOf(columns: readonly ColumnFacts[]): NameIndex {
  const phrases = new Map<string, ColumnFacts>();
  const joined = new Map<string, ColumnFacts>();
  const byStem = new Map<string, ColumnFacts[]>();
  for (const column of columns) {
    if (!phrases.has(column.phrase)) phrases.set(column.phrase, column);
    if (column.joined !== null && !joined.has(column.joined)) joined.set(column.joined, column);
    for (const word of unique([...column.stems, ...column.extras])) {
      const others = byStem.get(word);
      if (others === undefined) byStem.set(word, [column]);
      else others.push(column);
    }
  }
  return { phrases, joined, byStem };
}

/** Reads columns named by several words: first whole names in their order, then their words in any order. */
export function readNames(pieces: readonly Piece[], facts: TableFacts): readonly Piece[] {
  const whole = rewrite(pieces, LONGEST_NAME, (span) => wholeName(span, facts));
  return rewrite(whole, LONGEST_NAME, (span) => scatteredName(span, facts));
}

function wholeName({ keys, text }: Span, facts: TableFacts): Meaning | null {
  const [only = '', another] = keys;
  if (another === undefined && !RESERVED.has(stem(only))) return joinedName(only, facts);
  const spoken = keys.map(stem).join(' ');
  const column = namesOf(facts).phrases.get(spoken);
  if (column === undefined) return null;
  // A plural noun of time is a span of time even where a column is called so: 30 days.
  const isSpan = another === undefined && isPlural(text) && !isPlural(column.name);
  return isSpan ? null : { kind: 'column', column, implied: null };
}

function isPlural(word: string): boolean {
  return word.toLowerCase().endsWith('s');
}

/** `jobTitle` written as one word. */
function joinedName(key: string, facts: TableFacts): Meaning | null {
  const column = namesOf(facts).joined.get(key);
  return column === undefined ? null : { kind: 'column', column, implied: null };
}

function scatteredName({ keys, pieces }: Span, facts: TableFacts): Meaning | null {
  const stems = keys.filter((key) => !SMALL.has(key)).map(stem);
  const isName = stems.length > 1 && unique(stems).length === stems.length && !isSmallAtEnd(keys);
  if (!isName || pieces.some(({ kind }) => kind === 'number')) return null;
  const column = onlyOne(facts, stems, false) ?? onlyOne(facts, stems, true);
  return column === null ? null : { kind: 'column', column, implied: impliedBy(column, keys) };
}

function isSmallAtEnd(keys: readonly string[]): boolean {
  return SMALL.has(keys[0] ?? '') || SMALL.has(keys.at(-1) ?? '');
}

/** The column that all words fit, or of several the one whose name they say in full. */
function onlyOne(facts: TableFacts, stems: readonly string[], loosely: boolean): ColumnFacts | null {
  const columns = columnsOfWord(facts, stems[0] ?? '', loosely).filter((column) => fits(column, stems, loosely));
  const full = columns.filter((column) => column.stems.every((one) => stems.includes(one)));
  const [only, another] = full.length > 0 ? full : columns;
  return another === undefined ? (only ?? null) : null;
}

/** Columns to which a word could belong. */
function columnsOfWord(facts: TableFacts, word: string, loosely: boolean): readonly ColumnFacts[] {
  const { byStem } = namesOf(facts);
  const own = byStem.get(word) ?? [];
  return loosely ? unique([...own, ...synonymsOf(word).flatMap((other) => byStem.get(other) ?? [])]) : own;
}

/** Every word said belongs to the column, and at least one of them to its name. */
function fits(column: ColumnFacts, stems: readonly string[], loosely: boolean): boolean {
  const belongs = (word: string): boolean =>
    column.stems.includes(word) || (loosely && synonymsOf(word).some((other) => column.stems.includes(other)));
  return (
    stems.every((word) => belongs(word) || column.extras.has(word)) && stems.some(belongs) && saysEnough(column, stems)
  );
}

/** `time of day` must be said with more than the small change of the language. */
function saysEnough(column: ColumnFacts, stems: readonly string[]): boolean {
  return column.role === 'figure' || stems.filter((word) => !RESERVED.has(word)).length > 0;
}

/** `max temp` turns the name round and says what is to be done. */
export function impliedBy(column: ColumnFacts, keys: readonly string[]): Aggregate | null {
  const said = keys[0] ?? '';
  // The name in its own order is a name; turned round it is a wish.
  if (column.words[0] === said || !synonymsOf(stem(said)).some((word) => column.stems.includes(word))) return null;
  return IMPLIED.get(said) ?? null;
}
