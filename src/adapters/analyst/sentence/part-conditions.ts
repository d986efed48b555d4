import type { Expression, Filter } from '../../../ports/analysis-plan.js';
import { monthOf } from '../time-words.js';
import { phraseSet, type Line } from './line.js';
import type { Sentence } from './sentence.js';
import { momentFilter, stretchAt } from './time-conditions.js';

const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const SEASONS: Readonly<Record<string, readonly number[]>> = {
  spring: [3, 4, 5],
  summer: [6, 7, 8],
  autumn: [9, 10, 11],
  fall: [9, 10, 11],
  winter: [12, 1, 2],
};
const BEFORE = new Set(['on', 'in', 'at', 'from', 'during', 'the', 'a', 'every', 'each', 'of', 'months', 'month']);

interface Found {
  readonly filter: Filter;
  readonly next: number;
}

/** Weekdays, weekends, seasons, months of any year and hours of the day, as a condition on a part of the time. */
export function partAt(sentence: Sentence, at: number, negated: boolean): Found | null {
  const time = sentence.facts.time;
  if (time === null) return null;
  return (
    hoursAt(sentence, at) ??
    daysAt(sentence, at, negated) ??
    seasonAt(sentence, at, negated) ??
    monthsAt(sentence, at, negated)
  );
}

/** `in May or June` of no year; a month alone is the latest one, if the rows reach it. */
function monthsAt(sentence: Sentence, at: number, negated: boolean): Found | null {
  const { line } = sentence;
  const months = line.is(at, 'in', 'during') ? monthList(sentence, line.skip(at + 1, BEFORE)) : null;
  if (months === null) return null;
  const year = yearAt(sentence, months.next);
  if (year !== null) return monthsOfYear(sentence, months, { year, negated });
  const { values, next } = months;
  if (line.number(next) !== null || (values.length === 1 && isReached(sentence, at))) return null;
  sentence.note(`I took ${line.text(at + 1, next)} as the same months of every year.`);
  return { filter: { kind: 'in', column: derivedPart(sentence, 'month'), values, negated }, next };
}

function isReached(sentence: Sentence, at: number): boolean {
  const { time } = sentence.facts;
  const stretch = stretchAt(sentence, at);
  return time !== null && stretch !== null && typeof momentFilter(time, stretch) !== 'string';
}

/** Parts that are joined by `or`, `and` or commas and are of no year. */
function monthList({ line }: Sentence, at: number): Parts | null {
  const values: number[] = [];
  let next = at;
  for (let place = at; monthOf(line.key(place)) !== null; place = line.skip(next, MONTH_JOINS)) {
    values.push((monthOf(line.key(place)) ?? 0) + 1);
    next = place + 1;
    if (line.skip(next, MONTH_JOINS) === next) break;
  }
  const isMore = line.is(next, 'of', 'to', 'last', 'this', 'next');
  return values.length === 0 || isMore ? null : { values: [...new Set(values)], next };
}

function yearAt({ line }: Sentence, at: number): number | null {
  const word = line.key(at);
  return /^(19|20)\d\d$/.test(word) ? Number(word) : null;
}

/** `May or June 2021`; a single month of a year is a plain stretch of time. */
function monthsOfYear(
  sentence: Sentence,
  { values, next }: Parts,
  { year, negated }: { readonly year: number; readonly negated: boolean },
): Found | null {
  const { time } = sentence.facts;
  const isEnd = !sentence.line.is(next + 1, 'or', 'and', ',', 'to');
  if (values.length < 2 || negated || time === null || !isEnd) return null;
  const stretches = values.map((month) =>
    momentFilter(time, { from: Date.UTC(year, month - 1), to: Date.UTC(year, month), unit: 'month' }),
  );
  const known = stretches.filter((stretch) => typeof stretch !== 'string').filter((stretch) => stretch.kind === 'time');
  if (known.length === 0) return null;
  const [first] = known;
  const filter: Filter =
    known.length === 1 && first !== undefined ? first : { kind: 'any', of: known.map((stretch) => [stretch]) };
  return { filter, next: next + 1 };
}

const MONTH_JOINS = new Set(['or', 'and', ',', 'in']);

function derivedPart(sentence: Sentence, part: 'weekday' | 'month' | 'hour'): string {
  const column = sentence.facts.time?.name ?? '';
  const expression: Expression = { kind: 'part', column, part };
  const name = `${part} of ${column}`;
  return sentence.derive({ name, expression });
}

function daysAt(sentence: Sentence, at: number, negated: boolean): Found | null {
  const { line } = sentence;
  let place = line.skip(at, BEFORE);
  const span = daySpanAt(sentence, place);
  if (span !== null)
    return {
      filter: { kind: 'in', column: derivedPart(sentence, 'weekday'), values: span.values, negated },
      next: span.next,
    };
  const days = new Set<number>();
  for (let found = weekdaysOf(line.key(place)); found.length > 0; found = weekdaysOf(line.key(place))) {
    for (const day of found) days.add(day);
    const joined = line.skip(place + 1, new Set(['and', 'or', ',']));
    if (weekdaysOf(line.key(joined)).length === 0) {
      const values = [...days].sort((a, b) => a - b);
      return { filter: { kind: 'in', column: derivedPart(sentence, 'weekday'), values, negated }, next: place + 1 };
    }
    place = joined;
  }
  return null;
}

/** `Monday to Friday`, over the weekend if need be. */
function daySpanAt({ line }: Sentence, at: number): Parts | null {
  const [first, another] = weekdaysOf(line.key(at));
  const [last, more] = line.is(at + 1, 'to', 'through', 'until', 'till') ? weekdaysOf(line.key(at + 2)) : [];
  if (first === undefined || last === undefined || another !== undefined || more !== undefined) return null;
  const count = ((last - first + 7) % 7) + 1;
  return { values: Array.from({ length: count }, (_, index) => ((first - 1 + index) % 7) + 1), next: at + 3 };
}

function weekdaysOf(word: string): readonly number[] {
  if (/^weekends?$/.test(word)) return [6, 7];
  if (word === 'weekdays' || word === 'workdays') return [1, 2, 3, 4, 5];
  const day = WEEKDAYS.indexOf(word.replace(/s$/, ''));
  return day < 0 ? [] : [day + 1];
}

function seasonAt(sentence: Sentence, at: number, negated: boolean): Found | null {
  const { line } = sentence;
  if (!line.is(at, 'in', 'during', 'over')) return null;
  const place = line.skip(at + 1, BEFORE);
  const months = seasonOfAnyYear(sentence, place) ?? monthOfEveryYear(sentence, place);
  if (months === null) return null;
  const { values, next } = months;
  return { filter: { kind: 'in', column: derivedPart(sentence, 'month'), values, negated }, next };
}

/** Parts or days of the week, by number. */
interface Parts {
  readonly values: readonly number[];
  readonly next: number;
}

/** `summer`, but not `summer 2019`, which is a stretch of time. */
function seasonOfAnyYear(sentence: Sentence, at: number): Parts | null {
  const { line } = sentence;
  const word = line.key(at);
  const values = SEASONS[word.replace(/s$/, '')];
  if (values === undefined || /^\d{4}$/.test(line.key(at + 1)) || line.is(at + 1, 'of')) return null;
  sentence.note(`I took ${word} as the months ${values.join(', ')}.`);
  return { values, next: at + 1 };
}

/** `every May`, `May of each year`. */
function monthOfEveryYear({ line }: Sentence, at: number): Parts | null {
  const month = monthOf(line.key(at));
  if (month === null) return null;
  const values = [month + 1];
  if (line.is(at + 1, 'of') && line.is(at + 2, 'every', 'each', 'any'))
    return { values, next: line.skip(at + 3, new Set(['year'])) };
  return line.is(at - 1, 'every', 'each') ? { values, next: at + 1 } : null;
}

interface Clock {
  readonly hour: number;
  readonly next: number;
}

const NAMED_HOURS: ReadonlyMap<string, number> = new Map(Object.entries({ noon: 12, midday: 12, midnight: 0 }));

/** `6 pm`, `9 o'clock`, `noon`. */
function clockAt({ line }: Sentence, at: number): Clock | null {
  const named = NAMED_HOURS.get(line.key(at));
  if (named !== undefined) return { hour: named, next: at + 1 };
  const hour = hourAt(line, at);
  return hour === null
    ? null
    : (halfDayAt(line, at + 1, hour) ?? fullHourAt(line, at + 1, hour) ?? minutesAt(line, at + 1, hour));
}

function hourAt(line: Line, at: number): number | null {
  const hour = Number(line.key(at));
  return line.tokens[at]?.kind === 'number' && Number.isInteger(hour) && hour >= 0 && hour <= 24 ? hour : null;
}

/** Twelve comes before one in both halves of the day. */
function halfDayAt(line: Line, at: number, hour: number): Clock | null {
  if (hour < 1 || hour > 12 || !line.is(at, 'am', 'pm')) return null;
  return { hour: (hour % 12) + (line.is(at, 'pm') ? 12 : 0), next: at + 1 };
}

/** `20:00`; hours are told apart, minutes are not. */
function minutesAt(line: Line, at: number, hour: number): Clock | null {
  const minutes = line.tokens[at];
  return minutes?.kind === 'number' && minutes.text === '00' ? { hour, next: at + 1 } : null;
}

const FULL_HOUR = phraseSet('oclock|o clock');

function fullHourAt(line: Line, at: number, hour: number): Clock | null {
  const next = line.phrase(at, FULL_HOUR);
  return next === null ? null : { hour, next };
}

interface Hours {
  readonly from: number;
  readonly to: number;
  readonly next: number;
}

function hoursAt(sentence: Sentence, at: number): Found | null {
  const hours = hourRangeAt(sentence, at);
  return hours === null ? null : { filter: hourFilter(derivedPart(sentence, 'hour'), hours), next: hours.next };
}

function hourRangeAt(sentence: Sentence, at: number): Hours | null {
  const word = sentence.line.key(at);
  if (!/^(after|before|at|between|from|since|until)$/.test(word)) return null;
  const closed = /^(between|from)$/.test(word) ? closedHoursAt(sentence, at + 1) : null;
  if (closed !== null) return closed;
  const first = clockAt(sentence, at + 1);
  return first === null ? null : { ...openHours(word, first.hour), next: first.next };
}

function closedHoursAt(sentence: Sentence, at: number): Hours | null {
  const first = clockAt(sentence, at) ?? bareClock(sentence, at);
  if (first === null || !sentence.line.is(first.next, 'and', 'to')) return null;
  const last = clockAt(sentence, first.next + 1);
  return last === null ? null : { from: first.hour, to: last.hour, next: last.next };
}

function hourFilter(column: string, { from, to }: Hours): Filter {
  if (to === 24 && from > 0) return { kind: 'compare', column, operator: '>=', value: from };
  if (from === 0 && to < 24) return { kind: 'compare', column, operator: '<', value: to };
  return { kind: 'in', column, values: hoursFrom(from, to), negated: false };
}

/** `between 9 and 5 pm`. */
function bareClock(sentence: Sentence, at: number): Clock | null {
  const { line } = sentence;
  const hour = hourAt(line, at);
  const second = line.is(at + 1, 'and', 'to') ? clockAt(sentence, at + 2) : null;
  return second === null || hour === null || hour > 23 ? null : { hour, next: at + 1 };
}

function openHours(word: string, hour: number): { readonly from: number; readonly to: number } {
  if (word === 'before' || word === 'until') return { from: 0, to: hour };
  return word === 'at' ? { from: hour, to: hour + 1 } : { from: hour, to: 24 };
}

/** Hours from one to before the other, over midnight if need be. */
function hoursFrom(from: number, to: number): readonly number[] {
  const count = to > from ? to - from : 24 - from + to;
  return Array.from({ length: count }, (_, index) => (from + index) % 24);
}
