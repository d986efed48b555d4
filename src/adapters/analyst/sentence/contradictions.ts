import type { Filter } from '../../../ports/analysis-plan.js';

/** Whether there are two conditions that no row can fit both of. */
export function areApart(filters: readonly Filter[]): boolean {
  return filters.some((one, place) => filters.slice(place + 1).some((other) => isApart(one, other)));
}

function isApart(one: Filter, other: Filter): boolean {
  return excludes(one, other) || excludes(other, one) || lieApart(stretchOf(one), stretchOf(other));
}

function excludes(one: Filter, other: Filter): boolean {
  return lacksValue(one, other) || namesOnlyExcluded(one, other);
}

/** A value that is missing but has to be something. */
function lacksValue(one: Filter, other: Filter): boolean {
  if (one.kind !== 'null' || one.negated || !isOfColumn(other, one.column)) return false;
  return other.kind !== 'null' || other.negated;
}

/** `in Rome but not in Rome`. */
function namesOnlyExcluded(one: Filter, other: Filter): boolean {
  if (one.kind !== 'in' || other.kind !== 'in' || one.column !== other.column) return false;
  return !one.negated && other.negated && one.values.every((value) => other.values.includes(value));
}

function isOfColumn(filter: Filter, column: string): boolean {
  return 'column' in filter && filter.column === column;
}

/** What a column may hold, its ends included or not. */
interface Stretch {
  readonly column: string;
  readonly low: number;
  readonly high: number;
  /** Either end that does not belong to it. */
  readonly openLow: boolean;
  readonly openHigh: boolean;
}

function lieApart(one: Stretch | null, other: Stretch | null): boolean {
  if (one === null || one.column !== other?.column) return false;
  return endsBefore(one, other) || endsBefore(other, one);
}

function endsBefore(one: Stretch, other: Stretch): boolean {
  return one.high < other.low || (one.high === other.low && (one.openHigh || other.openLow));
}

function stretchOf(filter: Filter): Stretch | null {
  if (filter.kind === 'between') return { ...filter, openLow: false, openHigh: false };
  if (filter.kind === 'time') {
    const [low, high] = [momentOf(filter.from, -Infinity), momentOf(filter.to, Infinity)];
    return { column: filter.column, low, high, openLow: false, openHigh: true };
  }
  return filter.kind === 'compare' ? comparedStretch(filter) : null;
}

function momentOf(written: string | null, otherwise: number): number {
  return written === null ? otherwise : Date.parse(written);
}

function comparedStretch({ column, operator, value }: Filter & { kind: 'compare' }): Stretch | null {
  if (operator === '!=') return null;
  return {
    column,
    low: operator.startsWith('<') ? -Infinity : value,
    high: operator.startsWith('>') ? Infinity : value,
    openLow: operator === '>',
    openHigh: operator === '<',
  };
}
