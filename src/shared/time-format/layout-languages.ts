import type { NumberField, OffsetStyle, Padding, TimeToken } from './time-layout.js';

// Three languages that say how timestamps are written: Go's reference time, strftime, and Unicode tokens.

/** Throws a sentence that names what is not understood and where. */
export type Refuse = (what: string, at: number) => never;

type SpelledToken = Exclude<TimeToken, { kind: 'literal' | 'fraction' | 'optionalFraction' }>;

export interface LayoutLanguage {
  readonly read: (text: string, refuse: Refuse) => readonly TimeToken[];
  readonly literal: (text: string) => string;
  readonly fraction: (digits: number) => string;
  readonly optionalFraction: (point: string, digits: number) => string;
  /** What the language has no spelling for comes as near as it allows. */
  readonly spelled: (token: SpelledToken) => string;
}

export function writtenToken(token: TimeToken, language: LayoutLanguage): string {
  switch (token.kind) {
    case 'literal':
      return language.literal(token.text);
    case 'fraction':
      return language.fraction(token.max);
    case 'optionalFraction':
      return language.optionalFraction(token.point, token.max);
    case 'number':
    case 'name':
    case 'meridiem':
    case 'offset':
    case 'zoneName':
      return language.spelled(token);
  }
}

/** What a layout says at a place, and how many letters it takes for that. */
interface LayoutPiece {
  readonly length: number;
  readonly tokens: readonly TimeToken[];
}

/** Neighbouring literals become one, so that the same layout is the same list in every language. */
function readPieces(text: string, pieceAt: (at: number) => LayoutPiece): readonly TimeToken[] {
  const read: TimeToken[] = [];
  for (let at = 0; at < text.length;) {
    const { length, tokens } = pieceAt(at);
    for (const token of tokens) {
      const last = read.at(-1);
      const joined = token.kind === 'literal' && last?.kind === 'literal' ? last.text + token.text : null;
      if (joined !== null) read[read.length - 1] = { kind: 'literal', text: joined };
      else if (token.kind !== 'literal' || token.text !== '') read.push(token);
    }
    at += length;
  }
  return read;
}

function literalPiece(text: string, length = text.length): LayoutPiece {
  return { length, tokens: [{ kind: 'literal', text }] };
}

/** How a language writes its tokens, the preferred spelling of each first; null stands for what is not understood. */
type Spellings = readonly (readonly [spelling: string, token: TimeToken | null])[];

function spellingOf(token: TimeToken, spellings: Spellings): string {
  // They are flat, so their parts decide.
  const wanted = JSON.stringify(token);
  return spellings.find(([, known]) => JSON.stringify(known) === wanted)?.[0] ?? '';
}

function numeric(field: NumberField, pad: Padding = 'zero'): TimeToken {
  return { kind: 'number', field, pad };
}

function name(field: 'month' | 'weekday', long: boolean): TimeToken {
  return { kind: 'name', field, long };
}

function offset(style: OffsetStyle, zulu: boolean): TimeToken {
  return { kind: 'offset', style, zulu };
}

/**
 * How each token is written: in Go, as a directive of strftime (as the row store's own knows them), and as a run of one letter in Unicode. Of several
 * spellings the preferred one stands first. Capital Y and D are read the way Moment means them (year, day of the month): nobody writes week years
 * or days of the year on purpose as often as by this other convention.
 */
const TOKENS: readonly (readonly [token: TimeToken, go: string, strftime: string, unicode: string])[] = [
  [numeric('year'), '2006', 'Y', 'yyyy YYYY uuuu y u'],
  [numeric('shortYear'), '06', 'y', 'yy YY'],
  [numeric('month'), '01', 'm', 'MM'],
  [numeric('month', 'none'), '1', '-m', 'M'],
  [numeric('day'), '02', 'd', 'dd DD'],
  [numeric('day', 'none'), '2', '-d', 'd D'],
  [numeric('day', 'blank'), '_2', 'e', ''],
  [numeric('hour'), '15', 'H', 'HH'],
  [numeric('hour', 'none'), '', '-H', 'H'],
  [numeric('hour', 'blank'), '', 'k', ''],
  [numeric('hour12'), '03', 'I', 'hh'],
  [numeric('hour12', 'none'), '3', '-I', 'h'],
  [numeric('hour12', 'blank'), '', 'l', ''],
  [numeric('minute'), '04', 'M', 'mm'],
  [numeric('minute', 'none'), '4', '-M', 'm'],
  [numeric('second'), '05', 'S', 'ss'],
  [numeric('second', 'none'), '5', '-S', 's'],
  [name('month', false), 'Jan', 'b h', 'MMM LLL'],
  [name('month', true), 'January', 'B', 'MMMM LLLL'],
  [name('weekday', false), 'Mon', 'a', 'EEE E EE ddd'],
  [name('weekday', true), 'Monday', 'A', 'EEEE dddd'],
  [{ kind: 'meridiem', lower: false }, 'PM', 'p', 'a A'],
  [{ kind: 'meridiem', lower: true }, 'pm', 'P', 'aa'],
  [offset('colon', true), 'Z07:00', '', 'XXX ZZZZZ'],
  [offset('compact', true), 'Z0700', '', 'XX'],
  [offset('hours', true), 'Z07', '', 'X'],
  [offset('colon', false), '-07:00', ':z', 'xxx'],
  [offset('compact', false), '-0700', 'z', 'xx Z ZZ ZZZ'],
  [offset('hours', false), '-07', '', 'x'],
  [{ kind: 'zoneName' }, 'MST', 'Z', 'zzz z VV'],
];

function spellingsIn(language: 1 | 2 | 3): Spellings {
  return TOKENS.flatMap((row) =>
    row[language]
      .split(' ')
      .filter((spelling) => spelling !== '')
      .map((spelling) => [spelling, row[0]] as const),
  );
}

const GO_REFUSED = ['002', '__2', '_2006', '-07:00:00', '-070000'];

/** The reference time of Go, piece by piece, the longest first: some begin like another. */
const GO_PIECES: Spellings = [...spellingsIn(1), ...GO_REFUSED.map((spelling) => [spelling, null] as const)].sort(
  ([one], [other]) => other.length - one.length,
);

const GO_FRACTION = /^([.,])(0{1,9}|9{1,9})(?!\d)/;

/** Go can't quote text, knows no one-digit 24-hour clock, and only days can be filled up with a blank. */
export const GO: LayoutLanguage = {
  read: (text, refuse) => readPieces(text, (at) => goFraction(text, at) ?? goPiece(text, at, refuse)),
  literal: (text) => text,
  fraction: (digits) => '0'.repeat(digits),
  optionalFraction: (point, digits) => point + '9'.repeat(digits),
  spelled: (token) => {
    if (token.kind === 'number' && token.field === 'hour') return '15';
    const isUnknown = token.kind === 'number' && token.pad === 'blank' && token.field !== 'day';
    return spellingOf(isUnknown ? { ...token, pad: 'none' } : token, GO_PIECES);
  },
};

function goFraction(text: string, at: number): LayoutPiece | null {
  const [whole = '', point = '', digits = ''] = GO_FRACTION.exec(text.slice(at)) ?? [];
  if (whole === '') return null;
  const max = digits.length;
  if (whole.endsWith('9')) return { length: whole.length, tokens: [{ kind: 'optionalFraction', point, max }] };
  const tokens: readonly TimeToken[] = [
    { kind: 'literal', text: point },
    { kind: 'fraction', min: max, max },
  ];
  return { length: whole.length, tokens };
}

function goPiece(text: string, at: number, refuse: Refuse): LayoutPiece {
  for (const [spelling, token] of GO_PIECES) {
    if (!text.startsWith(spelling, at) || isPartOfWord(text, at + spelling.length, spelling)) continue;
    return { length: spelling.length, tokens: [token ?? refuse(spelling, at)] };
  }
  return literalPiece(text.charAt(at));
}

/** Go reads "Jan" and "Mon" only where no small letter follows ("Month" is plain text). */
function isPartOfWord(text: string, end: number, spelling: string): boolean {
  return (spelling === 'Jan' || spelling === 'Mon') && /^[a-z]/.test(text.slice(end));
}

const DIRECTIVES: Spellings = [
  ...spellingsIn(2),
  // Milliseconds and nanoseconds are `%g` and `%n` in the row store.
  ['g', { kind: 'fraction', min: 1, max: 3 }],
  ['f', { kind: 'fraction', min: 1, max: 6 }],
  ['n', { kind: 'fraction', min: 1, max: 9 }],
  ['%', { kind: 'literal', text: '%' }],
];

const SHORTHANDS: readonly (readonly [string, string])[] = [
  ['%F', '%Y-%m-%d'],
  ['%T', '%H:%M:%S'],
  ['%R', '%H:%M'],
  ['%D', '%m/%d/%y'],
];

/** An exact number of fraction digits and a fraction that may be missing can't be said: such a layout reads more loosely. */
export const STRFTIME: LayoutLanguage = {
  read: (text, refuse) => readPieces(text, (at) => directiveAt(text, at, refuse)),
  literal: (text) => text.replaceAll('%', '%%'),
  fraction: fractionDirective,
  optionalFraction: (point, digits) => point + fractionDirective(digits),
  spelled: (token) => (token.kind === 'offset' ? '%z' : `%${spellingOf(token, DIRECTIVES)}`),
};

function directiveAt(text: string, at: number, refuse: Refuse): LayoutPiece {
  if (text[at] !== '%') return literalPiece(text.charAt(at));
  const shorthand = SHORTHANDS.find(([name]) => text.startsWith(name, at));
  if (shorthand) return { length: shorthand[0].length, tokens: STRFTIME.read(shorthand[1], refuse) };
  const [name = '', token = null] = DIRECTIVES.find(([known]) => text.startsWith(known, at + 1)) ?? [];
  return { length: name.length + 1, tokens: [token ?? refuse(/^%[-:]?[^]?/u.exec(text.slice(at))?.[0] ?? '%', at)] };
}

export function fractionDirective(digits: number): string {
  if (digits <= 3) return '%g';
  return digits <= 6 ? '%f' : '%n';
}

const RUNS: Spellings = [
  ...spellingsIn(3),
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

/** A fraction of any length can't be said: its greatest length stands in. */
export const UNICODE: LayoutLanguage = {
  read: (text, refuse) =>
    readPieces(text, (at) => {
      const rest = text.slice(at);
      return optionalFraction(rest) ?? quoted(rest) ?? padded(rest) ?? run(rest, (what) => refuse(what, at));
    }),
  literal: quote,
  fraction: (digits) => 'S'.repeat(digits),
  optionalFraction: (point, digits) => `[${point}${'S'.repeat(digits)}]`,
  spelled: (token) => {
    const isPadded = token.kind === 'number' && token.pad === 'blank';
    return isPadded ? `pp${spellingOf({ ...token, pad: 'none' }, RUNS)}` : spellingOf(token, RUNS);
  },
};

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

function quote(text: string): string {
  return text.replaceAll(/[A-Za-z[\]{}#']+/g, (part) => (part === "'" ? "''" : `'${part.replaceAll("'", "''")}'`));
}
