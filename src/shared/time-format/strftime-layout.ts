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

/** Directives as the row store's own strptime knows them (`%g` is milliseconds there, `%n` nanoseconds). */
const DIRECTIVES: Spellings = [
  ['Y', numeric('year')],
  ['y', numeric('shortYear')],
  ['m', numeric('month')],
  ['-m', numeric('month', 'none')],
  ['d', numeric('day')],
  ['-d', numeric('day', 'none')],
  ['e', numeric('day', 'blank')],
  ['H', numeric('hour')],
  ['-H', numeric('hour', 'none')],
  ['k', numeric('hour', 'blank')],
  ['I', numeric('hour12')],
  ['-I', numeric('hour12', 'none')],
  ['l', numeric('hour12', 'blank')],
  ['M', numeric('minute')],
  ['-M', numeric('minute', 'none')],
  ['S', numeric('second')],
  ['-S', numeric('second', 'none')],
  ['g', { kind: 'fraction', min: 1, max: 3 }],
  ['f', { kind: 'fraction', min: 1, max: 6 }],
  ['n', { kind: 'fraction', min: 1, max: 9 }],
  ['b', { kind: 'name', field: 'month', long: false }],
  ['h', { kind: 'name', field: 'month', long: false }],
  ['B', { kind: 'name', field: 'month', long: true }],
  ['a', { kind: 'name', field: 'weekday', long: false }],
  ['A', { kind: 'name', field: 'weekday', long: true }],
  ['p', { kind: 'meridiem', lower: false }],
  ['P', { kind: 'meridiem', lower: true }],
  [':z', { kind: 'offset', style: 'colon', zulu: false }],
  ['z', { kind: 'offset', style: 'compact', zulu: false }],
  ['Z', { kind: 'zoneName' }],
  ['%', { kind: 'literal', text: '%' }],
];

const SHORTHANDS: readonly (readonly [string, string])[] = [
  ['%F', '%Y-%m-%d'],
  ['%T', '%H:%M:%S'],
  ['%R', '%H:%M'],
  ['%D', '%m/%d/%y'],
];

export function readStrftimeLayout(text: string, refuse: Refuse): readonly TimeToken[] {
  return readPieces(text, (at) => pieceAt(text, at, refuse));
}

function pieceAt(text: string, at: number, refuse: Refuse): LayoutPiece {
  if (text[at] !== '%') return literalPiece(text.charAt(at));
  const shorthand = SHORTHANDS.find(([name]) => text.startsWith(name, at));
  if (shorthand) return { length: shorthand[0].length, tokens: readStrftimeLayout(shorthand[1], refuse) };
  const [name = '', token = null] = DIRECTIVES.find(([known]) => text.startsWith(known, at + 1)) ?? [];
  return { length: name.length + 1, tokens: [token ?? refuse(/^%[-:]?[^]?/u.exec(text.slice(at))?.[0] ?? '%', at)] };
}

/** An exact number of fraction digits and a fraction that may be missing can't be said: such a layout reads more loosely. */
export function writeStrftimeLayout(tokens: readonly TimeToken[]): string {
  return tokens.map(directiveOf).join('');
}

export function directiveOf(token: TimeToken): string {
  switch (token.kind) {
    case 'literal':
      return token.text.replaceAll('%', '%%');
    case 'fraction':
      return fractionDirective(token.max);
    case 'optionalFraction':
      return token.point + fractionDirective(token.max);
    case 'offset':
      return '%z';
    case 'number':
    case 'name':
    case 'meridiem':
    case 'zoneName':
      return `%${spellingOf(token, DIRECTIVES)}`;
  }
}

export function fractionDirective(digits: number): string {
  if (digits <= 3) return '%g';
  return digits <= 6 ? '%f' : '%n';
}
