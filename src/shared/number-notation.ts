/** What parts the whole of a number from its fraction. */
export type DecimalSign = '.' | ',';

/** How numbers are written, as patterns that JavaScript and RE2 read alike and that match from the first to the last character. */
export interface NumberNotation {
  /** Digits with an optional sign, fraction and exponent. Leading zeros are allowed. */
  readonly plain: string;
  /**
   * Groups of three digits parted by one sign throughout: a blank (also one that does not break), an apostrophe, or whichever of point and comma is not the
   * decimal sign. `1.5` is no number where the decimal sign is a comma, and not fifteen.
   */
  readonly grouped: string;
}

const BLANKS = [' ', '\u00a0', '\u202f'];
const APOSTROPHES = ["'", '\u2019'];

const NOTATIONS: Readonly<Record<DecimalSign, NumberNotation>> = {
  '.': notationOf(String.raw`\.`, ','),
  ',': notationOf(',', String.raw`\.`),
};

export function numberNotation(decimal: DecimalSign): NumberNotation {
  return NOTATIONS[decimal];
}

const PATTERNS: Readonly<Record<DecimalSign, { readonly plain: RegExp; readonly grouped: RegExp }>> = {
  '.': compiled(NOTATIONS['.']),
  ',': compiled(NOTATIONS[',']),
};

/** The number as JavaScript and SQL write it; null when the text is none. Blanks around it do not count. */
export function plainNumber(text: string, decimal: DecimalSign): string | null {
  const trimmed = text.trim();
  const { plain, grouped } = PATTERNS[decimal];
  if (plain.test(trimmed)) return trimmed.replace(',', '.');
  if (!grouped.test(trimmed)) return null;
  const whole = trimmed.replace(GROUP_SIGNS[decimal], '');
  return whole.replace(',', '.');
}

/** Every sign that may part groups. */
export const GROUP_SIGNS: Readonly<Record<DecimalSign, RegExp>> = {
  '.': new RegExp(`[${[...BLANKS, ...APOSTROPHES].join('')},]`, 'g'),
  ',': new RegExp(`[${[...BLANKS, ...APOSTROPHES].join('')}.]`, 'g'),
};

function notationOf(decimal: string, other: string): NumberNotation {
  const signs = [...BLANKS, ...APOSTROPHES, other];
  const parted = signs.map((sign) => String.raw`(?:${sign}\d{3})+`).join('|');
  return {
    plain: String.raw`[+-]?(?:\d+(?:${decimal}\d*)?|${decimal}\d+)(?:[eE][+-]?\d+)?`,
    grouped: String.raw`[+-]?\d{1,3}(?:${parted})(?:${decimal}\d*)?`,
  };
}

function compiled({ plain, grouped }: NumberNotation): { readonly plain: RegExp; readonly grouped: RegExp } {
  return { plain: new RegExp(`^${plain}$`), grouped: new RegExp(`^${grouped}$`) };
}
