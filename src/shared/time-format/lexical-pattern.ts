import { namesOf, type NumberField, type TimeLayout, type TimeToken } from './time-layout.js';

/**
 * A regular expression for the whole text, with one group for each token that is no literal. It keeps to what JavaScript and RE2
 * (the row store's engine) understand alike, so that both accept the same texts.
 */
export function patternOf(layout: TimeLayout): string {
  if (layout.kind === 'epoch') return layout.unit === 's' ? '-?\\d{1,11}(?:\\.\\d{1,9})?' : '-?\\d{1,14}';
  return layout.tokens.map((token) => tokenPattern(token, layout.tokens)).join('');
}

function isFinerThanMicroseconds(token: TimeToken): boolean {
  return (token.kind === 'fraction' || token.kind === 'optionalFraction') && token.max > 6;
}

/** The part of the pattern that stands for one token of the layout. */
export function tokenPattern(token: TimeToken, tokens: readonly TimeToken[]): string {
  switch (token.kind) {
    case 'literal':
      return escapePattern(token.text);
    case 'number':
      return `(${numberPattern(token.field, token.pad, tokens.some(isFinerThanMicroseconds))})`;
    case 'name':
      return `(${namesOf(token.field, token.long).map(anyCase).join('|')})`;
    case 'meridiem':
      return '([AaPp][Mm])';
    case 'fraction':
      return `(\\d{${token.min},${token.max}})`;
    case 'optionalFraction':
      return `(?:${escapePattern(token.point)}(\\d{1,${token.max}}))?`;
    case 'offset':
      return '(Z|[+-](?:0\\d|1[0-5])(?::?[0-5]\\d)?)';
    case 'zoneName':
      return '(UTC|GMT|Z)';
  }
}

function numberPattern(field: NumberField, pad: string, nanoseconds: boolean): string {
  // Nanosecond timestamps reach from 1677 to 2262 in the row store, so no layout with them reaches further.
  if (field === 'year') return nanoseconds ? '(?:1[7-9]|2[01])\\d\\d|22[0-5]\\d' : '\\d{4}';
  if (pad === 'none') return '\\d{1,2}';
  return pad === 'blank' ? '\\d\\d| \\d' : '\\d\\d';
}

function anyCase(name: string): string {
  return name.replaceAll(/[a-z]/gi, (letter) => `[${letter.toUpperCase()}${letter.toLowerCase()}]`);
}

/** A text as a regular expression that stands for nothing else, inside brackets too. */
export function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, (letter) => `\\${letter}`);
}
