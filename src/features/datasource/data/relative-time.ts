const FORM = /^now((?:[+ -]\d{1,9}[smhdwMy]){0,16})(?:\/([smhdwMy]))?$/;
const STEP = /([+ -])(\d+)([smhdwMy])/g;

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Units of a fixed length, in UTC. */
const LENGTHS: Readonly<Record<string, number>> = { s: SECOND, m: MINUTE, h: HOUR, d: DAY, w: 7 * DAY };
/** 1 January 1970 was a Thursday; weeks begin on Mondays. */
const FIRST_MONDAY = 4 * DAY;

/**
 * `now`, then steps such as `-1h` or `+2M` in their order, then at most one rounding down such as `/d`; all in UTC. Units are s m h d w M y:
 * `m` is a minute, `M` a month. A month or a year later is the same day of the month, or its last. Null for any other text; an invalid Date beyond the calendar.
 */
export function relativeTime(text: string, now: Date): Date | null {
  const form = FORM.exec(text);
  if (form === null) return null;
  const [, steps = '', rounding] = form;
  let at = now;
  for (const [, sign, digits, unit = ''] of steps.matchAll(STEP)) {
    // A plus in a query string arrives as a space.
    at = moved(at, (sign === '-' ? -1 : 1) * Number(digits), unit);
  }
  return rounding === undefined ? at : roundedDown(at, rounding);
}

function moved(at: Date, count: number, unit: string): Date {
  const length = LENGTHS[unit];
  if (length !== undefined) return new Date(at.getTime() + count * length);
  const months = unit === 'y' ? count * 12 : count;
  const sameDay = new Date(at);
  sameDay.setUTCMonth(at.getUTCMonth() + months);
  if (sameDay.getUTCDate() === at.getUTCDate()) return sameDay;
  // The month is too short and Date went on into the next: day 0 of that is the last of the one wanted.
  sameDay.setUTCDate(0);
  return sameDay;
}

function roundedDown(at: Date, unit: string): Date {
  if (unit === 'y') return new Date(at.getTime() - sinceYear(at));
  if (unit === 'M') return new Date(at.getTime() - sinceMonth(at));
  const length = LENGTHS[unit] ?? SECOND;
  const offset = unit === 'w' ? FIRST_MONDAY : 0;
  return new Date(Math.floor((at.getTime() - offset) / length) * length + offset);
}

function sinceMonth(at: Date): number {
  const first = new Date(at);
  first.setUTCDate(1);
  first.setUTCHours(0, 0, 0, 0);
  return at.getTime() - first.getTime();
}

function sinceYear(at: Date): number {
  const first = new Date(at);
  first.setUTCMonth(0, 1);
  first.setUTCHours(0, 0, 0, 0);
  return at.getTime() - first.getTime();
}
