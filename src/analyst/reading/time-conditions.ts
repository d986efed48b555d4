import type { DerivedColumn, Filter, MovingEnds } from '../../ports/analysis-plan.js';
import type { MomentPart } from '../../ports/plan-expression.js';
import {
  condition,
  type ConditionPart,
  nearest,
  nearestOrNone,
  opFeatures,
  relation,
  usesOf,
} from './condition-part.js';
import { comparisonAround, type OpClass } from './comparison.js';
import { WEEKDAYS } from './lexicon.js';
import type { NumberMention, PeriodMention } from './mentions.types.js';
import { rangeFeatures } from './number-conditions.js';
import { isoOf, type Period } from './periods.js';
import type { Question } from './question.js';
import type { ColumnFacts } from './table.js';
import { feature } from './weights.js';
import { DAY_MS } from '../../shared/durations.js';

/** Conditions that a period may mean for each column of moments or years. */
export function timeConditions(question: Question, mention: PeriodMention): readonly ConditionPart[] {
  return question.facts.columns.flatMap((column) => {
    if (column.kind === 'time')
      return [...momentConditions(question, mention, column), ...monthConditions(question, mention, column)];
    return isOfYears(column) ? yearConditions(question, mention, column) : [];
  });
}

/** Whole numbers that can be nothing but years. */
function isOfYears({ kind, profile: { type, min, max } }: ColumnFacts): boolean {
  return (
    kind === 'year' ||
    (type === 'integer' && typeof min === 'number' && typeof max === 'number' && min > 1500 && max < 2150)
  );
}

const TIME_OPS = ['in', 'since', 'after', 'before', 'until', 'not'] as const;

/** `birthdays in July`: of any year, where the times are of several. */
function monthConditions(question: Question, mention: PeriodMention, column: ColumnFacts): readonly ConditionPart[] {
  const [period, another] = mention.periods;
  const { min, max } = column.profile;
  // With its year it is one month alone.
  if (mention.how !== 'month' || period === undefined || another === undefined) return [];
  if (typeof min !== 'string' || typeof max !== 'string') return [];
  const years = Math.min(20, Math.floor((Date.parse(max) - Date.parse(min)) / YEAR));
  if (years < 1) return [];
  const near = nearest(question, column, mention);
  const { filter, derived } = partFilter(column.name, 'month', [new Date(period.start).getUTCMonth() + 1]);
  const features = [
    feature('anyyear'),
    feature(`anyyear|${years}`),
    feature(`anyyear|main|${question.facts.time === column}|${near === null}`),
    feature(`anyyear|c|${column.concept}`),
    ...relation(question, mention, { what: 'month', column, mention: near }),
  ];
  return [condition(question, filter, features, usesOf(mention, near), derived)];
}

const YEAR = 365 * DAY_MS;

function momentConditions(question: Question, mention: PeriodMention, column: ColumnFacts): readonly ConditionPart[] {
  const { how } = mention;
  const isMain = question.facts.time === column;
  return mention.periods.slice(0, 3).flatMap((period, rank) =>
    TIME_OPS.flatMap((op) => {
      if (op === 'not' && (how === 'span' || !question.has('neg'))) return [];
      const filters = timeFilter(op, column.name, period);
      return nearestOrNone(question, column, mention).map((one) =>
        condition(
          question,
          filters,
          [
            ...opFeatures(question, mention, { op: `t${op}`, what: how }),
            ...relation(question, mention, { what: 'time', column, mention: one }),
            feature(`time|${how}|rank|${rank}`),
            feature(`time|${how}|rank|${rank}|${fitsData(column, period)}`),
            feature(`time|main|${isMain}`),
            feature(`time|main|${isMain}|${one === null}`),
            feature(`time|${how}|${op}`),
          ],
          usesOf(mention, one),
        ),
      );
    }),
  );
}

function fitsData({ profile: { min, max } }: ColumnFacts, { start, end }: Period): string {
  if (typeof min !== 'string' || typeof max !== 'string') return 'unknown';
  const [first, last] = [Date.parse(min), Date.parse(max)];
  if (end <= first || start > last) return 'outside';
  return start >= first && end <= last ? 'inside' : 'partly';
}

function timeFilter(op: (typeof TIME_OPS)[number], column: string, { start, end, moving }: Period): Filter {
  type End = 'from' | 'to' | null;
  const make = (first: End, last: End): Exclude<Filter, { kind: 'any' }> => {
    const ends = ({ from, to }: MovingEnds): MovingEnds => {
      const at = (one: End): string | null => (one === null ? null : one === 'from' ? from : to);
      return { from: at(first), to: at(last) };
    };
    const dates = ends({ from: isoOf(start), to: isoOf(end) });
    return { kind: 'time', column, ...dates, ...(moving === undefined ? {} : { moving: ends(moving) }) };
  };
  switch (op) {
    case 'in':
      return make('from', 'to');
    case 'since':
      return make('from', null);
    case 'after':
      return make('to', null);
    case 'before':
      return make(null, 'from');
    case 'until':
      return make(null, 'to');
    case 'not':
      return { kind: 'any', of: [[make(null, 'from')], [make('to', null)]] };
  }
}

/** Years as whole numbers. */
function yearConditions(question: Question, mention: PeriodMention, column: ColumnFacts): readonly ConditionPart[] {
  const [period] = mention.periods;
  if (period === undefined || (period.unit !== 'year' && mention.how !== 'span')) return [];
  const [first, last] = [new Date(period.start).getUTCFullYear(), new Date(period.end - 1).getUTCFullYear()];
  const near = nearest(question, column, mention);
  const base = [
    ...relation(question, mention, { what: 'yeartime', column, mention: near }),
    ...rangeFeatures(column, first, 'year'),
  ];
  if (first !== last) {
    const filter: Filter = { kind: 'between', column: column.name, low: first, high: last };
    return [
      condition(
        question,
        filter,
        [...opFeatures(question, mention, { op: 'between', what: mention.how }), ...base],
        usesOf(mention, near),
      ),
    ];
  }
  return (['=', '>', '<', '>=', '<='] as const).map((operator) =>
    condition(
      question,
      { kind: 'compare', column: column.name, operator, value: first },
      [...opFeatures(question, mention, { op: operator, what: 'yeartime' }), ...base],
      usesOf(mention, near),
    ),
  );
}

const WORKDAYS = /^(?:week|work)days?$|^werktags?$/;
const WEEKEND = /^weekends?$|^wochenende$/;

/** 1 for Monday to 7 for Sunday. */
function daysNamed(word: string): readonly number[] {
  if (WORKDAYS.test(word)) return [1, 2, 3, 4, 5];
  return WEEKEND.test(word) ? [6, 7] : [WEEKDAYS.get(word) ?? []].flat();
}

/** The times that a part of the day or week may be of: the main one, and others that are mentioned. */
function timesMeant({ facts, sure }: Question): readonly ColumnFacts[] {
  const mentioned = sure.flatMap(({ guesses }) => guesses.slice(0, 2).map(({ column }) => column));
  return facts.columns.filter(
    (column) => column === facts.time || (column.kind === 'time' && mentioned.includes(column)),
  );
}

/** `on Mondays`, `at weekends`, `sat + sun`, `Monday to Friday`: parts of times that come again and again. */
export function weekdayConditions(question: Question): readonly ConditionPart[] {
  const { tokens, times, values } = question.linked;
  const named = tokens.flatMap(({ word }, at) => {
    // `sun` is the weather where that is a value.
    const other = word.length > 4 ? times : [...times, ...values];
    const isDay = daysNamed(word).length > 0 && !other.some(({ from, to }) => from <= at && at < to);
    return isDay ? [{ word, at }] : [];
  });
  const [first, second] = named;
  if (first === undefined) return [];
  const isSpan = named.length === 2 && second?.at === first.at + 2 && JOINED.test(question.wordAt(first.at + 1));
  const days = named.flatMap(({ word }) => daysNamed(word));
  const [start = 1, end = 7] = days;
  const wanted = isSpan ? [1, 2, 3, 4, 5, 6, 7].filter((day) => start <= day && day <= end) : days;
  const around = question.around(first.at, first.at + 1);
  return timesMeant(question).map((time) => {
    const { filter, derived } = partFilter(time.name, 'weekday', [...new Set(wanted)]);
    const features = [
      feature('weekday'),
      feature(`weekday|main|${time === question.facts.time}`),
      ...named.map(({ word }) => feature(`weekday|${word}`)),
      feature(`weekday|b1|${around.before}`),
      feature(`weekday|a1|${around.after}`),
      feature(`weekday|count|${named.length}`),
    ];
    return condition(question, filter, features, [], derived);
  });
}

const JOINED = /^(?:to|-|–|until|till|through|bis)$/;

/** An hour of the day that a message names. */
interface ClockTime {
  readonly from: number;
  readonly to: number;
  readonly hour: number;
  readonly mention: NumberMention | null;
}

/** `for hour 5`, `at 5 pm`, `before 9 am`, `between 10:00 and 16:00`: hours of every day. */
export function hourConditions(question: Question): readonly (readonly ConditionPart[])[] {
  const clocks = clockTimes(question);
  return clocks.map((clock, index) => {
    const next = clocks[index + 1];
    const end = next !== undefined && joins(question, clock, next) ? next : null;
    const cls = comparisonAround(question, clock.from, clock.to);
    const hours = end === null ? hoursOf(clock, cls) : hoursFrom(clock.hour, end.hour);
    // Every hour is before midnight, and after it.
    if (hours.length === 24) return [];
    const { before } = question.around(clock.from, clock.to);
    const mentions = [clock.mention, end?.mention].flatMap((mention) => mention ?? []);
    const uses = mentions.map((mention) => ({ mention, role: 'condition' as const }));
    return timesMeant(question).map((time) => {
      const { filter, derived } = partFilter(time.name, 'hour', hours);
      const features = [
        feature('hour'),
        feature(`hour|main|${time === question.facts.time}`),
        feature(`hour|b1|${before}`),
        feature(`hour|${end === null ? cls : 'span'}`),
      ];
      return condition(question, filter, features, uses, derived);
    });
  });
}

const JOINS = /^(?:and|to|-|–|until|till)$/;

function joins(question: Question, clock: ClockTime, next: ClockTime): boolean {
  return JOINS.test(question.wordAt(clock.to)) && next.from === clock.to + 1;
}

/** From one hour up to another, across midnight where that is earlier. */
function hoursFrom(first: number, end: number): readonly number[] {
  const count = (end - first + 24) % 24 || 24;
  return Array.from({ length: count }, (_, at) => (first + at) % 24);
}

function hoursOf({ hour }: ClockTime, cls: OpClass): readonly number[] {
  if (cls === 'gt' || cls === 'ge') return hoursFrom(hour, 24);
  return cls === 'lt' || cls === 'le' ? hoursFrom(0, hour) : [hour];
}

function clockTimes(question: Question): readonly ClockTime[] {
  const named = question.linked.tokens.flatMap(({ word }, at): ClockTime[] =>
    word === 'noon' || word === 'midnight'
      ? [{ from: at, to: at + 1, hour: word === 'noon' ? 12 : 0, mention: null }]
      : [],
  );
  const { numbers } = question.linked;
  const written = numbers.flatMap((mention, index) => clockOf(question, mention, numbers[index + 1]) ?? []);
  return [...named, ...written].sort((a, b) => a.from - b.from);
}

function clockOf(question: Question, mention: NumberMention, next: NumberMention | undefined): ClockTime | null {
  const { from, to, value } = mention;
  if (!isHour(mention)) return null;
  if (/^(?:hour|stunde)$/.test(question.wordAt(from - 1))) return { from, to, hour: value, mention };
  const isFull = question.wordAt(to) === ':' && question.wordAt(to + 1) === '00';
  const end = isFull ? to + 2 : to;
  const places = joinsClock(question, end, next) ? [end, next.to] : [end];
  const [half = null] = places.flatMap((place) => halfOfDay(question, place) ?? []);
  if (half === null && !isFull && !places.some((place) => isClockWord(question, place))) return null;
  const last = /^(?:am|pm)$/.test(question.wordAt(end)) ? end + 1 : end;
  return { from, to: last, hour: hourIn(half, value), mention: { ...mention, to: last } };
}

/** `14 h`, `14 Uhr`, `5 o'clock`. */
function isClockWord(question: Question, at: number): boolean {
  return /^(?:h|uhr|oclock)$/.test(question.wordAt(at));
}

function isHour({ value, isTaken }: NumberMention): boolean {
  return !isTaken && Number.isInteger(value) && value >= 0 && value <= 24;
}

function hourIn(half: 'am' | 'pm' | null, value: number): number {
  return half === null || value > 12 ? value % 24 : (value % 12) + (half === 'pm' ? 12 : 0);
}

/** `6 and 9 in the morning`. */
function joinsClock(question: Question, at: number, next: NumberMention | undefined): next is NumberMention {
  return next?.from === at + 1 && JOINS.test(question.wordAt(at));
}

function halfOfDay(question: Question, at: number): 'am' | 'pm' | null {
  const half = /^(am|pm)$/.exec(question.wordAt(at))?.[1];
  if (half === 'am' || half === 'pm') return half;
  const said = [0, 1, 2].map((step) => question.wordAt(at + step)).join(' ');
  if (said === 'in the morning') return 'am';
  return /^in the (?:afternoon|evening)$/.test(said) ? 'pm' : null;
}

function partFilter(
  column: string,
  part: MomentPart,
  values: readonly number[],
): { readonly filter: Filter; readonly derived: DerivedColumn } {
  const name = `${part} of ${column}`.slice(0, 80);
  return {
    filter: { kind: 'in', column: name, values, negated: false },
    derived: { name, expression: { kind: 'part', column, part } },
  };
}
