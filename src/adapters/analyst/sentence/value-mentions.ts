import { isFiller } from '../fillers.js';
import type { Piece } from '../pieces.js';
import type { TableFacts } from '../table-facts.js';
import { wordsOf } from '../text.js';
import { exactValue, writtenIn } from '../values.js';
import { placesOf } from './demonyms.js';
import { columnAt } from './column-mentions.js';
import type { Line } from './line.js';

/** One column that a value may be of. */
export interface ValueChoice {
  readonly column: string;
  readonly values: readonly (string | boolean)[];
  /** Set when all values that contain it are meant. */
  readonly part: string | null;
}

/** Words that stand in cells, by the columns that hold them. */
export interface ValueMention {
  readonly choices: readonly ValueChoice[];
  /** Several choices: only a part of the cells' text was said. */
  readonly partial: boolean;
  readonly text: string;
  readonly next: number;
}

const LONGEST = 8;
const LONGEST_PART = 3;

/** Finds the value that begins here, by the longest run of words that stands in a cell. */
export function valueAt(line: Line, at: number): ValueMention | null {
  return line.once(findValue, at);
}

function findValue(line: Line, at: number): ValueMention | null {
  if (line.tokens[at]?.kind === 'quoted') return quotedAt(line, at);
  return wholeAt(line, at) ?? singleAt(line, at) ?? partAt(line, at);
}

function quotedAt(line: Line, at: number): ValueMention | null {
  const text = line.tokens[at]?.text ?? '';
  const words = wordsOf(text);
  const whole = choicesOf(line.facts, words);
  if (whole.length > 0) return { choices: whole, partial: false, text, next: at + 1 };
  const parts = partsOf(line.facts, words);
  return parts.length === 0 ? null : { choices: parts, partial: true, text, next: at + 1 };
}

function choicesOf(facts: TableFacts, words: readonly string[]): readonly ValueChoice[] {
  return [...facts.values.named(words)].map(([column, values]) => ({ column, values, part: null }));
}

function partsOf(facts: TableFacts, words: readonly string[]): readonly ValueChoice[] {
  return [...facts.values.containingWords(words)].map(([column, values]) => ({
    column,
    values,
    part: values.length > 1 ? writtenIn(values[0] ?? '', words).toLowerCase() : null,
  }));
}

function wholeAt(line: Line, at: number): ValueMention | null {
  const longest = Math.min(LONGEST, line.end - at);
  for (let length = longest; length > 0; length -= 1) {
    const choices = wholeOf(line, at, length);
    if (choices.length > 0) return { choices, partial: false, text: line.text(at, at + length), next: at + length };
  }
  return null;
}

/** Columns with a cell that these words fill, as they were written or else as they were corrected. */
function wholeOf(line: Line, at: number, length: number): readonly ValueChoice[] {
  const pieces = line.tokens.slice(at, at + length);
  const words = pieces.flatMap(({ text }) => wordsOf(text));
  if (!canFillCell(pieces, words) || (length === 1 && (isWeak(line, at) || words.length < 2))) return [];
  const found = choicesOf(line.facts, words);
  return found.length > 0 ? found : choicesOf(line.facts, pieces.flatMap(correctedWords));
}

/** Numbers alone are no value, nor is what begins and ends with words that mean nothing. */
function canFillCell(pieces: readonly Piece[], words: readonly string[]): boolean {
  const isText = pieces.every(({ kind }) => kind === 'word' || kind === 'number' || kind === 'date');
  const isNumber = pieces.every(({ kind }) => kind === 'number');
  return isText && !isNumber && !(isFiller(words[0] ?? '') && isFiller(words.at(-1) ?? ''));
}

function correctedWords(piece: Piece): readonly string[] {
  return wordsOf(piece.kind === 'word' ? piece.key : piece.text);
}

function isWeak(line: Line, at: number): boolean {
  return line.tokens[at]?.kind === 'number' || isFiller(line.key(at));
}

function singleAt(line: Line, at: number): ValueMention | null {
  const piece = line.tokens[at];
  if (piece === undefined || (piece.kind !== 'word' && piece.kind !== 'number')) return null;
  const direct = namedBy(line, piece);
  if (direct.length > 0) return { choices: direct, partial: false, text: piece.text, next: at + 1 };
  return isCode(line, at) ? codeAt(line, at) : (exactAt(line, piece, at) ?? fromPlace(line, piece, at));
}

/** `French` where the cells say France. */
function fromPlace({ facts }: Line, { text }: Piece, at: number): ValueMention | null {
  const found = new Map<string, readonly string[]>();
  for (const place of placesOf(text.toLowerCase())) {
    for (const [column, values] of facts.values.named(wordsOf(place)))
      found.set(column, [...(found.get(column) ?? []), ...values]);
  }
  const choices = [...found].map(([column, values]) => ({ column, values, part: null }));
  return choices.length === 0 ? null : { choices, partial: false, text, next: at + 1 };
}

function namedBy({ facts }: Line, piece: Piece): readonly ValueChoice[] {
  if (piece.kind !== 'word' || isFiller(piece.key)) return [];
  const found = choicesOf(facts, [piece.key]);
  return /(?:ed|ing)$/.test(piece.key) ? found.filter((choice) => isWritten(choice, piece.key)) : found;
}

/** `booked` is no mention of books, though both have the same stem. */
function isWritten({ values }: ValueChoice, word: string): boolean {
  return values.some((value) => wordsOf(String(value)).some((own) => own === word || own === `${word}s`));
}

function exactAt(line: Line, piece: Piece, at: number): ValueMention | null {
  const meaning = exactValue({ keys: [line.key(at)], pieces: [piece] }, line.facts);
  if (meaning?.kind !== 'value' || isCalledSo(line, at)) return null;
  const choice = { column: meaning.column, values: meaning.values, part: null };
  return { choices: [choice], partial: false, text: piece.text, next: at + 1 };
}

/** Initials of a value that are the whole name of a column, too. */
function isCalledSo(line: Line, at: number): boolean {
  const named = columnAt(line, at);
  return named !== null && named.strength >= 96 && named.next === at + 1;
}

/** A number or a single capital letter, which only a whole cell of one column can mean. */
function isCode({ tokens }: Line, at: number): boolean {
  const piece = tokens[at];
  return piece?.kind === 'number' || (piece?.kind === 'word' && at > 0 && /^\p{Lu}$/u.test(piece.text));
}

function codeAt(line: Line, at: number): ValueMention | null {
  const text = line.tokens[at]?.text ?? '';
  const choices = choicesOf(line.facts, wordsOf(text)).filter(({ values }) =>
    values.some((value) => String(value) === text),
  );
  return choices.length === 1 ? { choices, partial: false, text, next: at + 1 } : null;
}

/** Words that are only a part of cells; a guess at a mistyped word is not enough for that. */
function partAt(line: Line, at: number): ValueMention | null {
  for (let length = Math.min(LONGEST_PART, line.end - at); length > 0; length -= 1) {
    const pieces = line.tokens.slice(at, at + length);
    const keys = pieces.map((_, index) => line.key(at + index));
    if (!pieces.every((piece) => piece.kind === 'word' && piece.guessed !== true)) continue;
    if (keys.some((key) => key.length < 3 || isFiller(key))) continue;
    const choices = partsOf(line.facts, keys);
    if (choices.length > 0) return { choices, partial: true, text: line.text(at, at + length), next: at + length };
  }
  return null;
}
