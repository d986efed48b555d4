import type { DerivedColumn, Filter } from '../../ports/analysis-plan.js';
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
import type { NumberMention, PeriodMention } from './mentions.types.js';
import { rangeFeatures } from './number-conditions.js';
import type { Period } from './periods.js';
import type { Question } from './question.js';
import type { ColumnFacts } from './table.js';
import { feature } from './weights.js';

/** Conditions that a period may mean for each column of moments or years. */
export function timeConditions(question: Question, mention: PeriodMention): readonly ConditionPart[] {
  return question.facts.columns.flatMap((column) => {
    if (column.kind === 'time') return momentConditions(question, mention, column);
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

function timeFilter(op: (typeof TIME_OPS)[number], column: string, { start, end }: Period): Filter {
  const [from, to] = [isoOf(start), isoOf(end)];
  const make = (a: string | null, b: string | null): Exclude<Filter, { kind: 'any' }> => ({
    kind: 'time',
    column,
    from: a,
    to: b,
  });
  switch (op) {
    case 'in':
      return make(from, to);
    case 'since':
      return make(from, null);
    case 'after':
      return make(to, null);
    case 'before':
      return make(null, from);
    case 'until':
      return make(null, to);
    case 'not':
      return { kind: 'any', of: [[make(null, from)], [make(to, null)]] };
  }
}

function isoOf(time: number): string {
  return new Date(time).toISOString().replace('.000Z', 'Z');
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

const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

/** `on Mondays`, `at weekends`: parts of times that come again and again. */
export function weekdayConditions(question: Question): readonly ConditionPart[] {
  const { time } = question.facts;
  if (time === null) return [];
  const days = question.linked.tokens.flatMap(({ word }, place) => {
    if (question.linked.times.some(({ from, to }) => from <= place && place < to)) return [];
    const day = WEEKDAYS.findIndex((name) => word === name || word === `${name}s`);
    if (day >= 0) return [day + 1];
    if (/^weekends?$|^wochenende$/.test(word)) return [6, 7];
    return /^weekdays?$|^workdays?$|^werktags?$/.test(word) ? [1, 2, 3, 4, 5] : [];
  });
  if (days.length === 0) return [];
  const names = question.linked.tokens
    .filter(({ word }) => WEEKDAYS.some((name) => word.startsWith(name)) || /^week(end|day)s?$/.test(word))
    .map(({ word }) => word);
  const { filter, derived } = partFilter(time.name, 'weekday', [...new Set(days)]);
  const at = question.linked.tokens.findIndex(({ word }) => names.includes(word));
  const around = question.around(Math.max(at, 0), Math.max(at, 0) + 1);
  const features = [
    feature('weekday'),
    ...names.map((name) => feature(`weekday|${name}`)),
    feature(`weekday|b1|${around.before}`),
    feature(`weekday|a1|${around.after}`),
    feature(`weekday|count|${names.length}`),
  ];
  return [condition(question, filter, features, [], derived)];
}

/** An hour of the day that a message names. */
interface ClockTime {
  readonly from: number;
  readonly to: number;
  readonly hour: number;
  readonly mention: NumberMention | null;
}

/** `for hour 5`, `at 5 pm`, `before 9 am`, `between 10:00 and 16:00`: hours of every day. */
export function hourConditions(question: Question): readonly ConditionPart[] {
  const { time } = question.facts;
  if (time === null) return [];
  const clocks = clockTimes(question);
  return clocks.flatMap((clock, index) => {
    const next = clocks[index + 1];
    const end = next !== undefined && joins(question, clock, next) ? next : null;
    const cls = comparisonAround(question, clock.from, clock.to);
    const hours = end === null ? hoursOf(clock, cls) : hoursFrom(clock.hour, end.hour);
    // Every hour is before midnight, and after it.
    if (hours.length === 24) return [];
    const { filter, derived } = partFilter(time.name, 'hour', hours);
    const { before } = question.around(clock.from, clock.to);
    const features = [feature('hour'), feature(`hour|b1|${before}`), feature(`hour|${end === null ? cls : 'span'}`)];
    const mentions = [clock.mention, end?.mention].flatMap((mention) => mention ?? []);
    const uses = mentions.map((mention) => ({ mention, role: 'condition' as const }));
    return [condition(question, filter, features, uses, derived)];
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
  const half = halfOfDay(question, end) ?? (joinsClock(question, end, next) ? halfOfDay(question, next.to) : null);
  if (half === null && !isFull) return null;
  const last = /^(?:am|pm)$/.test(question.wordAt(end)) ? end + 1 : end;
  return { from, to: last, hour: hourIn(half, value), mention: { ...mention, to: last } };
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
