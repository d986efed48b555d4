import type { Filter } from '../ports/analysis-plan.js';
import type { TableProfile } from '../ports/table.js';
import { AppError } from '../shared/app-error.js';

const ISO_FORM = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)\s?(Z|[+-]\d{2}:?\d{2})?)?$/i;

/** The moment that ISO 8601 names, without an offset in UTC; null when it is none, or no day of the calendar. */
export function isoInstant(text: string): Date | null {
  const [, day, clock = '00:00', zone = 'Z'] = ISO_FORM.exec(text.trim()) ?? [];
  const at = new Date(`${day ?? ''}T${clock.slice(0, 12)}${offsetFrom(zone)}`);
  return day === undefined || Number.isNaN(at.getTime()) || !isCalendarDay(day) ? null : at;
}

/** As `isoInstant`. @throws AppError `invalid_input` when it is none. */
export function instantFrom(text: string): Date {
  const at = isoInstant(text);
  if (at !== null) return at;
  throw new AppError('invalid_input', `"${text.slice(0, 100)}" is no ISO 8601 time`);
}

function offsetFrom(zone: string): string {
  return /^z$/i.test(zone) ? 'Z' : zone.replace(/^(.\d{2}):?/, '$1:');
}

/** `new Date` takes 30 February for 1 or 2 March. */
function isCalendarDay(day: string): boolean {
  const date = new Date(`${day}T00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}

/** The time that the rows of a table span as far as conditions let it; null: they leave nothing of it, or there is none. */
export function timeRangeWithin(
  filters: readonly Filter[],
  { timeField, timeRange }: TableProfile,
): TableProfile['timeRange'] {
  const limits = filters.flatMap((filter) => (filter.kind === 'time' && filter.column === timeField ? [filter] : []));
  const from = ascending([timeRange?.from, ...limits.map((limit) => limit.from)]).at(-1);
  const to = ascending([timeRange?.to, ...limits.map((limit) => limit.to)])[0];
  return from === undefined || to === undefined || instantFrom(from) > instantFrom(to) ? null : { from, to };
}

/** By time, not by text: `2024-01-01` and `2024-01-01T00:00:00+02:00` are both allowed. */
function ascending(instants: readonly (string | null | undefined)[]): readonly string[] {
  return instants
    .filter((instant) => typeof instant === 'string')
    .sort((a, b) => instantFrom(a).getTime() - instantFrom(b).getTime());
}
