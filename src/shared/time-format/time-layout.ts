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

const MONTHS = 'January February March April May June July August September October November December'.split(' ');
/** In the order of `Date.getUTCDay`. */
const WEEKDAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');

export function namesOf(field: 'month' | 'weekday', long: boolean): readonly string[] {
  const names = field === 'month' ? MONTHS : WEEKDAYS;
  return long ? names : names.map((name) => name.slice(0, 3));
}
