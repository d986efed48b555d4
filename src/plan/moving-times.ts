import { DateTime, type DateTimeUnit } from 'luxon';
import type { AnalysisPlan, DerivedColumn, Filter } from '../ports/analysis-plan.js';

const UNITS: ReadonlyMap<string, DateTimeUnit> = new Map([
  ['s', 'second'],
  ['m', 'minute'],
  ['h', 'hour'],
  ['d', 'day'],
  ['w', 'week'],
  ['M', 'month'],
  ['Q', 'quarter'],
  ['y', 'year'],
]);

/** `now`, then steps such as `-1h` and roundings down such as `/d`. */
export const RELATIVE_TIME = /^now(?:[+-]\d{1,9}[smhdwMQy]|\/[smhdwMQy]){0,32}$/;
/** Characters. */
export const LONGEST_RELATIVE_TIME = 90;
const STEP = /([+/-])(\d*)([smhdwMQy])/g;

/**
 * The moment that a `RELATIVE_TIME` names, its steps and roundings taken in their order, in UTC. Units are s m h d w M Q y: `m` is a minute, `M` a month, `Q` a quarter. A month or a
 * year later is the same day of the month, or its last; weeks begin on Mondays. An invalid Date beyond the calendar.
 */
export function relativeTime(text: string, now: Date): Date {
  let at = DateTime.fromJSDate(now, { zone: 'utc' });
  for (const [, sign, digits, letter = ''] of text.matchAll(STEP)) {
    const unit = UNITS.get(letter) ?? 'second';
    at = sign === '/' ? at.startOf(unit) : at.plus({ [unit]: (sign === '-' ? -1 : 1) * Number(digits) });
  }
  return at.toJSDate();
}

/** The plan with the dates that its moving conditions have at a moment. */
export function planAt<P extends AnalysisPlan>(plan: P, now: Date): P {
  if (!isMoving(plan)) return plan;
  const moved = (filters: readonly Filter[]): readonly Filter[] => filters.map((filter) => filterAt(filter, now));
  const derived = plan.derived?.map((column) => derivedAt(column, moved));
  const measures =
    plan.kind === 'aggregate'
      ? { measures: plan.measures.map((one) => (one.filters ? { ...one, filters: moved(one.filters) } : one)) }
      : {};
  return { ...plan, ...measures, ...(derived === undefined ? {} : { derived }), filters: moved(plan.filters) };
}

/** Whether the plan has dates that are others tomorrow. */
export function isMoving(plan: AnalysisPlan): boolean {
  return JSON.stringify(plan).includes('"moving":{');
}

function derivedAt(
  { name, expression }: DerivedColumn,
  moved: (filters: readonly Filter[]) => readonly Filter[],
): DerivedColumn {
  if (expression.kind !== 'case') return { name, expression };
  const cases = expression.cases.map((one) => ({ ...one, filters: moved(one.filters) }));
  return { name, expression: { ...expression, cases } };
}

function filterAt<F extends Filter>(filter: F, now: Date): F {
  if (filter.kind === 'any') return { ...filter, of: filter.of.map((all) => all.map((one) => filterAt(one, now))) };
  if (filter.kind !== 'time' || filter.moving === undefined) return filter;
  const { from, to } = filter.moving;
  const at = (text: string): string => relativeTime(text, now).toISOString().replace('.000Z', 'Z');
  return { ...filter, from: from === null ? filter.from : at(from), to: to === null ? filter.to : at(to) };
}
