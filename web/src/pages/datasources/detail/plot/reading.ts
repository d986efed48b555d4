import { figure, whole } from '../../../../shared/format.js';
import type { Line } from './series.js';
import { LOCALE } from '../../../../shared/language.js';
import { t } from '@lingui/core/macro';

const MOMENT = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' });

/** A point of a line in words; null where there is none. */
export function readingOf({ points, counts }: Line, place: number | null): string | null {
  if (place === null) return null;
  const [time, mean, lowest, highest] = points.map((column) => column[place] ?? null);
  if (typeof time !== 'number' || typeof mean !== 'number') return null;
  const at = `${MOMENT.format(new Date(time * 1000))} UTC`;
  const count = counts[place] ?? 1;
  if (count === 1) return `${at}: ${figure(mean)}`;
  const [low, high] = [figure(lowest ?? mean), figure(highest ?? mean)];
  return t`${at}: mean ${figure(mean)}, ${low} to ${high}, from ${whole(count)} rows`;
}
