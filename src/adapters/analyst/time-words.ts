import type { TimeBucket } from '../../ports/analysis-plan.js';

const MONTHS = [
  'january jan',
  'february feb',
  'march mar',
  'april apr',
  'may',
  'june jun',
  'july jul',
  'august aug',
  'september sep sept',
  'october oct',
  'november nov',
  'december dec',
].map((names) => names.split(' '));

/** 0 to 11; `null` for any other word. */
export function monthOf(word: string | null): number | null {
  const index = word === null ? -1 : MONTHS.findIndex((names) => names.includes(word));
  return index < 0 ? null : index;
}

/** What a month is called in answers: March. */
export function monthName(index: number): string {
  const name = MONTHS[index]?.[0] ?? '';
  return name.charAt(0).toUpperCase() + name.slice(1);
}

const UNITS: Readonly<Record<string, TimeBucket>> = {
  hour: 'hour',
  hours: 'hour',
  day: 'day',
  days: 'day',
  week: 'week',
  weeks: 'week',
  month: 'month',
  months: 'month',
  quarter: 'quarter',
  quarters: 'quarter',
  year: 'year',
  years: 'year',
};

export function timeUnitOf(word: string | null): TimeBucket | null {
  return word !== null && Object.hasOwn(UNITS, word) ? (UNITS[word] ?? null) : null;
}

const ORDINALS: Readonly<Record<string, number>> = { first: 1, second: 2, third: 3, fourth: 4, last: 4 };

export function ordinalOf(word: string | null): number | null {
  return word !== null && Object.hasOwn(ORDINALS, word) ? (ORDINALS[word] ?? null) : null;
}

/** Words before a period that open or close a range. */
export const SINCE = new Set(['since', 'from', 'starting']);
export const AFTER = new Set(['after']);
export const BEFORE = new Set(['before']);
export const UNTIL = new Set(['until', 'till', 'through', 'to', 'thru']);
export const DURING = new Set(['in', 'on', 'during', 'for', 'of', 'at', 'within', 'throughout', 'the', 'only', 'year']);

export const TIME_WORDS: readonly string[] = [
  ...MONTHS.flat(),
  ...Object.keys(UNITS),
  ...Object.keys(ORDINALS),
  ...SINCE,
  ...AFTER,
  ...BEFORE,
  ...UNTIL,
  ...DURING,
  'yesterday',
  'today',
  'previous',
  'this',
  'past',
  'half',
  'tomorrow',
  'next',
];
