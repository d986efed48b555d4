import { figure, whole } from '../../../../shared/format.js';
import type { Line } from './series.js';

const MOMENT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' });

/** A point of a line in words; null where there is none. */
export function readingOf({ points, counts }: Line, place: number | null): string | null {
  if (place === null) return null;
  const [time, mean, lowest, highest] = points.map((column) => column[place] ?? null);
  if (typeof time !== 'number' || typeof mean !== 'number') return null;
  const at = `${MOMENT.format(new Date(time * 1000))} UTC`;
  const count = counts[place] ?? 1;
  if (count === 1) return `${at}: ${figure(mean)}`;
  const band = `${figure(lowest ?? mean)} to ${figure(highest ?? mean)}`;
  return `${at}: mean ${figure(mean)}, ${band}, of ${whole(count)} rows`;
}
