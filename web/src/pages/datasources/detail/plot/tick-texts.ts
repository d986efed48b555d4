import { LOCALE } from '../../../../shared/language.js';

const MINUTE = 60;
const DAY = 86_400;

function format(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(LOCALE, { ...options, timeZone: 'UTC' });
}

interface Layout {
  /** Ticks at least so many seconds apart are written so. */
  readonly from: number;
  readonly each: Intl.DateTimeFormat;
  /** What each is a part of; null: it says everything. */
  readonly whole: Intl.DateTimeFormat | null;
}

const YEAR = format({ year: 'numeric' });
const DATE = format({ day: 'numeric', month: 'short', year: 'numeric' });
const TIME = { hour: '2-digit', minute: '2-digit' } as const;
const LAYOUTS: readonly Layout[] = [
  { from: 365 * DAY, each: YEAR, whole: null },
  { from: 28 * DAY, each: format({ month: 'short' }), whole: YEAR },
  { from: DAY, each: format({ day: 'numeric', month: 'short' }), whole: YEAR },
  { from: MINUTE, each: format(TIME), whole: DATE },
  { from: 1, each: format({ ...TIME, second: '2-digit' }), whole: DATE },
  { from: 0, each: format({ ...TIME, second: '2-digit', fractionalSecondDigits: 3 }), whole: DATE },
];

/** Ticks of an axis of times (seconds, UTC) in the reader's language; on a second line, where it begins, what they are parts of. */
export function tickTexts(ticks: readonly number[], step: number): string[] {
  const { each, whole } = LAYOUTS.find(({ from }) => step >= from) ?? { each: DATE, whole: null };
  let before = '';
  return ticks.map((seconds) => {
    const time = new Date(seconds * 1000);
    const of = whole?.format(time) ?? '';
    const isNew = of !== before;
    before = of;
    return isNew ? `${each.format(time)}\n${of}` : each.format(time);
  });
}
