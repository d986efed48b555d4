export type RawCell = string | number | boolean | null;

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i;
const MOMENT = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2})?)(?:\.\d+)?(?:Z|\+00(?::?00)?)?)?$/;

/** A cell in the one form in which cells of different origin can be compared: numbers as numbers, times as ISO 8601 to the second. */
export function plainCell(cell: RawCell): string | number | null {
  if (cell === null || typeof cell === 'number') return cell;
  const text = String(cell).trim();
  if (NUMBER.test(text)) return Number(text);
  const [, day, time] = MOMENT.exec(text) ?? [];
  return day === undefined ? text : `${day}T${(time ?? '00:00').padEnd(8, ':00')}`;
}

const CLOSE = 1e-6;

/** Whether a found cell is the wanted one: numbers to a millionth of themselves, shares as percent too where either will do. */
export function isSameCell(found: RawCell, wanted: RawCell, isPercent = false): boolean {
  const [one, other] = [plainCell(found), plainCell(wanted)];
  if (typeof one !== 'number' || typeof other !== 'number') return one === other || isSameYear(one, other);
  const readings = isPercent ? [one, one * 100, one / 100] : [one];
  return readings.some((reading) => Math.abs(reading - other) <= CLOSE * Math.abs(other) + 1e-12);
}

/** A year may be told as a number or as the moment it begins. */
function isSameYear(one: string | number | null, other: string | number | null): boolean {
  const [year, moment] = typeof one === 'number' ? [one, other] : [other, one];
  return typeof year === 'number' && moment === `${String(year)}-01-01T00:00:00`;
}
