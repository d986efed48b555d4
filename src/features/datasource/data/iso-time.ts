const ISO = /^\d{4}-\d{2}(-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?)?$/i;

/** The moment that ISO 8601 names, without a zone in UTC; null when it is none, or no day of the calendar. */
export function isoTime(text: string): Date | null {
  if (!ISO.test(text) || !isRealDay(text)) return null;
  const hasZone = /(Z|[+-]\d{2}:?\d{2})$/i.test(text.slice(10));
  const hasTime = text.length > 10;
  const moment = new Date(hasTime ? `${text.replace(' ', 'T')}${hasZone ? '' : 'Z'}` : text);
  return Number.isNaN(moment.getTime()) ? null : moment;
}

/** Date rolls 30 February over into March. */
function isRealDay(text: string): boolean {
  const day = new Date(text.slice(0, 10));
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text.slice(0, 10));
}
