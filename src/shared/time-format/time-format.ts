import { AppError } from '../app-error.js';
import { type DetectedTimeFormats, detectTimeFormats } from './detect-time-formats.js';
import { fractionDirective, GO, type LayoutLanguage, STRFTIME, UNICODE, writtenToken } from './layout-languages.js';
import { parseTime } from './read-time.js';
import type { TimeLayout, TimeToken } from './time-layout.js';
import { escapePattern, patternOf, tokenPattern } from './lexical-pattern.js';

export { detectTimeFormats, parseTime };
export type { DetectedTimeFormats, TimeLayout };

const MAX_LENGTH = 100;

const EPOCHS: Readonly<Record<string, 's' | 'ms' | undefined>> = {
  unix: 's',
  epoch: 's',
  X: 's',
  '%s': 's',
  unix_ms: 'ms',
  epoch_ms: 'ms',
  x: 'ms',
};

/**
 * Understands a layout in Go's reference time, strftime or Unicode tokens (in Java's or Moment's spelling), told apart by their form,
 * and the names `unix` and `unix_ms`.
 *
 * @throws AppError `invalid_input` with a sentence that names what is not understood and where.
 */
export function parseLayout(text: string): TimeLayout {
  const trimmed = text.trim();
  const unit = Object.hasOwn(EPOCHS, trimmed) ? EPOCHS[trimmed] : undefined;
  if (unit !== undefined) return { kind: 'epoch', unit };
  assertIsLayout(trimmed);

  const tokens = languageOf(trimmed).read(trimmed, (what, at) => {
    throw new AppError(
      'invalid_input',
      `'${what}' at position ${at + 1} of the time layout '${trimmed}' is not understood`,
    );
  });
  assertUsable(tokens, trimmed);
  return { kind: 'tokens', tokens };
}

function assertIsLayout(text: string): void {
  if (text === '') throw new AppError('invalid_input', 'the time layout is empty');
  if (text.length > MAX_LENGTH)
    throw new AppError('invalid_input', `the time layout has over ${MAX_LENGTH} characters`);
  if (/\p{Cc}/u.test(text)) throw new AppError('invalid_input', 'the time layout has control characters');
}

function languageOf(text: string): LayoutLanguage {
  if (text.includes('%')) return STRFTIME;
  return isGoLayout(text) ? GO : UNICODE;
}

/** Whether the text is written with Go's reference time rather than with letters that stand for parts. */
function isGoLayout(text: string): boolean {
  if (text.includes('2006')) return true;
  return text.includes('06') && /0[12]|15|Jan/.test(text) && !/[yYdDhHsS]/.test(text);
}

/** The layout in the three languages. */
export function layoutsOf(layout: TimeLayout): Readonly<Record<'go' | 'strftime' | 'unicode', string>> {
  const written = (language: LayoutLanguage): string => {
    if (layout.kind === 'epoch') return layout.unit === 's' ? 'unix' : 'unix_ms';
    return layout.tokens.map((token) => writtenToken(token, language)).join('');
  };
  return { go: written(GO), strftime: written(STRFTIME), unicode: written(UNICODE) };
}

/** Says why a list of tokens can't name a moment, or nothing. */
function assertUsable(tokens: readonly TimeToken[], text: string): void {
  const problem = repeatedPart(tokens) ?? missingPart(tokens) ?? clockProblem(tokens) ?? boundaryProblem(tokens);
  if (problem !== null) throw new AppError('invalid_input', `the time layout '${text}' ${problem}`);
}

type Part = 'year' | 'month' | 'day' | 'weekday' | 'hour' | 'minute' | 'second' | 'fraction' | 'zone' | 'AM/PM marker';

function partOf(token: TimeToken): Part | null {
  switch (token.kind) {
    case 'literal':
      return null;
    case 'number':
      if (token.field === 'shortYear') return 'year';
      return token.field === 'hour12' ? 'hour' : token.field;
    case 'name':
      return token.field;
    case 'meridiem':
      return 'AM/PM marker';
    case 'fraction':
    case 'optionalFraction':
      return 'fraction';
    case 'offset':
    case 'zoneName':
      return 'zone';
  }
}

function partsOf(tokens: readonly TimeToken[]): readonly Part[] {
  return tokens.map(partOf).filter((part) => part !== null);
}

const REMINDERS: Partial<Record<Part, string>> = {
  month: ' (in Unicode layouts MM is the month and mm the minute)',
  minute: ' (in Unicode layouts MM is the month and mm the minute)',
};

function repeatedPart(tokens: readonly TimeToken[]): string | null {
  const parts = partsOf(tokens);
  const twice = parts.find((part, index) => parts.indexOf(part) !== index);
  return twice === undefined ? null : `has the ${twice} twice${REMINDERS[twice] ?? ''}`;
}

/** A smaller part says nothing without the larger one. */
const NEEDS: readonly (readonly [Part, Part])[] = [
  ['day', 'month'],
  ['minute', 'hour'],
  ['second', 'minute'],
  ['fraction', 'second'],
];

function missingPart(tokens: readonly TimeToken[]): string | null {
  const parts = partsOf(tokens);
  if (!parts.includes('year')) return 'has no year (yyyy, %Y or 2006)';
  const lacking = NEEDS.find(([small, large]) => parts.includes(small) && !parts.includes(large));
  if (lacking) return `has a ${lacking[0]} but no ${lacking[1]}${REMINDERS[lacking[1]] ?? ''}`;
  if (parts.includes('hour') && !parts.includes('day')) return 'has an hour but no day';
  return null;
}

function clockProblem(tokens: readonly TimeToken[]): string | null {
  const twelve = tokens.some((token) => token.kind === 'number' && token.field === 'hour12');
  const marker = tokens.some((token) => token.kind === 'meridiem');
  if (twelve && !marker) return 'has a 12-hour clock but no AM/PM marker (24 hours are HH, %H or 15)';
  if (marker && !twelve) return 'has an AM/PM marker but no 12-hour clock (hh, %I or 03)';
  return null;
}

function boundaryProblem(tokens: readonly TimeToken[]): string | null {
  if (beginsOrEndsBlank(tokens)) return 'begins or ends with a blank';
  const blurred = tokens.find((token, index) => isOpenEnded(token) && canGoOn(token, tokens[index + 1]));
  return blurred === undefined ? null : `does not show where its ${partOf(blurred) ?? 'text'} ends: a digit follows`;
}

function beginsOrEndsBlank(tokens: readonly TimeToken[]): boolean {
  const [first, last] = [tokens[0], tokens.at(-1)];
  const begins = first?.kind === 'literal' && /^\s/.test(first.text);
  return begins || (last?.kind === 'literal' && /\s$/.test(last.text));
}

function isOpenEnded(token: TimeToken): boolean {
  if (token.kind === 'number') return token.pad !== 'zero';
  if (token.kind === 'fraction') return token.min !== token.max;
  return token.kind === 'offset' || token.kind === 'optionalFraction';
}

/** Whether what follows could be read as more of the token. */
function canGoOn(token: TimeToken, next: TimeToken | undefined): boolean {
  if (next?.kind === 'literal') return (token.kind === 'offset' ? /^[\d:]/ : /^\d/).test(next.text);
  return next?.kind === 'number' || next?.kind === 'fraction';
}

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

function numberForms(
  token: Extract<TimeToken, { kind: 'number' }>,
  pattern: string,
  before: TimeToken | undefined,
): readonly StrptimeReading[] {
  const format = writtenToken(token.pad === 'blank' ? { ...token, pad: 'none' } : token, STRFTIME);
  // A blank before the number is skipped at the start and after a blank, and has to be named elsewhere.
  const isSkipped = before === undefined || (before.kind === 'literal' && /\s$/.test(before.text));
  if (token.pad !== 'blank' || isSkipped) return [{ pattern, format }];
  return [
    { pattern: '\\d\\d', format },
    { pattern: ' \\d', format: ` ${format}` },
  ];
}
