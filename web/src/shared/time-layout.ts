/** What a token of a layout stands for, and the digits it takes. Names of months and zones are left to the service. */
const TOKENS: Readonly<Record<string, readonly [part: Part, pattern: string]>> = {
  yyyy: ['year', '\\d{4}'],
  yy: ['year', '\\d{2}'],
  MM: ['month', '\\d{2}'],
  M: ['month', '\\d{1,2}'],
  dd: ['day', '\\d{2}'],
  d: ['day', '\\d{1,2}'],
  HH: ['hour', '\\d{2}'],
  H: ['hour', '\\d{1,2}'],
  mm: ['minute', '\\d{2}'],
  ss: ['second', '\\d{2}'],
};
type Part = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second';

const PIECES = /yyyy|yy|MM|M|dd|d|HH|H|mm|ss|'([^']*)'|[^A-Za-z]|[A-Za-z]+/g;

/** What a text means by a layout of numbers, in UTC; null when it does not fit, or the layout has other parts. */
export function readAs(layout: string, text: string): Date | null {
  const parts: Part[] = [];
  let pattern = '';
  for (const [piece, quoted] of layout.matchAll(PIECES)) {
    const token = TOKENS[piece];
    if (token !== undefined) {
      parts.push(token[0]);
      pattern += `(${token[1]})`;
    } else if (/^[A-Za-z]/.test(piece) && piece !== 'T') return null;
    else pattern += escaped(quoted ?? piece);
  }
  const match = new RegExp(`^${pattern}$`).exec(text);
  if (match === null) return null;
  return dateOf(Object.fromEntries(parts.map((part, index) => [part, Number(match[index + 1])])));
}

function dateOf({
  year = 1970,
  month = 1,
  day = 1,
  hour = 0,
  minute = 0,
  second = 0,
}: Partial<Record<Part, number>>): Date {
  return new Date(Date.UTC(year < 100 ? 2000 + year : year, month - 1, day, hour, minute, second));
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

const LONG_DAY = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeZone: 'UTC' });
const LONG_MOMENT = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'medium', timeZone: 'UTC' });

/** A timestamp in words that leave no doubt which number is the month. */
export function inWords(layout: string, text: string): string | null {
  const read = readAs(layout, text);
  if (read === null || Number.isNaN(read.getTime())) return null;
  return (/[Hms]/.test(layout) ? LONG_MOMENT : LONG_DAY).format(read);
}
