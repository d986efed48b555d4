import { isSameToken, joinLiterals, numeric, type NumberField, type TimeToken } from './time-layout.js';

const SHORT_MONTH: TimeToken = { kind: 'name', field: 'month', long: false };
const LONG_MONTH: TimeToken = { kind: 'name', field: 'month', long: true };
const SHORT_WEEKDAY: TimeToken = { kind: 'name', field: 'weekday', long: false };
const LONG_WEEKDAY: TimeToken = { kind: 'name', field: 'weekday', long: true };

/**
 * Runs of one letter, the preferred spelling of each token first. Capital Y and D are read the way Moment means them (year,
 * day of the month): nobody writes week years or days of the year on purpose as often as by this other convention.
 */
const RUNS: readonly (readonly [string, TimeToken])[] = [
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

interface Piece {
  readonly length: number;
  readonly token: TimeToken;
}

export function readUnicodeLayout(text: string, refuse: (what: string, at: number) => never): readonly TimeToken[] {
  const tokens: TimeToken[] = [];
  for (let at = 0; at < text.length;) {
    const quoted = optionalAt(text, at) ?? quotedAt(text, at) ?? bracketedAt(text, at);
    const piece = quoted ?? paddedAt(text, at) ?? runAt(text, at, refuse);
    tokens.push(piece.token);
    at += piece.length;
  }
  return joinLiterals(tokens.filter((token) => token.kind !== 'literal' || token.text !== ''));
}

function optionalAt(text: string, at: number): Piece | null {
  const [whole = '', point = '', digits = ''] = OPTIONAL_FRACTION.exec(text.slice(at)) ?? [];
  return whole === '' ? null : { length: whole.length, token: { kind: 'optionalFraction', point, max: digits.length } };
}

function quotedAt(text: string, at: number): Piece | null {
  const [whole = '', inner = ''] = QUOTED.exec(text.slice(at)) ?? [];
  if (whole === '') return null;
  return { length: whole.length, token: { kind: 'literal', text: inner === '' ? "'" : inner.replaceAll("''", "'") } };
}

function bracketedAt(text: string, at: number): Piece | null {
  const [whole = '', inner = ''] = BRACKETED.exec(text.slice(at)) ?? [];
  return whole === '' ? null : { length: whole.length, token: { kind: 'literal', text: inner } };
}

function paddedAt(text: string, at: number): Piece | null {
  const [padded, letter = ''] = PADDED.exec(text.slice(at)) ?? [];
  const field = PADDED_FIELDS[letter];
  return padded === undefined || !field ? null : { length: padded.length, token: numeric(field, 'blank') };
}

function runAt(text: string, at: number, refuse: (what: string, at: number) => never): Piece {
  const run = /^([A-Za-z])\1*/.exec(text.slice(at))?.[0];
  if (run === undefined) {
    const letter = text.charAt(at);
    return /['[\]{}#]/.test(letter) ? refuse(letter, at) : { length: 1, token: { kind: 'literal', text: letter } };
  }
  if (/^S{1,9}$/.test(run))
    return { length: run.length, token: { kind: 'fraction', min: run.length, max: run.length } };
  const token = RUNS.find(([spelling]) => spelling === run)?.[1] ?? refuse(run, at);
  return { length: run.length, token };
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
      return token.pad === 'blank' ? `pp${spellingOf({ ...token, pad: 'none' })}` : spellingOf(token);
    case 'name':
    case 'meridiem':
    case 'offset':
    case 'zoneName':
      return spellingOf(token);
  }
}

function spellingOf(token: TimeToken): string {
  return RUNS.find(([, known]) => isSameToken(known, token))?.[0] ?? '';
}

function quote(text: string): string {
  return text.replaceAll(/[A-Za-z[\]{}#']+/g, (part) => (part === "'" ? "''" : `'${part.replaceAll("'", "''")}'`));
}
