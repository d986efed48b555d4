import {
  type LayoutPiece,
  literalPiece,
  type NumberField,
  numeric,
  readPieces,
  type Refuse,
  spellingOf,
  type Spellings,
  type TimeToken,
} from './time-layout.js';

const SHORT_MONTH: TimeToken = { kind: 'name', field: 'month', long: false };
const LONG_MONTH: TimeToken = { kind: 'name', field: 'month', long: true };
const SHORT_WEEKDAY: TimeToken = { kind: 'name', field: 'weekday', long: false };
const LONG_WEEKDAY: TimeToken = { kind: 'name', field: 'weekday', long: true };

/**
 * Runs of one letter, the preferred spelling of each token first. Capital Y and D are read the way Moment means them (year,
 * day of the month): nobody writes week years or days of the year on purpose as often as by this other convention.
 */
const RUNS: Spellings = [
  ['yyyy', numeric('year')],
  ['YYYY', numeric('year')],
  ['uuuu', numeric('year')],
  ['y', numeric('year')],
  ['u', numeric('year')],
  ['yy', numeric('shortYear')],
  ['YY', numeric('shortYear')],
  ['MM', numeric('month')],
  ['M', numeric('month', 'none')],
  ['MMM', SHORT_MONTH],
  ['MMMM', LONG_MONTH],
  ['LLL', SHORT_MONTH],
  ['LLLL', LONG_MONTH],
  ['dd', numeric('day')],
  ['DD', numeric('day')],
  ['d', numeric('day', 'none')],
  ['D', numeric('day', 'none')],
  ['HH', numeric('hour')],
  ['H', numeric('hour', 'none')],
  ['hh', numeric('hour12')],
  ['h', numeric('hour12', 'none')],
  ['mm', numeric('minute')],
  ['m', numeric('minute', 'none')],
  ['ss', numeric('second')],
  ['s', numeric('second', 'none')],
  ['a', { kind: 'meridiem', lower: false }],
  ['A', { kind: 'meridiem', lower: false }],
  ['aa', { kind: 'meridiem', lower: true }],
  ['EEE', SHORT_WEEKDAY],
  ['E', SHORT_WEEKDAY],
  ['EE', SHORT_WEEKDAY],
  ['EEEE', LONG_WEEKDAY],
  ['ddd', SHORT_WEEKDAY],
  ['dddd', LONG_WEEKDAY],
  ['XXX', { kind: 'offset', style: 'colon', zulu: true }],
  ['XX', { kind: 'offset', style: 'compact', zulu: true }],
  ['X', { kind: 'offset', style: 'hours', zulu: true }],
  ['xxx', { kind: 'offset', style: 'colon', zulu: false }],
  ['xx', { kind: 'offset', style: 'compact', zulu: false }],
  ['x', { kind: 'offset', style: 'hours', zulu: false }],
  ['Z', { kind: 'offset', style: 'compact', zulu: false }],
  ['ZZ', { kind: 'offset', style: 'compact', zulu: false }],
  ['ZZZ', { kind: 'offset', style: 'compact', zulu: false }],
  ['ZZZZZ', { kind: 'offset', style: 'colon', zulu: true }],
  ['zzz', { kind: 'zoneName' }],
  ['z', { kind: 'zoneName' }],
  ['VV', { kind: 'zoneName' }],
  // Not a letter of either language, and ISO 8601 is often written without quotes.
  ['T', { kind: 'literal', text: 'T' }],
];

/** Java's modifier for a number that is filled up with a blank. */
const PADDED = /^pp([dHh])(?!\1)/;
const PADDED_FIELDS: Readonly<Record<string, NumberField>> = { d: 'day', H: 'hour', h: 'hour12' };
/** Moment quotes with brackets; `[.SSS]` is Java's optional part. */
const OPTIONAL_FRACTION = /^\[([.,])(S{1,9})\]/;
const QUOTED = /^'((?:[^']|'')*)'/;
const BRACKETED = /^\[([^[\]]*)\]/;

export function readUnicodeLayout(text: string, refuse: Refuse): readonly TimeToken[] {
  return readPieces(text, (at) => {
    const rest = text.slice(at);
    return optionalFraction(rest) ?? quoted(rest) ?? padded(rest) ?? run(rest, (what) => refuse(what, at));
  });
}

function optionalFraction(text: string): LayoutPiece | null {
  const [whole = '', point = '', digits = ''] = OPTIONAL_FRACTION.exec(text) ?? [];
  if (whole === '') return null;
  return { length: whole.length, tokens: [{ kind: 'optionalFraction', point, max: digits.length }] };
}

function quoted(text: string): LayoutPiece | null {
  const [whole, inner = ''] = QUOTED.exec(text) ?? [];
  if (whole !== undefined) return literalPiece(inner === '' ? "'" : inner.replaceAll("''", "'"), whole.length);
  const [bracketed, within = ''] = BRACKETED.exec(text) ?? [];
  return bracketed === undefined ? null : literalPiece(within, bracketed.length);
}

function padded(text: string): LayoutPiece | null {
  const [whole, letter = ''] = PADDED.exec(text) ?? [];
  const field = PADDED_FIELDS[letter];
  return whole === undefined || !field ? null : { length: whole.length, tokens: [numeric(field, 'blank')] };
}

function run(text: string, refuse: (what: string) => never): LayoutPiece {
  const [letter = ''] = text;
  const [letters] = /^([A-Za-z])\1*/.exec(text) ?? [];
  if (letters === undefined) return /['[\]{}#]/.test(letter) ? refuse(letter) : literalPiece(letter);
  const { length } = letters;
  if (/^S{1,9}$/.test(letters)) return { length, tokens: [{ kind: 'fraction', min: length, max: length }] };
  return { length, tokens: [RUNS.find(([spelling]) => spelling === letters)?.[1] ?? refuse(letters)] };
}

/** A fraction of any length can't be said: its greatest length stands in. */
export function writeUnicodeLayout(tokens: readonly TimeToken[]): string {
  return tokens.map(runOf).join('');
}

function runOf(token: TimeToken): string {
  switch (token.kind) {
    case 'literal':
      return quote(token.text);
    case 'fraction':
      return 'S'.repeat(token.max);
    case 'optionalFraction':
      return `[${token.point}${'S'.repeat(token.max)}]`;
    case 'number':
      return token.pad === 'blank' ? `pp${spellingOf({ ...token, pad: 'none' }, RUNS)}` : spellingOf(token, RUNS);
    case 'name':
    case 'meridiem':
    case 'offset':
    case 'zoneName':
      return spellingOf(token, RUNS);
  }
}

function quote(text: string): string {
  return text.replaceAll(/[A-Za-z[\]{}#']+/g, (part) => (part === "'" ? "''" : `'${part.replaceAll("'", "''")}'`));
}
