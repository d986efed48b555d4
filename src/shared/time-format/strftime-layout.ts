import { isSameToken, joinLiterals, numeric, type TimeToken } from './time-layout.js';

/** Directives as the row store's own strptime knows them (`%g` is milliseconds there, `%n` nanoseconds). */
const DIRECTIVES: readonly (readonly [string, TimeToken])[] = [
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

export function readStrftimeLayout(text: string, refuse: (what: string, at: number) => never): readonly TimeToken[] {
  const tokens: TimeToken[] = [];
  for (let at = 0; at < text.length;) {
    const [read, length] = pieceAt(text, at, refuse);
    tokens.push(...read);
    at += length;
  }
  return joinLiterals(tokens);
}

function pieceAt(
  text: string,
  at: number,
  refuse: (what: string, at: number) => never,
): readonly [tokens: readonly TimeToken[], length: number] {
  if (text[at] !== '%') return [[{ kind: 'literal', text: text.charAt(at) }], 1];
  const shorthand = SHORTHANDS.find(([name]) => text.startsWith(name, at));
  if (shorthand) return [readStrftimeLayout(shorthand[1], refuse), shorthand[0].length];
  const found = DIRECTIVES.find(([name]) => text.startsWith(name, at + 1));
  if (!found) return refuse(/^%[-:]?[^]?/u.exec(text.slice(at))?.[0] ?? '%', at);
  return [[found[1]], found[0].length + 1];
}

/** An exact number of fraction digits and a fraction that may be missing can't be said: such a layout reads more loosely. */
export function writeStrftimeLayout(tokens: readonly TimeToken[]): string {
  return tokens.map(directiveOf).join('');
}

function directiveOf(token: TimeToken): string {
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
      return `%${DIRECTIVES.find(([, known]) => isSameToken(known, token))?.[0] ?? ''}`;
  }
}

export function fractionDirective(digits: number): string {
  if (digits <= 3) return '%g';
  return digits <= 6 ? '%f' : '%n';
}
