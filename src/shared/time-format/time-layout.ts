export type NumberField = 'year' | 'shortYear' | 'month' | 'day' | 'hour' | 'hour12' | 'minute' | 'second';

/** `none` is as many digits as the number has (a leading zero does no harm), `blank` fills up with a blank. */
export type Padding = 'zero' | 'none' | 'blank';

export type OffsetStyle = 'colon' | 'compact' | 'hours';

export type TimeToken =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'number'; readonly field: NumberField; readonly pad: Padding }
  | { readonly kind: 'name'; readonly field: 'month' | 'weekday'; readonly long: boolean }
  | { readonly kind: 'meridiem'; readonly lower: boolean }
  | { readonly kind: 'fraction'; readonly min: number; readonly max: number }
  /** A fraction that may be missing together with its point. */
  | { readonly kind: 'optionalFraction'; readonly point: string; readonly max: number }
  /** Every form of an offset is read, whatever the style; the style says how one is written, `zulu` that UTC is `Z`. */
  | { readonly kind: 'offset'; readonly style: OffsetStyle; readonly zulu: boolean }
  /** `UTC`, `GMT` or `Z`: other names have no one meaning. */
  | { readonly kind: 'zoneName' };

/** How timestamps are written, whatever language that was said in. */
export type TimeLayout =
  | { readonly kind: 'tokens'; readonly tokens: readonly TimeToken[] }
  | { readonly kind: 'epoch'; readonly unit: 's' | 'ms' };

export const MONTHS: readonly string[] = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** In the order of `Date.getUTCDay`. */
export const WEEKDAYS: readonly string[] = [
  'Sunday',
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
];

export function namesOf(field: 'month' | 'weekday', long: boolean): readonly string[] {
  const names = field === 'month' ? MONTHS : WEEKDAYS;
  return long ? names : names.map((name) => name.slice(0, 3));
}

/** What a layout says at a place, and how many letters it takes for that. */
export interface LayoutPiece {
  readonly length: number;
  readonly tokens: readonly TimeToken[];
}

/** Throws a sentence that names what is not understood and where. */
export type Refuse = (what: string, at: number) => never;

/** Neighbouring literals become one, so that the same layout is the same list in every language. */
export function readPieces(text: string, pieceAt: (at: number) => LayoutPiece): readonly TimeToken[] {
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

export function literalPiece(text: string, length = text.length): LayoutPiece {
  return { length, tokens: [{ kind: 'literal', text }] };
}

/** Tokens by how a language writes them; the shorthand of the three language files. */
export function numeric(field: NumberField, pad: Padding = 'zero'): TimeToken {
  return { kind: 'number', field, pad };
}

/** How a language writes its tokens, the preferred spelling of each first; null stands for what is not understood. */
export type Spellings = readonly (readonly [spelling: string, token: TimeToken | null])[];

export function spellingOf(token: TimeToken, spellings: Spellings): string {
  // They are flat, so their parts decide.
  const wanted = JSON.stringify(token);
  return spellings.find(([, known]) => JSON.stringify(known) === wanted)?.[0] ?? '';
}
