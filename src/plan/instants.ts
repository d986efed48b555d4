import { AppError } from '../shared/app-error.js';

const ISO_FORM = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)\s?(Z|[+-]\d{2}:?\d{2})?)?$/i;

/**
 * Reads an ISO 8601 text; one without an offset is UTC.
 *
 * @throws AppError `invalid_input` when it is none, or no day of the calendar.
 */
export function instantFrom(text: string): Date {
  const [, day, clock = '00:00', zone = 'Z'] = ISO_FORM.exec(text.trim()) ?? [];
  const at = new Date(`${day ?? ''}T${clock.slice(0, 12)}${offsetFrom(zone)}`);
  if (day === undefined || Number.isNaN(at.getTime()) || !isCalendarDay(day)) {
    throw new AppError('invalid_input', `"${text.slice(0, 100)}" is no ISO 8601 time`);
  }
  return at;
}

function offsetFrom(zone: string): string {
  return /^z$/i.test(zone) ? 'Z' : zone.replace(/^(.\d{2}):?/, '$1:');
}

/** `new Date` takes 30 February for 1 or 2 March. */
function isCalendarDay(day: string): boolean {
  const date = new Date(`${day}T00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}
