/** Smaller or larger than these, figures are written in powers of ten. */
const TINY = 1e-6;
const HUGE = 1e15;
/** Below this a p-value is only said to be so. */
const LEAST_P = 0.001;
// Each format is made once: to make one takes ten times as long as to use it.
const upTo = (maximumFractionDigits: number) => new Intl.NumberFormat('en-US', { maximumFractionDigits });
/** From which size on so many digits behind the point are enough. */
const FORMATS = [
  [99_999.5, upTo(0)],
  [9999.95, upTo(1)],
  [9.9995, upTo(2)],
  [1, upTo(3)],
] as const;
/** Amounts of money are told to the cent up to here. */
const MOST_IN_CENTS = 1e10;
const CENTS = upTo(2);
const SMALL = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 4 });

/** A figure that can be read: thousands apart, at least four digits that count, and no more than it can have earned; whole cents are kept. */
export function numberWords(value: number): string {
  const size = Math.abs(value);
  if (value === 0) return '0';
  if (size >= HUGE || size < TINY) return inPowers(value);
  if (size >= 1 && size < MOST_IN_CENTS && isInCents(size)) return CENTS.format(value);
  const [, format = SMALL] = FORMATS.find(([least]) => size >= least) ?? [];
  return format.format(value);
}

function isInCents(size: number): boolean {
  return Number.isInteger(Number((size * 100).toPrecision(14)));
}

/** How many digits behind the point suit all of these figures, which stand together: two for amounts in cents; null: as suits each. */
export function decimalsFor(values: readonly number[]): number | null {
  const sizes = values.map(Math.abs).filter((size) => size > 0);
  const areAmounts = sizes.every((size) => size >= 0.01 && size < MOST_IN_CENTS && isInCents(size));
  return areAmounts && sizes.some((size) => !Number.isInteger(Number((size * 10).toPrecision(13)))) ? 2 : null;
}

function inPowers(value: number): string {
  const [digits = '', power = ''] = value.toExponential(3).split('e');
  return `${digits.includes('.') ? digits.replace(/\.?0+$/, '') : digits}e${power.replace('+', '')}`;
}

/** With exactly so many digits behind the point; `null`: as suits the figure. */
export function roundedWords(value: number, decimals: number | null): string {
  if (decimals === null || Math.abs(value) >= HUGE) return numberWords(value);
  // Of a half that binary digits can't hold, 1.005 for one, the written form is rounded.
  const [digits = '', power = '0'] = String(Math.abs(value)).split('e');
  const size = Number(`${Math.round(Number(`${digits}e${Number(power) + decimals}`))}e-${decimals}`);
  return (value < 0 && size > 0 ? -size : size).toLocaleString('en-US', {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
}

/** A figure that is percent already. */
export function percentWords(percent: number, decimals: number | null = null): string {
  return `${roundedWords(percent, decimals)} %`;
}

/** A fraction as percent: 0.253 is `25.3 %`. */
export function shareWords(fraction: number, decimals: number | null = null): string {
  return percentWords(Number((fraction * 100).toPrecision(12)), decimals);
}

/** About so much percent: 0.0597 is `6 %`, 0.025 `2.5 %`. */
export function roughShareWords(fraction: number): string {
  const percent = fraction * 100;
  const digits = Math.abs(percent) < 10 ? 1 : 0;
  return `${percent.toLocaleString('en-US', { maximumFractionDigits: digits })} %`;
}

/** `+6 %`, `-12.5 %`, `25 times`; null when there is nothing to compare with. */
export function changeWords(value: number, before: number): string | null {
  if (before === 0) return null;
  const change = (value - before) / Math.abs(before);
  if (Math.abs(change) >= 10) return `${numberWords(Math.round((value / before) * 10) / 10)} times`;
  return `${change > 0 ? '+' : ''}${roughShareWords(change)}`;
}

/** `0.0213`, `< 0.001`. */
export function probabilityWords(value: number, decimals: number | null = null): string {
  const words = roundedWords(value, decimals);
  return value < LEAST_P && !/[1-9]/.test(decimals === null ? '' : words) ? `< ${LEAST_P}` : words;
}

const ORDINALS = ['', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth'];

/** `second ` for what comes after one other; nothing for the first. */
export function placeWords(skip = 0): string {
  return skip === 0 ? '' : `${ORDINALS[skip] ?? ordinal(skip + 1)} `;
}

/** `1st`, `22nd`, `90th`. */
export function ordinal(number: number): string {
  const isTeen = !Number.isInteger(number) || (number % 100 >= 11 && number % 100 <= 13);
  return `${number}${(isTeen ? undefined : ['th', 'st', 'nd', 'rd'][number % 10]) ?? 'th'}`;
}

/** One row, two rows. */
export function counted(number: number, noun: string): string {
  return `${numberWords(number)} ${noun}${number === 1 ? '' : 's'}`;
}

/** `a`, `a and b`, `a, b and c`. */
export function joined(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`;
}

/** `a, b and 2 more`: the first five, or so many. */
export function firstFew(words: readonly string[], most = 5): string {
  const more = words.length - most;
  return `${words.slice(0, most).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** `a total`, `an average`; by the letter, which is right for the names that figures have. */
export function withArticle(words: string): string {
  return `${/^[aeio]/i.test(words) ? 'an' : 'a'} ${words}`;
}
