import { type Computed, SERIES_KINDS, type SeriesKind } from '../ports/analysis-plan.js';
import { type ColumnType, isNumeric } from '../ports/table.js';
import { wholeNumber } from './plan-words.js';

/** A figure that runs over the groups. */
export type Series = Extract<Computed, { kind: SeriesKind }>;
/** A figure of two figures of the same group. */
export type Pair = Exclude<Computed, Series>;

const DEFAULT_WINDOW = 3;
const LONGEST_WINDOW = 10_000;
const WHOLE: ReadonlySet<Pair['kind']> = new Set<Pair['kind']>(['difference', 'sum', 'product']);

export function isSeries(computed: Computed): computed is Series {
  return SERIES_KINDS.some((kind) => kind === computed.kind);
}

/** @throws AppError `invalid_input` when it is no whole number, or too long. */
export function seriesWindow(window: number | undefined): number {
  return wholeNumber(window ?? DEFAULT_WINDOW, [1, LONGEST_WINDOW], 'the window of a moving average');
}

export function seriesType(kind: SeriesKind, type: ColumnType): ColumnType {
  if (kind === 'rank') return 'integer';
  return kind === 'cumulative' || kind === 'change' ? type : 'number';
}

export function pairType(kind: Pair['kind'], sides: readonly { readonly type: ColumnType }[]): ColumnType {
  return WHOLE.has(kind) && sides.every(({ type }) => type === 'integer') ? 'integer' : 'number';
}

/** The dimensions that a series runs along: those of time, else those that are numbers (a year), else all. */
export function axesOf<T extends { readonly type: ColumnType; readonly isTime: boolean }>(
  dimensions: readonly T[],
): readonly T[] {
  if (dimensions.length < 2) return dimensions;
  const times = dimensions.filter(({ isTime }) => isTime);
  if (times.length > 0) return times;
  const numbers = dimensions.filter(({ type }) => isNumeric(type));
  return numbers.length > 0 ? numbers : dimensions;
}
