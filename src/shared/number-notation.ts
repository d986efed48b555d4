/** What parts the whole of a number from its fraction. */
export type DecimalSign = '.' | ',';

const BLANKS = [' ', '\u00a0', '\u202f'];
const APOSTROPHES = ["'", '\u2019'];

/** How numbers are written, as patterns that JavaScript and RE2 read alike. */
export const NUMBER_PATTERNS: Readonly<Record<DecimalSign, string>> = {
  '.': patternOf(String.raw`\.`, ','),
  ',': patternOf(',', String.raw`\.`),
};

const WHOLE: Readonly<Record<DecimalSign, RegExp>> = {
  '.': new RegExp(`^(?:${NUMBER_PATTERNS['.']})$`),
  ',': new RegExp(`^(?:${NUMBER_PATTERNS[',']})$`),
};

/**
 * The number as JavaScript and SQL write it; null when the text is none. Blanks around it do not count, nor does the unit beside it, if its column
 * has one.
 */
export function plainNumber(text: string, decimal: DecimalSign, unit = ''): string | null {
  const trimmed = withoutUnit(text.trim(), unit);
  return WHOLE[decimal].test(trimmed) ? trimmed.replace(GROUP_SIGNS[decimal], '').replace(',', '.') : null;
}

/** Every sign that may part groups. */
export const GROUP_SIGNS: Readonly<Record<DecimalSign, RegExp>> = {
  '.': new RegExp(`[${[...BLANKS, ...APOSTROPHES].join('')},]`, 'g'),
  ',': new RegExp(`[${[...BLANKS, ...APOSTROPHES].join('')}.]`, 'g'),
};

const CURRENCIES = [String.raw`\$`, '€', '£', '¥', 'EUR', 'USD', 'GBP', 'CHF'].join('|');
const UNIT = new RegExp(`^[+-]?(${CURRENCIES})|(${CURRENCIES}|%)$`);

/** The currency or percent sign at the start or the end of a text, which may be a number's; empty without one. */
export function unitBeside(text: string): string {
  const [, before, behind] = UNIT.exec(text) ?? [];
  return before ?? behind ?? '';
}

/** A text without the unit beside its number, and without one blank between them. */
export function withoutUnit(text: string, unit: string): string {
  return unit === '' ? text : text.replace(new RegExp(unitPattern(unit)), '$1');
}

/** Finds a unit as JavaScript and RE2 do alike. The group is what stays of it: the sign of a number may stand before its currency. */
export function unitPattern(unit: string): string {
  const sign = unit.replace('$', String.raw`\$&`);
  const blank = `[${BLANKS.join('')}]?`;
  return unit === '%' ? `()${blank}%$` : `^([+-]?)${sign}${blank}|${blank}${sign}$`;
}

/**
 * Digits with an optional sign, fraction and exponent, leading zeros allowed; or groups of three digits parted by one sign throughout: a blank (also
 * one that does not break), an apostrophe, or whichever of point and comma is not the decimal sign. `1.5` is no number where the decimal sign is a
 * comma, and not fifteen.
 */
function patternOf(decimal: string, other: string): string {
  const signs = [...BLANKS, ...APOSTROPHES, other];
  const parted = signs.map((sign) => String.raw`(?:${sign}\d{3})+`).join('|');
  const plain = String.raw`[+-]?(?:\d+(?:${decimal}\d*)?|${decimal}\d+)(?:[eE][+-]?\d+)?`;
  return String.raw`${plain}|[+-]?\d{1,3}(?:${parted})(?:${decimal}\d*)?`;
}
