import {
  type LayoutPiece,
  literalPiece,
  numeric,
  readPieces,
  type Refuse,
  spellingOf,
  type Spellings,
  type TimeToken,
} from './time-layout.js';

/** The reference time of Go, piece by piece; where two pieces begin alike the longer one stands first. */
const PIECES: Spellings = [
  ['January', { kind: 'name', field: 'month', long: true }],
  ['Jan', { kind: 'name', field: 'month', long: false }],
  ['Monday', { kind: 'name', field: 'weekday', long: true }],
  ['Mon', { kind: 'name', field: 'weekday', long: false }],
  ['MST', { kind: 'zoneName' }],
  ['2006', numeric('year')],
  ['002', null],
  ['__2', null],
  ['-07:00:00', null],
  ['-070000', null],
  ['Z07:00', { kind: 'offset', style: 'colon', zulu: true }],
  ['Z0700', { kind: 'offset', style: 'compact', zulu: true }],
  ['Z07', { kind: 'offset', style: 'hours', zulu: true }],
  ['-07:00', { kind: 'offset', style: 'colon', zulu: false }],
  ['-0700', { kind: 'offset', style: 'compact', zulu: false }],
  ['-07', { kind: 'offset', style: 'hours', zulu: false }],
  ['01', numeric('month')],
  ['02', numeric('day')],
  ['03', numeric('hour12')],
  ['04', numeric('minute')],
  ['05', numeric('second')],
  ['06', numeric('shortYear')],
  ['15', numeric('hour')],
  ['PM', { kind: 'meridiem', lower: false }],
  ['pm', { kind: 'meridiem', lower: true }],
  ['1', numeric('month', 'none')],
  ['_2006', null],
  ['_2', numeric('day', 'blank')],
  ['2', numeric('day', 'none')],
  ['3', numeric('hour12', 'none')],
  ['4', numeric('minute', 'none')],
  ['5', numeric('second', 'none')],
];

const FRACTION = /^([.,])(0{1,9}|9{1,9})(?!\d)/;

/** Whether the text is written with Go's reference time rather than with letters that stand for parts. */
export function isGoLayout(text: string): boolean {
  if (text.includes('2006')) return true;
  return text.includes('06') && /0[12]|15|Jan/.test(text) && !/[yYdDhHsS]/.test(text);
}

export function readGoLayout(text: string, refuse: Refuse): readonly TimeToken[] {
  return readPieces(text, (at) => fractionAt(text, at) ?? pieceAt(text, at, refuse));
}

function fractionAt(text: string, at: number): LayoutPiece | null {
  const [whole, point, digits] = FRACTION.exec(text.slice(at)) ?? [];
  if (whole === undefined || point === undefined || digits === undefined) return null;
  const max = digits.length;
  if (digits.startsWith('9')) return { length: whole.length, tokens: [{ kind: 'optionalFraction', point, max }] };
  return {
    length: whole.length,
    tokens: [
      { kind: 'literal', text: point },
      { kind: 'fraction', min: max, max },
    ],
  };
}

function pieceAt(text: string, at: number, refuse: Refuse): LayoutPiece {
  for (const [spelling, token] of PIECES) {
    if (!text.startsWith(spelling, at) || isPartOfWord(text, at + spelling.length, spelling)) continue;
    return { length: spelling.length, tokens: [token ?? refuse(spelling, at)] };
  }
  return literalPiece(text.charAt(at));
}

/** Go reads "Jan" and "Mon" only where no small letter follows ("Month" is plain text). */
function isPartOfWord(text: string, end: number, spelling: string): boolean {
  return (spelling === 'Jan' || spelling === 'Mon') && /^[a-z]/.test(text.slice(end));
}

/** Go can't quote text and knows no one-digit 24-hour clock: such a layout comes as near as its language allows. */
export function writeGoLayout(tokens: readonly TimeToken[]): string {
  return tokens.map(goPieceOf).join('');
}

function goPieceOf(token: TimeToken): string {
  switch (token.kind) {
    case 'literal':
      return token.text;
    case 'fraction':
      return '0'.repeat(token.max);
    case 'optionalFraction':
      return token.point + '9'.repeat(token.max);
    case 'number':
      return token.field === 'hour' ? '15' : spellingOf(nearest(token), PIECES);
    case 'name':
    case 'meridiem':
    case 'offset':
    case 'zoneName':
      return spellingOf(token, PIECES);
  }
}

/** Only days can be filled up with a blank. */
function nearest(token: Extract<TimeToken, { kind: 'number' }>): TimeToken {
  return token.pad === 'blank' && token.field !== 'day' ? { ...token, pad: 'none' } : token;
}
