import type { MeasureDraft } from '../../analyst/reading/draft.js';
import type { Operator, PieceOf } from './pieces.js';
import { columnsHinted, extremeOf } from './table-facts.js';
import type { ColumnFacts } from './column-facts.js';
import { columnsMeasuredIn, convert } from './units.js';
import type { Workbench } from './workbench.js';
import { stem } from './text.js';

/** Binds comparisons to the column they speak of. What can't be bound stays free and is complained about at the end. */
export function bindComparisons(bench: Workbench): void {
  let last: ColumnFacts | null = null;
  for (const place of bench.places('operator')) last = bindComparison(bench, place, last) ?? last;
}

interface Comparison {
  readonly sign: PieceOf<'operator'>;
  readonly operator: Operator;
  readonly numbers: readonly PieceOf<'number'>[];
  /** What stands before it: the column it speaks of, if any. */
  readonly subject: number | null;
  /** The place of its last number. */
  readonly end: number;
  readonly taken: readonly number[];
}

function bindComparison(bench: Workbench, place: number, last: ColumnFacts | null): ColumnFacts | null {
  const comparison = comparisonAt(bench, place);
  if (comparison === null || bindHaving(bench, comparison)) return null;
  const column = compared(bench, comparison, last);
  if (column === null) return null;
  bench.take(...comparison.taken, ...column.taken);
  addFilter(bench, column.facts, comparison.operator, comparison.numbers);
  return column.facts;
}

function comparisonAt(bench: Workbench, place: number): Comparison | null {
  const sign = bench.at(place, 'operator');
  if (sign === null) return null;
  const found = numbersAfter(bench, place, sign.operator === 'between' ? 2 : 1);
  const negation = bench.previous(place, 'negation');
  const operator = negation === null ? sign.operator : INVERTED[sign.operator];
  if (found === null || operator === null) return null;
  const start = negation ?? place;
  const end = found.places.at(-1) ?? place;
  const taken = [start, place, ...found.places];
  return { sign, operator, numbers: found.values, subject: bench.before(start), end, taken };
}

interface Numbers {
  readonly places: readonly number[];
  readonly values: readonly PieceOf<'number'>[];
}

function numbersAfter(bench: Workbench, place: number, wanted: number): Numbers | null {
  const places: number[] = [];
  const values: PieceOf<'number'>[] = [];
  let at = bench.after(place);
  while (values.length < wanted && at !== null) {
    const number = bench.at(at, 'number');
    const joins = bench.at(at, 'join') !== null && values.length === 1;
    if (number === null && !joins) return null;
    if (number !== null) values.push(number);
    places.push(at);
    at = bench.after(at);
  }
  return values.length === wanted ? { places, values } : null;
}

const INVERTED: Readonly<Record<Operator, Operator | null>> = {
  '<': '>=',
  '<=': '>',
  '>': '<=',
  '>=': '<',
  '=': '!=',
  '!=': '=',
  between: null,
};

/** Conditions on groups: `more than 10 orders`, `average salary above 50000`. */
function bindHaving(bench: Workbench, { subject, operator, numbers, end, taken }: Comparison): boolean {
  const [number] = numbers;
  if (number === undefined || operator === 'between') return false;
  const site = countedSite(bench, subject, end) ?? aggregatedSite(bench, subject);
  if (site === null) return false;
  bench.take(...taken, ...site.taken);
  bench.measures.push(site.measure);
  bench.having.push({ measure: bench.measures.length - 1, operator, value: number.value });
  return true;
}

interface HavingSite {
  readonly measure: MeasureDraft;
  readonly taken: readonly number[];
}

function countedSite(bench: Workbench, subject: number | null, end: number): HavingSite | null {
  const rows = bench.next(end, 'rows');
  if (rows === null || !bench.isCategory(subject)) return null;
  return { measure: { aggregate: 'count', column: null }, taken: [rows] };
}

function aggregatedSite(bench: Workbench, subject: number | null): HavingSite | null {
  const place = bench.previous(subject, 'aggregate');
  const aggregate = bench.at(place, 'aggregate');
  const column = bench.column(subject);
  if (aggregate === null || place === null || subject === null || column?.role !== 'figure') return null;
  return { measure: { aggregate: aggregate.aggregate, column: column.name }, taken: [place, subject] };
}

interface Compared {
  readonly facts: ColumnFacts;
  readonly taken: readonly (number | null)[];
}

/** The column before, the one after the number, the one compared before (`and below 90`), or the only one in that unit. */
function compared(bench: Workbench, comparison: Comparison, last: ColumnFacts | null): Compared | null {
  const { sign, subject, end } = comparison;
  const measured = measuredIn(bench, unitOf(comparison));
  // `longer than 3 km` is of what is measured so, whatever else may be long.
  if (sign.hints !== null) return measured ?? hinted(bench, sign, subject);
  return (
    figureAt(bench, subject) ??
    figureAt(bench, bench.after(end)) ??
    (bench.at(subject, 'join') === null ? null : continued(last, subject)) ??
    measured
  );
}

function unitOf({ numbers: [number] }: Comparison): string | null {
  return number?.unit ?? null;
}

function continued(last: ColumnFacts | null, join: number | null): Compared | null {
  return last === null ? null : { facts: last, taken: [join] };
}

function figureAt(bench: Workbench, place: number | null): Compared | null {
  const column = bench.column(place);
  return column?.role === 'figure' && place !== null ? { facts: column, taken: [place] } : null;
}

/** `older than`: the column that the adjective speaks of, which may be named as well. */
function hinted(bench: Workbench, { hints }: PieceOf<'operator'>, subject: number | null): Compared | null {
  const found = hints === null ? null : columnsHinted(bench.facts, hints);
  const named = bench.column(subject);
  if (named !== null && subject !== null && found?.columns.includes(named) === true)
    return { facts: named, taken: [subject] };
  const column = found === null ? null : extremeOf(found.columns, found.hint.direction);
  return column === null ? null : { facts: column, taken: [] };
}

/** `above 35 degrees` without a column: the only one that is measured so. */
function measuredIn(bench: Workbench, unit: string | null): Compared | null {
  if (unit === null) return null;
  const words = columnsMeasuredIn(unit).map(stem);
  const fitting = bench.facts.columns.filter(
    (column) => column.role === 'figure' && (column.unit === unit || column.stems.some((word) => words.includes(word))),
  );
  const [only] = fitting;
  return fitting.length === 1 && only !== undefined ? { facts: only, taken: [] } : null;
}

function addFilter(
  bench: Workbench,
  column: ColumnFacts,
  operator: Operator,
  numbers: readonly PieceOf<'number'>[],
): void {
  const [low, high = low] = numbers.map(({ value, unit }) => convert(value, unit, column.unit));
  if (low == null || high == null) {
    bench.problem(`${column.name} is not measured in what you compare it with.`);
    return;
  }
  bench.filters.push(
    operator === 'between'
      ? { kind: 'between', column: column.name, low: Math.min(low, high), high: Math.max(low, high) }
      : { kind: 'compare', column: column.name, operator, value: low },
  );
}

/** `8 cylinders` is a condition when rows are counted or listed. */
export function bindEqualNumbers(bench: Workbench): void {
  if (!bench.says('count') && !bench.says('rows') && !bench.says('list')) return;
  for (const place of bench.places('number')) {
    const number = bench.at(place, 'number');
    const near = [bench.after(place), bench.before(place)].find((one) => bench.isFigure(one)) ?? null;
    const column = bench.column(near);
    if (number === null || column === null) continue;
    bench.take(place, near);
    addFilter(bench, column, '=', [number]);
  }
}
