import { NUMBER_WORDS, ORDINALS, WEEKDAYS } from './lexicon.js';
import {
  type CountedPeriod,
  dayOf,
  isoWeek,
  monthOf,
  type Period,
  seenFrom,
  spanBack,
  spanOn,
  type PeriodUnit,
  toDate,
  unitBefore,
  WEEKEND_BEFORE,
  weekdayBefore,
  wholeUnit,
} from './periods.js';
import { different, type Token, wordAt } from './words.js';

export interface TimeMention {
  readonly from: number;
  readonly to: number;
  /** Readings, likeliest first: a month without a year may be this year's or the last of the data. */
  readonly periods: readonly Period[];
  /** `relative`: counted from today; `bare`: a number that may be a year; `span`: from one to another. */
  readonly how: 'date' | 'month' | 'relative' | 'bare' | 'span' | 'year' | 'quarter';
}

export interface TimeScope {
  readonly now: number;
  /** The data's first and last moment. */
  readonly first: number;
  readonly last: number;
}

const MONTHS = new Map(
  'january jan januar janvier enero|february feb februar fevrier febrero|march mar marz mars marzo mrz|april apr avril abril|may mai mayo|june jun juni juin junio|july jul juli juillet julio|august aug aout agosto|september sep sept septembre septiembre|october oct oktober okt octobre octubre|november nov novembre noviembre|december dec dezember dez decembre diciembre'
    .split('|')
    .flatMap((line, month) => line.split(' ').map((word) => [word, month] as const)),
);
const UNITS = byWord([
  ['hour', 'hour hours'],
  ['day', 'day days tage'],
  ['week', 'week weeks woche'],
  ['month', 'month months monat'],
  ['quarter', 'quarter quarters quartal'],
  ['year', 'year years jahr'],
]);
const SEASONS: ReadonlyMap<string, number> = new Map([
  ['spring', 2],
  ['summer', 5],
  ['autumn', 8],
  ['fall', 8],
]);

/** Months, days, quarters … that a message names, in the order of its words; of overlapping ones the longest. */
export function timesIn(tokens: readonly Token[], scope: TimeScope): readonly TimeMention[] {
  const found: TimeMention[] = [];
  let at = 0;
  while (at < tokens.length) {
    const mention = periodAt(tokens, at, scope);
    if (mention !== null) found.push(withWeekday(mention, tokens));
    at = mention?.to ?? at + 1;
  }
  const dated = withListedYears(found, tokens);
  return withSpans(withFirstDays(withPreceding(dated, tokens), tokens), tokens);
}

/** `Friday, 5 March`: the day of the week says nothing more. */
function withWeekday(mention: TimeMention, tokens: readonly Token[]): TimeMention {
  const place = wordAt(tokens, mention.from - 1) === ',' ? mention.from - 2 : mention.from - 1;
  return mention.how === 'date' && WEEKDAYS.has(wordAt(tokens, place)) ? { ...mention, from: place } : mention;
}

/** `June, July or August 2024`: the year of the last is that of all. */
function withListedYears(found: readonly TimeMention[], tokens: readonly Token[]): readonly TimeMention[] {
  return found.reduceRight<TimeMention[]>((later, mention) => {
    const [next] = later;
    const isListed = next !== undefined && isOpen(mention) && next.how === mention.how && !isOpen(next);
    const joint = tokens.slice(mention.to, next?.from).map(({ word }) => word);
    const joins = joint.length > 0 && joint.every((word) => /^(?:,|and|or|&|\+|\/|vs|versus)$/.test(word));
    return [isListed && joins ? inYearOf(mention, next) : mention, ...later];
  }, []);
}

/** A month or quarter that may be of several years. */
function isOpen({ how, periods }: TimeMention): boolean {
  return (how === 'month' || how === 'quarter') && periods.length > 1;
}

function inYearOf(mention: TimeMention, { periods: [next] }: TimeMention): TimeMention {
  const [first] = mention.periods;
  if (first === undefined || next === undefined) return mention;
  const years = new Date(next.start).getUTCFullYear() - new Date(first.start).getUTCFullYear();
  const period = { ...first, start: addYears(first.start, years), end: addYears(first.end, years) };
  // `Q1 vs Q1 last year` are two years.
  return period.start < next.start ? { ...mention, periods: [period] } : mention;
}

/** `this quarter vs last`, `May and the month before`: the period before the one that was just named. */
function withPreceding(found: readonly TimeMention[], tokens: readonly Token[]): readonly TimeMention[] {
  return found.flatMap((mention) => {
    const span = precedingAfter(tokens, mention.to);
    const isTaken = found.some(({ from, to }) => span !== null && from < span.to && span.from < to);
    if (span === null || isTaken) return [mention];
    const periods = mention.periods.map(unitBefore);
    return [mention, { ...span, how: 'relative' as const, periods }];
  });
}

function precedingAfter(tokens: readonly Token[], at: number): { readonly from: number; readonly to: number } | null {
  let from = at;
  while (/^(?:vs|versus|against|and|with|to|than|compared|over|\.|,)$/.test(wordAt(tokens, from))) from++;
  if (from === at) return null;
  const start = wordAt(tokens, from) === 'the' ? from + 1 : from;
  const [first, second] = [wordAt(tokens, start), wordAt(tokens, start + 1)];
  if ((first === 'one' || UNITS.has(first)) && second === 'before') return { from, to: start + 2 };
  const isLast = LAST.test(first) && !/^[\p{L}\d]/u.test(second);
  return isLast || (LAST.test(first) && second === 'one') ? { from, to: start + (isLast ? 1 : 2) } : null;
}

/** `10 to 16 June`: the first day has the month of the second. */
function withFirstDays(found: readonly TimeMention[], tokens: readonly Token[]): readonly TimeMention[] {
  return found.flatMap((mention) => {
    const [period] = mention.periods;
    const day = dayNumber(tokens[mention.from - 2]);
    const joins = /^(?:to|and|-|–|until|till|through|bis|&|\/)$/.test(wordAt(tokens, mention.from - 1));
    if (mention.how !== 'date' || period === undefined || day === null || !joins) return [mention];
    const date = new Date(period.start);
    const start = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), day);
    if (start >= period.end) return [mention];
    const periods = [{ start, end: period.end, unit: 'day' as const }];
    return [mention, { from: mention.from - 2, to: mention.to, how: 'span' as const, periods }];
  });
}

/** `from A to B`, `A - B`, `between A and B`: both ends belong to it; a span stands beside its two ends. */
function withSpans(found: readonly TimeMention[], tokens: readonly Token[]): readonly TimeMention[] {
  const spans = found.flatMap((left, index) => {
    const right = found[index + 1];
    return left.how === 'span' || right === undefined ? [] : (spanOf(left, right, tokens) ?? []);
  });
  return [...spans, ...found];
}

function spanOf(left: TimeMention, right: TimeMention, tokens: readonly Token[]): TimeMention | null {
  const between = tokens
    .slice(left.to, right.from)
    .map(({ word }) => word)
    .join(' ');
  const before = wordAt(tokens, left.from - 1);
  const [from, to] = [left.periods[0], right.periods[0]];
  if (!joinsTimes(between, before) || from === undefined || to === undefined) return null;
  const shift = left.how === 'month' || left.how === 'date' ? yearsApart(from.start, to.start) : 0;
  const start = addYears(from.start, shift);
  if (start >= to.end) return null;
  const opens = /^(?:between|from|zwischen|von)$/.test(before) ? 1 : 0;
  const period = { start, end: to.end, unit: to.unit, ...movingEnds(from, to) };
  return { from: left.from - opens, to: right.to, how: 'span', periods: [period] };
}

function movingEnds({ moving: first }: Period, { moving: last }: Period): Pick<Period, 'moving'> {
  const moving = { from: first?.from ?? null, to: last?.to ?? null };
  return moving.from === null && moving.to === null ? {} : { moving };
}

/** `and` alone joins two times only after `between`. */
function joinsTimes(between: string, before: string): boolean {
  if (between === 'and') return before === 'between' || before === 'zwischen';
  return /^(?:to|until|till|through|-|–|—|bis|up to|au)$/.test(between);
}

/** `from March to May 2023`: a first end that has no year of its own takes the second's. */
function yearsApart(start: number, other: number): number {
  const [a, b] = [new Date(start).getUTCFullYear(), new Date(other).getUTCFullYear()];
  return start > other ? b - a : 0;
}

function addYears(time: number, years: number): number {
  if (years === 0) return time;
  const date = new Date(time);
  return Date.UTC(date.getUTCFullYear() + years, date.getUTCMonth(), date.getUTCDate());
}

/** `20th century`: 1901 to 2000. */
function centuryAt(tokens: readonly Token[], at: number): TimeMention | null {
  const century = Number(/^(\d\d?)(?:st|nd|rd|th)$/.exec(wordAt(tokens, at))?.[1] ?? Number.NaN);
  if (!(century > 0) || wordAt(tokens, at + 1) !== 'century') return null;
  const [start, end] = [Date.UTC((century - 1) * 100 + 1, 0, 1), Date.UTC(century * 100 + 1, 0, 1)];
  return { from: at, to: at + 2, how: 'date', periods: [{ start, end, unit: 'year' }] };
}

function periodAt(tokens: readonly Token[], at: number, scope: TimeScope): TimeMention | null {
  return (
    written(tokens, at, scope) ??
    monthAt(tokens, at, scope) ??
    centuryAt(tokens, at) ??
    partOfYear(tokens, at, scope) ??
    relative(tokens, at, scope) ??
    bareYear(tokens, at)
  );
}

const WRITTEN: readonly [RegExp, 'ymd' | 'dmy' | 'ym' | 'my' | 'dm' | 'md'][] = [
  [/^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)/, 'ymd'],
  [/^(\d{1,2})\.(\d{1,2})\.(\d{4}|\d{2})(?!\d)/, 'dmy'],
  [/^(\d{1,2})[/-](\d{1,2})[/-](\d{4}|\d{2})(?!\d)/, 'dmy'],
  [/^(\d{4})-(\d{2})(?![\d-])/, 'ym'],
  [/^(\d{1,2})[/.](\d{4})(?!\d)/, 'my'],
  [/^(\d{1,2})\.(\d{1,2})\.(?!\d)/, 'dm'],
  [/^(\d{1,2})\/(\d{1,2})(?![\d/])/, 'md'],
];

/** Dates in digits, however they are cut into tokens. */
function written(tokens: readonly Token[], at: number, scope: TimeScope): TimeMention | null {
  const first = tokens[at];
  if (first === undefined || !/^\d/.test(first.text) || first.isQuoted) return null;
  const next = tokens.slice(at, at + 6);
  const gap = next.findIndex((token, index) => index > 0 && token.from !== next[index - 1]?.to);
  const text = next
    .slice(0, gap < 0 ? next.length : gap)
    .map((token) => token.text)
    .join('');
  for (const [pattern, order] of WRITTEN) {
    const match = pattern.exec(text);
    if (match === null) continue;
    const periods = datesOf(match, order, scope);
    if (periods.length === 0) continue;
    const stop = first.from + match[0].length;
    const to = tokens.findIndex((token, index) => index >= at && token.to >= stop) + 1;
    return { from: at, to, how: 'date', periods };
  }
  return null;
}

function datesOf(match: RegExpExecArray, order: (typeof WRITTEN)[number][1], scope: TimeScope): readonly Period[] {
  const [a, b, c] = [Number(match[1]), Number(match[2]), Number(match[3] ?? Number.NaN)];
  const year = (value: number): number => (value < 100 ? 2000 + value : value);
  const latest = latestYear(scope);
  switch (order) {
    case 'ymd':
      return dayOf(a, b - 1, c);
    case 'dmy':
      return [...dayOf(year(c), b - 1, a), ...dayOf(year(c), a - 1, b)];
    case 'ym':
      return b <= 12 ? [monthOf(a, b - 1)] : [];
    case 'my':
      return a <= 12 ? [monthOf(b, a - 1)] : [];
    case 'dm':
      return dayOf(latest, b - 1, a);
    case 'md':
      return [...dayOf(latest, a - 1, b), ...dayOf(latest, b - 1, a)];
  }
}

/** The last year of the data, but none to come: due dates and plans go on beyond today. */
function latestYear({ now, last }: TimeScope): number {
  return new Date(Math.min(now, last)).getUTCFullYear();
}

/** Years that a month, quarter or day without one may be of: the last of the data that has it, then the current one. */
function openYears(scope: TimeScope, make: (year: number) => Period): readonly Period[] {
  const last = latestYear(scope);
  const years = [last, last - 1, new Date(scope.now).getUTCFullYear()];
  const periods = [...new Set(years)].map(make);
  const inside = periods.filter(({ start, end }) => start <= scope.last && end > scope.first);
  return [...inside, ...periods.filter((one) => !inside.includes(one))].slice(0, 2);
}

function yearAfter(tokens: readonly Token[], at: number): { readonly year: number; readonly to: number } | null {
  const skip = ['of', ',', 'in'].includes(tokens[at]?.word ?? '') ? 1 : 0;
  const token = tokens[at + skip];
  if (token === undefined) return null;
  const short = /^['’]$/.test(token.text) ? tokens[at + skip + 1] : undefined;
  if (short !== undefined && /^\d\d$/.test(short.word)) return { year: 2000 + Number(short.word), to: at + skip + 2 };
  if (/^(?:1[5-9]|20|21)\d\d$/.test(token.word)) return { year: Number(token.word), to: at + skip + 1 };
  return skip === 0 && /^[12]\d$/.test(token.word) && Number(token.word) > 12
    ? { year: 2000 + Number(token.word), to: at + 1 }
    : null;
}

function dayNumber(token: Token | undefined): number | null {
  const match = /^(\d{1,2})(?:st|nd|rd|th)?$/.exec(token?.word ?? '');
  const day = match === null ? 0 : Number(match[1]);
  return day >= 1 && day <= 31 ? day : null;
}

/** `5 March 2024`, `March 5`, `March 2024`, `March`. */
function monthAt(tokens: readonly Token[], at: number, scope: TimeScope): TimeMention | null {
  const led = dayNumber(tokens[at]);
  const place = led === null ? at : afterDay(tokens, at);
  const month = MONTHS.get(wordAt(tokens, place));
  if (month === undefined || !isMonth(tokens, place)) return null;
  const next = hasDot(tokens, place) ? place + 2 : place + 1;
  const trailing = led === null ? trailingDay(tokens, next) : null;
  const day = led ?? trailing;
  const to = trailing === null ? next : next + 1;
  return withYear(tokens, { from: at, to, how: day === null ? 'month' : 'date' }, scope, (year) =>
    day === null ? monthOf(year, month) : (dayOf(year, month, day)[0] ?? monthOf(year, month)),
  );
}

function afterDay(tokens: readonly Token[], at: number): number {
  return ['of', '.'].includes(wordAt(tokens, at + 1)) ? at + 2 : at + 1;
}

/** `Sept.` is short for its month. */
function hasDot(tokens: readonly Token[], place: number): boolean {
  return wordAt(tokens, place + 1) === '.' && wordAt(tokens, place).length < 5;
}

/** `March 24` is rather a month of a year, unless a year comes after it. */
function trailingDay(tokens: readonly Token[], at: number): number | null {
  const day = dayNumber(tokens[at]);
  if (day === null || day <= 22 || wordAt(tokens, at).length !== 2) return day;
  return yearAfter(tokens, at + 1) === null ? null : day;
}

/** `may` is a month only where it can be nothing else. */
function isMonth(tokens: readonly Token[], place: number): boolean {
  if (wordAt(tokens, place) !== 'may' || tokens[place]?.text === 'May' || place === tokens.length - 1) return true;
  return (
    /^(in|of|for|during|since|until|till|to|from|and|last|this|between|before|after|umsatz|through|vs|,|-)$/.test(
      wordAt(tokens, place - 1),
    ) || /^(\d+|and|or|to|until|till|vs|-|\+|&)$/.test(wordAt(tokens, place + 1))
  );
}

/** Quarters, halves, weeks, seasons, decades, and a year that is said to be one. */
function partOfYear(tokens: readonly Token[], at: number, scope: TimeScope): TimeMention | null {
  return (
    quarterAt(tokens, at, scope) ??
    halfAt(tokens, at, scope) ??
    weekAt(tokens, at, scope) ??
    seasonAt(tokens, at, scope) ??
    decadeAt(tokens, at)
  );
}

function quarterAt(tokens: readonly Token[], at: number, scope: TimeScope): TimeMention | null {
  const [first, second] = [wordAt(tokens, at), wordAt(tokens, at + 1)];
  const short = /^q([1-4])$/.exec(first)?.[1];
  const quarter = Number(short ?? quarterNumber(first, second) ?? 0);
  if (quarter < 1 || quarter > 4) return null;
  const to = short === undefined ? at + 2 : at + 1;
  return withYear(tokens, { from: at, to, how: 'quarter' }, scope, (year) => monthOf(year, (quarter - 1) * 3, 3));
}

function quarterNumber(first: string, second: string): number | null {
  if (/^(quarter|quartal)$/.test(second)) return numberOf(first);
  return first === 'quarter' ? numberOf(second) : null;
}

function halfAt(tokens: readonly Token[], at: number, scope: TimeScope): TimeMention | null {
  const [first, second] = [wordAt(tokens, at), wordAt(tokens, at + 1)];
  const short = /^h([12])$/.exec(first)?.[1];
  const half = short ?? (second === 'half' ? numberOf(first) : null);
  if (half === null || Number(half) > 2) return null;
  if (!first.startsWith('h') && wordAt(tokens, at + 2) !== 'of' && yearAfter(tokens, at + 2) === null) return null;
  const end = short === undefined ? at + 2 : at + 1;
  const to = saysThisYear(tokens, end) ? end + 3 : end;
  return withYear(tokens, { from: at, to, how: 'quarter' }, scope, (year) => monthOf(year, (Number(half) - 1) * 6, 6));
}

/** `of the year`. */
function saysThisYear(tokens: readonly Token[], at: number): boolean {
  const [of, the, year] = [wordAt(tokens, at), wordAt(tokens, at + 1), wordAt(tokens, at + 2)];
  return of === 'of' && /^(the|this)$/.test(the) && year === 'year';
}

function weekAt(tokens: readonly Token[], at: number, scope: TimeScope): TimeMention | null {
  const number = wordAt(tokens, at + 1);
  if (!/^(week|kw|woche|cw)$/.test(wordAt(tokens, at)) || !/^\d{1,2}$/.test(number)) return null;
  const week = Number(number);
  if (week > 53) return null;
  return withYear(tokens, { from: at, to: at + 2, how: 'quarter' }, scope, (year) => isoWeek(year, week));
}

/** `spring` means other things, too, where no year comes after it. */
function seasonAt(tokens: readonly Token[], at: number, scope: TimeScope): TimeMention | null {
  const word = wordAt(tokens, at);
  const month = SEASONS.get(word);
  if (month === undefined || (word === 'spring' && yearAfter(tokens, at + 1) === null)) return null;
  return withYear(tokens, { from: at, to: at + 1, how: 'quarter' }, scope, (year) => monthOf(year, month, 3));
}

function decadeAt(tokens: readonly Token[], at: number): TimeMention | null {
  const decade = /^(?:(\d{3})0|([5-9])0)s$/.exec(wordAt(tokens, at));
  if (decade === null) return null;
  const year = decade[1] === undefined ? 1900 + Number(decade[2]) * 10 : Number(decade[1]) * 10;
  return {
    from: at,
    to: at + 1,
    how: 'year',
    periods: [{ start: Date.UTC(year, 0, 1), end: Date.UTC(year + 10, 0, 1), unit: 'year' }],
  };
}

function numberOf(word: string): number | null {
  return ORDINALS.get(word) ?? NUMBER_WORDS.get(word) ?? (/^\d$/.test(word) ? Number(word) : null);
}

/** A mention with the year that comes after it, or with those that it may be of. */
function withYear(
  tokens: readonly Token[],
  mention: Omit<TimeMention, 'periods'>,
  scope: TimeScope,
  make: (year: number) => Period,
): TimeMention {
  const { from, to, how } = mention;
  const dated = yearAfter(tokens, to);
  if (dated !== null) return { from, to: dated.to, how, periods: [make(dated.year)] };
  const counted = countedYear(tokens, to);
  if (counted !== null) {
    const years = [new Date(scope.now).getUTCFullYear(), latestYear(scope)].map((year) => year - counted.back);
    return { from, to: counted.to, how, periods: [...new Set(years)].map(make) };
  }
  return { from, to, how, periods: openYears(scope, make) };
}

/** `March last year`, `Q1 of this year`. */
function countedYear(tokens: readonly Token[], at: number): { readonly back: number; readonly to: number } | null {
  const start = wordAt(tokens, at) === 'of' ? at + 1 : at;
  const [first, second] = [wordAt(tokens, start), wordAt(tokens, start + 1)];
  if (second !== 'year' || !(THIS.test(first) || LAST.test(first))) return null;
  return { back: LAST.test(first) ? 1 : 0, to: start + 2 };
}

const THIS = /^(this|current|diesen|diese|dieses)$/;
const NEXT = /^(next|coming)$/;
const LAST = /^(last|previous|past|prior|letzten|letzte|letzter|letztes|vergangenen)$/;

/** So many words that name a period counted from today. */
type Counted = CountedPeriod & { readonly words: number };

/** What is counted from today, or from the end of data that is older. */
function relative(tokens: readonly Token[], at: number, scope: TimeScope): TimeMention | null {
  const start = wordAt(tokens, at) === 'the' ? at + 1 : at;
  const words = [wordAt(tokens, start), wordAt(tokens, start + 1), wordAt(tokens, start + 2)] as const;
  const counted =
    (start === at ? todayIn(words[0]) : null) ?? weekdayIn(words) ?? unitIn(words) ?? spanIn(words) ?? agoIn(words);
  if (counted === null) return null;
  const { from, to } = counted;
  const moving = { ...seenFrom(scope.now, counted), moving: { from, to } };
  const periods = different([moving, seenFrom(scope.last, counted)], ({ start: begun, end }) => `${begun} ${end}`);
  return { from: at, to: start + counted.words, how: 'relative', periods };
}

type ThreeWords = readonly [string, string, string];

function todayIn(word: string): Counted | null {
  if (/^(today|heute)$/.test(word)) return { words: 1, ...wholeUnit('day', 0) };
  if (/^(yesterday|gestern)$/.test(word)) return { words: 1, ...wholeUnit('day', -1) };
  if (/^(tomorrow|tmrw)$/.test(word)) return { words: 1, ...wholeUnit('day', 1) };
  const unit = TO_DATE.get(word);
  return unit === undefined ? null : { words: 1, ...toDate(unit) };
}

const TO_DATE: ReadonlyMap<string, PeriodUnit> = new Map([
  ['ytd', 'year'],
  ['qtd', 'quarter'],
  ['mtd', 'month'],
]);

function weekdayIn([first, second]: ThreeWords): Counted | null {
  const weekday = WEEKDAYS.get(second);
  if (weekday !== undefined && (LAST.test(first) || THIS.test(first))) return { words: 2, ...weekdayBefore(weekday) };
  return LAST.test(first) && second === 'weekend' ? { words: 2, ...WEEKEND_BEFORE } : null;
}

/** `this month`, `next week`, `last year`, `year to date`, `new year`. */
function unitIn([first, second, third]: ThreeWords): Counted | null {
  const begun = UNITS.get(first);
  if (begun !== undefined && second === 'to' && third === 'date') return { words: 3, ...toDate(begun) };
  const unit = UNITS.get(second);
  if (unit === undefined) return null;
  if (THIS.test(first)) return { words: 2, ...wholeUnit(unit, 0) };
  if (NEXT.test(first)) return { words: 2, ...wholeUnit(unit, 1) };
  if (first === 'new' && second === 'year') return { words: 2, from: 'now/y', to: 'now/y+1d', unit: 'day' };
  return LAST.test(first) && !second.endsWith('s') ? { words: 2, ...wholeUnit(unit, -1) } : null;
}

/** `last 3 months`, `next 30 days`. */
function spanIn([first, second, third]: ThreeWords): Counted | null {
  const [count, unit] = [countOf(second), UNITS.get(third)];
  if (count === null || unit === undefined) return null;
  if (LAST.test(first)) return { words: 3, ...spanBack(count, unit) };
  return NEXT.test(first) ? { words: 3, ...spanOn(count, unit) } : null;
}

/** `3 months ago`. */
function agoIn([first, second, third]: ThreeWords): Counted | null {
  const [count, unit] = [countOf(first), UNITS.get(second)];
  if (count === null || unit === undefined || third !== 'ago') return null;
  return { words: 3, ...wholeUnit(unit, -count) };
}

function countOf(word: string): number | null {
  if (/^\d{1,4}$/.test(word)) return Number(word);
  return NUMBER_WORDS.get(word) ?? (word === 'couple' ? 2 : word === 'few' ? 3 : null);
}

function bareYear(tokens: readonly Token[], at: number): TimeMention | null {
  const token = tokens[at];
  if (token === undefined || token.isQuoted || !/^(?:1[5-9]|20|21)\d\d$/.test(token.word)) return null;
  return { from: at, to: at + 1, how: 'bare', periods: [monthOf(Number(token.word), 0, 12)] };
}

/** Names of time units, for steps of a series: `monthly`, `per month`, `by month`. */
export const STEP_WORDS: ReadonlyMap<string, PeriodUnit> = new Map([
  ...UNITS,
  ...byWord([
    ['hour', 'hourly'],
    ['day', 'daily date dates tag taglich'],
    ['week', 'weekly wochentlich wk kw'],
    ['month', 'monthly monatlich mth mois mes'],
    ['quarter', 'quarterly'],
    ['year', 'yearly annual annually annum'],
  ]),
]);

function byWord(units: readonly (readonly [PeriodUnit, string])[]): ReadonlyMap<string, PeriodUnit> {
  return new Map(units.flatMap(([unit, words]) => words.split(' ').map((word) => [word, unit] as const)));
}
