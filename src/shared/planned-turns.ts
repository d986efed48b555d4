const MINUTE = 60_000;

/** The first turn of a schedule that begins now. */
export function firstTurn(now: Date, minutes: number): Date {
  return new Date(now.getTime() + minutes * MINUTE);
}

/** The first turn after now, a multiple of the interval away from a planned one: before it or behind it. No turn drifts. */
export function turnAfter(now: Date, planned: Date, minutes: number): Date {
  const interval = minutes * MINUTE;
  const turns = Math.floor((now.getTime() - planned.getTime()) / interval) + 1;
  return new Date(planned.getTime() + turns * interval);
}
