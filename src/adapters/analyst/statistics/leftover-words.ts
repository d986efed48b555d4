import type { ColumnFacts } from '../column-facts.js';
import type { Piece } from '../pieces.js';
import { nameWords, plain } from '../text.js';
import { isMeasure, isUnitWord } from '../units.js';
import type { Clause } from './clause.js';
import { saysHowRelated } from './operand-words.js';
import { isRestrictive, isWhole } from './prose-words.js';

const LINKING =
  /^(?:stands?|stood|comes?|came|lives?|sits?|belongs?|stems?|originates?|accounts?|goes|went|contributes?|works?|flows?)$/;
/** Words between an unknown one and what it belongs to. */
const NEAR = 3;
const LINKED: ReadonlySet<Piece['kind']> = new Set(['value', 'rows', 'time']);
const PARTICIPLE = /(?:ed|ing|en|wn|id|orn|eld|ade)$/;
const CONTENT: ReadonlySet<Piece['kind']> = new Set([
  'column',
  'value',
  'number',
  'operator',
  'time',
  'date',
  'quoted',
  'ambiguous',
  'negation',
  'empty',
  'superlative',
]);

/**
 * Whether an unknown word only tells about the task. It does in a stretch between commas that chooses nothing (no column, value, number
 * or statistic) and restricts nothing; in the name of the data (`the … dataset`); and as the verb between rows and what is known of them
 * (`embarked at Cherbourg`, `paid by the passengers`).
 */
export function isNarrative(word: Piece, clause: Clause): boolean {
  const { pieces } = clause;
  const at = pieces.indexOf(word);
  if (at < 0) return false;
  return (
    saysUnit(pieces, at) ||
    saysHowRelated(pieces, at, clause) ||
    namesData(pieces, at) ||
    linksRows(pieces, at) ||
    namesRows(pieces, at) ||
    isAside(stretchAround(pieces, at), clause)
  );
}

const KINDS: readonly { readonly nouns: RegExp; readonly units: RegExp }[] = [
  { nouns: /^(?:lengths?|widths?|heights?|distances?|depths?)$/, units: /^(?:mm|cm|m|km|in|inch|inches|ft)$/ },
  { nouns: /^(?:times?|durations?)$/, units: /^(?:min|mins|minutes|s|sec|secs|seconds|ms|h|hours|days)$/ },
  { nouns: /^(?:weights?|mass(?:es)?)$/, units: /^(?:kg|g|lbs|lb|mg|t)$/ },
  { nouns: /^angles?$/, units: /^(?:deg|degrees?)$/ },
  { nouns: /^temperatures?$/, units: /^(?:c|f|celsius|fahrenheit|deg|temp)$/ },
  { nouns: /^(?:prices?|costs?|amounts?|fees?)$/, units: /^(?:eur|usd|gbp|dollars|euros)$/ },
  { nouns: /^speeds?$/, units: /^(?:kmh|kph|mph|knots|kts|kn)$/ },
];
/** Said behind a figure whatever it is measured in. */
const OF_ANY_UNIT =
  /^(?:concentrations?|contents?|levels?|readings?|measurements?|values?|figures?|recorded|measured|observed|reported|registered|counted|carried)$/;
const OF_ANYTHING = /^(?:amounts?|contents?|marks?|scores?|readings?|measurements?|percentages?|totals?|counts?)$/;

/** `wing length` of wing_mm, `maths marks` of maths: what a column measures, said behind its name; and `2.5 m`. */
function saysUnit(pieces: readonly Piece[], at: number): boolean {
  const said = plain(pieces[at]?.text ?? '');
  const before = pieces[at - 1];
  if (before?.kind === 'number') return isUnit(said);
  return before?.kind === 'column' && before.column.role === 'figure' && measures(before.column, said);
}

function isUnit(said: string): boolean {
  return said === 'm' || isUnitWord(said) || isMeasure(said);
}

function measures({ name, unit }: ColumnFacts, said: string): boolean {
  if (OF_ANY_UNIT.test(said)) return true;
  const kind = KINDS.find(({ nouns }) => nouns.test(said));
  if (kind === undefined) return unit === null && OF_ANYTHING.test(said);
  return unit === null || nameWords(name).some((part) => kind.units.test(part));
}

function stretchAround(pieces: readonly Piece[], at: number): readonly Piece[] {
  const isEnd = (piece: Piece): boolean => piece.kind === 'join' && /^[,;()]$/.test(piece.text);
  const from = pieces.slice(0, at).findLastIndex(isEnd) + 1;
  const end = pieces.findIndex((piece, place) => place > at && isEnd(piece));
  return pieces.slice(from, end < 0 ? pieces.length : end);
}

function isAside(stretch: readonly Piece[], clause: Clause): boolean {
  const chooses = stretch.some((piece) => CONTENT.has(piece.kind) || clause.markOf(piece) !== null);
  return !chooses && !stretch.some(({ text }) => isRestrictive(plain(text)));
}

/** `our telco churn dataset`, `the data set of a supermarket chain`. */
function namesData(pieces: readonly Piece[], at: number): boolean {
  const after = pieces.slice(at + 1, at + 1 + NEAR);
  const heads = after.findIndex(({ text }) => isWhole(plain(text)));
  if (heads >= 0 && after.slice(0, heads).every(saysNothing)) return true;
  const before = pieces.slice(Math.max(at - NEAR, 0), at);
  const head = before.findLastIndex(({ text }) => isWhole(plain(text)));
  return head >= 0 && before.length - head > 1 && before.slice(head + 1).every(saysNothing);
}

function saysNothing({ kind }: Piece): boolean {
  return kind === 'word' || kind === 'filler' || kind === 'rows';
}

function linksRows(pieces: readonly Piece[], at: number): boolean {
  const word = pieces[at];
  if (word?.kind !== 'word' || !(PARTICIPLE.test(word.key) || LINKING.test(word.key))) return false;
  const [next] = pieces.slice(at + 1, at + 1 + NEAR).filter(({ kind }) => kind !== 'filler' && kind !== 'group');
  return next !== undefined && LINKED.has(next.kind) && !choosesRows(pieces[at + 1]);
}

/** `red wines`, `how many wines have`: what rows are called, right behind a value or a word of counting. */
function namesRows(pieces: readonly Piece[], at: number): boolean {
  const [word, before] = [pieces[at], pieces[at - 1]];
  if (word?.kind !== 'word' || !PLURAL.test(word.key)) return false;
  return before?.kind === 'count' || (choosesByItself(before) && !goesOn(pieces[at + 1]));
}

function goesOn(next: Piece | undefined): boolean {
  return next !== undefined && COMPARES.has(next.kind);
}

function choosesByItself(piece: Piece | undefined): boolean {
  return piece?.kind === 'value' || (piece?.kind === 'column' && piece.column.role === 'boolean');
}

const PLURAL = /^\p{Ll}{3,}(?<!s)s$/u;

const COMPARES: ReadonlySet<Piece['kind']> = new Set(['value', 'word', 'ambiguous']);

/** Right before the rows a participle says which of them: of `refunded orders` the others are not meant. */
function choosesRows(next: Piece | undefined): boolean {
  return next?.kind === 'rows';
}
