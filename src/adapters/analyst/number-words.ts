/** Smaller than this, figures are written in powers of ten. */
const TINY = 1e-6;
const HUGE = 1e15;

/** A figure that can be read: thousands apart, at least four digits that count, and no more than it can have earned. */
export function numberWords(value: number): string {
  const size = Math.abs(value);
  if (value === 0) return '0';
  if (size >= HUGE || size < TINY) return inPowers(value);
  if (Number.isInteger(value)) return value.toLocaleString('en-US');
  if (size < 1) return value.toLocaleString('en-US', { maximumSignificantDigits: 4 });
  const digits = DIGITS.find(([least]) => size >= least)?.[1] ?? 3;
  return value.toLocaleString('en-US', { maximumFractionDigits: digits });
}

/** From which size on so many digits behind the point are enough. */
const DIGITS = [
  [99_999.5, 0],
  [9999.95, 1],
  [9.9995, 2],
] as const;

function inPowers(value: number): string {
  const [digits = '', power = ''] = value.toExponential(3).split('e');
  return `${digits.includes('.') ? digits.replace(/\.?0+$/, '') : digits}e${power.replace('+', '')}`;
}

/** The figure with exactly so many decimals, thousands apart: 12.3 is `12.30`. Halves go away from zero, as people count. */
export function fixedWords(value: number, decimals: number): string {
  const rounded = roundedDigits(value, decimals);
  const [whole = '0', fraction] = rounded.digits.split('.');
  const thousands = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  const sign = rounded.isNegative && /[1-9]/.test(rounded.digits) ? '-' : '';
  return `${sign}${thousands}${fraction === undefined ? '' : `.${fraction}`}`;
}

/** On the decimal digits of the number as it is written: 1.005 is 1.01, though in the machine it is a little less than that. */
function roundedDigits(value: number, decimals: number): { readonly digits: string; readonly isNegative: boolean } {
  const { whole, fraction } = plainDigits(Math.abs(value));
  const kept = BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'));
  const up = Number(fraction.charAt(decimals) || '0') >= 5 ? 1n : 0n;
  const digits = (kept + up).toString().padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  return {
    digits: decimals === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`,
    isNegative: value < 0,
  };
}

/** The shortest decimal digits that stand for this number, without a power of ten. */
function plainDigits(value: number): { readonly whole: string; readonly fraction: string } {
  const [mantissa = '0', power = '0'] = String(value).split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  const shift = Number(power);
  if (shift < 0) return { whole: '0', fraction: `${'0'.repeat(-shift - whole.length)}${whole}${fraction}` };
  const padded = fraction.padEnd(shift, '0');
  return { whole: whole + padded.slice(0, shift), fraction: padded.slice(shift) };
}

/** A fraction as percent: 0.253 is `25.3 %`. */
export function percentOf(fraction: number, decimals: number | null): string {
  return percentWords(Number((fraction * 100).toPrecision(15)), decimals);
}

/** A figure that is percent already. */
export function percentWords(percent: number, decimals: number | null): string {
  return `${decimals === null ? numberWords(percent) : fixedWords(percent, decimals)} %`;
}

/** One row, two rows. */
const ORDINALS = ['', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth'];

/** `second ` for what comes after one other; nothing for the first. */
export function placeWords(skip = 0): string {
  if (skip === 0) return '';
  const place = skip + 1;
  return `${ORDINALS[skip] ?? `${place}${ordinalEnd(place)}`} `;
}

function ordinalEnd(place: number): string {
  const isTeen = place % 100 >= 11 && place % 100 <= 13;
  return (isTeen ? undefined : ['th', 'st', 'nd', 'rd'][place % 10]) ?? 'th';
}

export function counted(number: number, noun: string): string {
  return `${numberWords(number)} ${noun}${number === 1 ? '' : 's'}`;
}

/** `a`, `a and b`, `a, b and c`. */
export function joined(words: readonly string[], last = 'and'): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1) ?? ''}`;
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** `a total`, `an average`; by the letter, which is right for the names that figures have. */
export function withArticle(words: string): string {
  return `${/^[aeio]/i.test(words) ? 'an' : 'a'} ${words}`;
}
