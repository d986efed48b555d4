import type { AnalysisPlan } from '../../../ports/analysis-plan.js';
import type { Expression } from '../../../ports/plan-expression.js';
import { type ColumnProfile, isNumeric, type QueryResult, type TableProfile } from '../../../ports/table.js';
import { onKind } from '../../../shared/app-error.js';

/** How many values lie from `from` up to, but without, `to`; the last bin has its end in it. Both are the same where a bin is one value. */
export type Bins = readonly { readonly from: number; readonly to: number; readonly count: number }[];
/** By the column's name; a column that is not here has none. */
export type HistogramsByColumn = ReadonlyMap<string, Bins>;

/** Each column is read once more: a table of very many has histograms of its measures and of the first columns besides. */
const MOST_COLUMNS = 100;

type Count = (plan: AnalysisPlan, maxRows: number) => Promise<QueryResult>;

/** Up to `most` bins of equal width for each column of numbers that holds any; of whole numbers, each bin has as many. */
export async function histogramsOf(profile: TableProfile, most: number, count: Count): Promise<HistogramsByColumn> {
  const histograms = new Map<string, Bins>();
  for (const scale of scalesOf(profile, most)) {
    const bins = await binsOf(profile, scale, count);
    if (bins !== null) histograms.set(scale.column.name, bins);
  }
  return histograms;
}

/** Null when counting takes too long: the rest of a summary is of use without it. */
async function binsOf({ rowCount, columns }: TableProfile, scale: Scale, count: Count): Promise<Bins | null> {
  const { column, low, high, bins } = scale;
  if (low === high) return [{ from: low, to: high, count: rowCount - column.nulls }];
  const counted = await count(planOf(scale, columns), bins + 1).catch(onKind('timed_out', () => null));
  return counted && binsFrom(counted.rows, scale);
}

interface Scale {
  readonly column: ColumnProfile;
  readonly low: number;
  readonly high: number;
  readonly bins: number;
  /** How many whole numbers are in a bin; null: bins have any width. */
  readonly step: number | null;
}

function scalesOf({ columns, values }: TableProfile, most: number): readonly Scale[] {
  const numbers = columns.filter(({ type }) => isNumeric(type));
  const isMeasure = ({ name }: ColumnProfile): boolean => values.includes(name);
  const measuresFirst = numbers.toSorted((one, other) => Number(isMeasure(other)) - Number(isMeasure(one)));
  return measuresFirst.slice(0, MOST_COLUMNS).flatMap((column): readonly Scale[] => {
    const { min: low, max: high, type } = column;
    if (typeof low !== 'number' || typeof high !== 'number') return [];
    if (type !== 'integer' || !Number.isSafeInteger(high - low)) return [{ column, low, high, bins: most, step: null }];
    // Bins with more whole numbers than others would look like peaks.
    const step = Math.ceil((high - low + 1) / most);
    return [{ column, low, high, bins: Math.ceil((high - low + 1) / step), step }];
  });
}

/** The counts of the bins that hold any, by their number from 1. */
function planOf(scale: Scale, columns: readonly ColumnProfile[]): AnalysisPlan {
  const bin = unusedName(columns);
  const column = scale.column.name;
  return {
    kind: 'aggregate',
    derived: [{ name: bin, expression: binOf(scale) }],
    filters: [{ kind: 'null', column, negated: true }],
    measures: [{ aggregate: 'count', column: null, label: 'rows' }],
    dimensions: [{ kind: 'column', column: bin, label: bin }],
    having: [],
    order: [],
    limit: null,
  };
}

function binOf({ column, low, bins, step }: Scale): Expression {
  const of: Expression = { kind: 'column', column: column.name };
  if (step === null) return { kind: 'equal_bins', of, count: bins, equal: 'width' };
  const number = (value: number): Expression => ({ kind: 'number', value });
  const distance: Expression = { kind: 'arithmetic', operator: '-', left: of, right: number(low) };
  const place: Expression = { kind: 'arithmetic', operator: '/', left: distance, right: number(step) };
  const whole: Expression = { kind: 'function', function: 'floor', of: place };
  return { kind: 'arithmetic', operator: '+', left: whole, right: number(1) };
}

function unusedName(columns: readonly ColumnProfile[]): string {
  const used = new Set(columns.map(({ name }) => name.toLowerCase()));
  let name = 'bin';
  while (used.has(name)) name += '_';
  return name;
}

function binsFrom(rows: readonly (readonly unknown[])[], scale: Scale): Bins {
  const counts = new Map(rows.map(([bin, count]) => [Number(bin), Number(count)]));
  return Array.from({ length: scale.bins }, (_, place) => ({
    ...limitsOf(scale, place),
    count: counts.get(place + 1) ?? 0,
  }));
}

function limitsOf({ low, high, bins, step }: Scale, place: number): Omit<Bins[number], 'count'> {
  if (step !== null) {
    const from = low + place * step;
    return { from, to: step === 1 ? from : Math.min(from + step, high) };
  }
  // Divided first: the distance of vast numbers is beyond all numbers.
  const limit = (at: number): number => (at === bins ? high : low * (1 - at / bins) + high * (at / bins));
  return { from: limit(place), to: limit(place + 1) };
}
