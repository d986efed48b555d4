import { namesOf, type NumberField, type TimeLayout, type TimeToken } from './time-layout.js';

/** The date in UTC; `parseTime` gives it back as far as the layout has room for it. */
export function formatTime(layout: TimeLayout, date: Date): string {
  if (layout.kind === 'tokens') return layout.tokens.map((token) => partOf(token, date)).join('');
  return String(layout.unit === 's' ? date.getTime() / 1000 : date.getTime());
}

function partOf(token: TimeToken, date: Date): string {
  switch (token.kind) {
    case 'literal':
      return token.text;
    case 'number':
      return numberText(token.field, token.pad, date);
    case 'name':
      return namesOf(token.field, token.long)[token.field === 'month' ? date.getUTCMonth() : date.getUTCDay()] ?? '';
    case 'meridiem':
      return meridiem(date, token.lower);
    case 'fraction':
      return fraction(date, token.max);
    case 'optionalFraction':
      return token.point + fraction(date, token.max);
    case 'offset':
      return token.zulu ? 'Z' : OFFSETS[token.style];
    case 'zoneName':
      return 'UTC';
  }
}

const OFFSETS = { colon: '+00:00', compact: '+0000', hours: '+00' } as const;

function meridiem(date: Date, lower: boolean): string {
  const marker = date.getUTCHours() < 12 ? 'AM' : 'PM';
  return lower ? marker.toLowerCase() : marker;
}

function fraction(date: Date, digits: number): string {
  return String(date.getUTCMilliseconds()).padStart(3, '0').padEnd(digits, '0').slice(0, digits);
}

function numberText(field: NumberField, pad: string, date: Date): string {
  const text = String(NUMBERS[field](date));
  if (field === 'year') return text.padStart(4, '0');
  if (pad === 'none') return text;
  return text.padStart(2, pad === 'blank' ? ' ' : '0');
}

const NUMBERS: Readonly<Record<NumberField, (date: Date) => number>> = {
  year: (date) => date.getUTCFullYear(),
  shortYear: (date) => date.getUTCFullYear() % 100,
  month: (date) => date.getUTCMonth() + 1,
  day: (date) => date.getUTCDate(),
  hour: (date) => date.getUTCHours(),
  hour12: (date) => date.getUTCHours() % 12 || 12,
  minute: (date) => date.getUTCMinutes(),
  second: (date) => date.getUTCSeconds(),
};
