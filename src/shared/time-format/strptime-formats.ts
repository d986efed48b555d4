import { escapePattern, patternOf, tokenPattern } from './lexical-pattern.js';
import { fractionDirective, STRFTIME, writtenToken } from './layout-languages.js';
import type { NumberField, TimeLayout, TimeToken } from './time-layout.js';

/** Texts of one form: those that the pattern matches as a whole, and the format that reads them. */
export interface StrptimeReading {
  readonly pattern: string;
  readonly format: string;
}

/**
 * How the row store reads a layout, in a session whose zone is UTC:
 *
 *     CASE WHEN regexp_full_match(x, pattern1) THEN try_strptime(x, format1)::TIMESTAMP
 *          WHEN regexp_full_match(x, pattern2) THEN try_strptime(x, format2)::TIMESTAMP END
 *
 * gives a time exactly where `parseTime` does, and the same. The pattern is needed because strptime alone is not strict (it accepts
 * one digit for `%m` and trailing blanks). Formats are never given as a list: in DuckDB 1.5 a format without `%z` then takes over
 * the offset of the row before.
 */
export type StrptimePlan =
  /** No text fits two of the readings. */
  | { readonly kind: 'strptime'; readonly readings: readonly StrptimeReading[] }
  /** The pattern says which numbers are meant; both units fit a BIGINT, seconds may have up to nine decimals. */
  | { readonly kind: 'epoch'; readonly unit: 's' | 'ms'; readonly pattern: string };

export function toStrptime(layout: TimeLayout): StrptimePlan {
  if (layout.kind === 'epoch') return { kind: 'epoch', unit: layout.unit, pattern: patternOf(layout) };
  return { kind: 'strptime', readings: readingsOf(layout.tokens) };
}

/** Every combination of the forms that the tokens can take. */
function readingsOf(tokens: readonly TimeToken[]): readonly StrptimeReading[] {
  return tokens.reduce<readonly StrptimeReading[]>(
    (readings, token, index) => {
      const forms = formsOf(token, tokens, index);
      return readings.flatMap(({ pattern, format }) =>
        forms.map((form) => ({ pattern: pattern + form.pattern, format: format + form.format })),
      );
    },
    [{ pattern: '', format: '' }],
  );
}

function formsOf(token: TimeToken, tokens: readonly TimeToken[], index: number): readonly StrptimeReading[] {
  const whole = tokenPattern(token, tokens);
  switch (token.kind) {
    case 'literal':
    case 'name':
    case 'fraction':
      return [{ pattern: whole, format: writtenToken(token, STRFTIME) }];
    case 'number':
      return numberForms(token, whole, tokens[index - 1]);
    case 'meridiem':
      return [{ pattern: whole, format: '%p' }];
    case 'optionalFraction':
      return fractionForms(token);
    case 'offset':
      // %z does not read the letter.
      return [{ pattern: '[+-](?:0\\d|1[0-5])(?::?[0-5]\\d)?', format: '%z' }, same('Z')];
    case 'zoneName':
      return [same('UTC'), same('GMT'), same('Z')];
  }
}

function same(text: string): StrptimeReading {
  return { pattern: text, format: text };
}

function fractionForms(token: Extract<TimeToken, { kind: 'optionalFraction' }>): readonly StrptimeReading[] {
  const given = `${escapePattern(token.point)}\\d{1,${token.max}}`;
  return [{ pattern: given, format: token.point + fractionDirective(token.max) }, same('')];
}

/** What strptime and strftime call the numbers of a time, in the zero-padded form. */
export const NUMBER_DIRECTIVES: Readonly<Record<NumberField, string>> = {
  year: 'Y',
  shortYear: 'y',
  month: 'm',
  day: 'd',
  hour: 'H',
  hour12: 'I',
  minute: 'M',
  second: 'S',
};

function numberForms(
  token: Extract<TimeToken, { kind: 'number' }>,
  pattern: string,
  before: TimeToken | undefined,
): readonly StrptimeReading[] {
  const directive = NUMBER_DIRECTIVES[token.field];
  if (token.pad === 'zero') return [{ pattern, format: `%${directive}` }];
  // A blank before the number is skipped at the start and after a blank, and has to be named elsewhere.
  const isSkipped = before === undefined || (before.kind === 'literal' && /\s$/.test(before.text));
  if (token.pad === 'none' || isSkipped) return [{ pattern, format: `%-${directive}` }];
  return [
    { pattern: '\\d\\d', format: `%-${directive}` },
    { pattern: ' \\d', format: ` %-${directive}` },
  ];
}
