import type { Aggregate } from '../../ports/analysis-plan.js';
import type { ColumnFacts } from './column-facts.js';
import type { Workbench } from './workbench.js';
import { VERB_HINTS } from './verbs.js';

/** A sum where a sum means something, else the average; said as an assumption. */
export function defaultAggregate(bench: Workbench, column: ColumnFacts): Aggregate {
  bench.note(
    column.additive
      ? `I added up ${column.name}, because it is something to add up.`
      : `I took the average of ${column.name}, because it is not something to add up.`,
  );
  return column.additive ? 'sum' : 'avg';
}

/** Takes all aggregates that are left. */
export function takeAggregates(bench: Workbench): readonly Aggregate[] {
  const places = bench.places('aggregate');
  const found = places.flatMap((place) => bench.at(place, 'aggregate')?.aggregate ?? []);
  bench.take(...places);
  return found;
}

/** The one that was named; of `highest total` the total. */
export function chosenAggregate(named: readonly Aggregate[]): Aggregate | null {
  return named[0] ?? null;
}

/** Gives each figure its aggregates: those before it, those of the figure it is joined to, those after it, or a default. */
export function bindFigures(bench: Workbench): void {
  let carried: readonly Aggregate[] = [];
  let pending: readonly Aggregate[] = [];
  for (const place of bench.places('aggregate', 'column')) {
    const aggregate = bench.at(place, 'aggregate');
    if (aggregate !== null) {
      bench.take(place);
      pending = [...pending, aggregate.aggregate];
    } else if (bench.isFigure(place)) {
      carried = pending.length > 0 ? pending : bench.previous(place, 'join') === null ? [] : carried;
      pending = [];
      addMeasures(bench, place, carried);
    }
  }
  if (pending.length > 0) bindTrailing(bench, pending);
}

function addMeasures(bench: Workbench, place: number, named: readonly Aggregate[]): void {
  const piece = bench.at(place, 'column');
  if (piece === null) return;
  bench.take(place);
  const { column, implied } = piece;
  const said = named.length > 0 || implied === null ? named : [implied];
  const aggregates = said.length > 0 ? said : [trailingOrDefault(bench, column)];
  for (const aggregate of aggregates) addMeasure(bench, aggregate, column.name);
}

function addMeasure(bench: Workbench, aggregate: Aggregate, column: string | null): void {
  const known = bench.measures.some((one) => one.aggregate === aggregate && one.column === column);
  if (!known) bench.measures.push({ aggregate, column });
}

/** `temp_max average`: what follows the only figure belongs to it. */
function trailingOrDefault(bench: Workbench, column: ColumnFacts): Aggregate {
  const [place = null, another] = bench.places('aggregate');
  const trailing = bench.at(place, 'aggregate');
  if (trailing === null || another !== undefined || bench.figures().length > 0) return defaultAggregate(bench, column);
  bench.take(place);
  return trailing.aggregate;
}

function bindTrailing(bench: Workbench, pending: readonly Aggregate[]): void {
  // `total number of orders`: the sum of a count is the count.
  if (pending.every((aggregate) => aggregate === 'sum') && bench.has('count', 'rows')) return;
  const [only, another] = bench.measures;
  if (only === undefined) {
    orphan(bench, pending);
    return;
  }
  if (another !== undefined || only.column === null) return;
  for (const aggregate of pending) addMeasure(bench, aggregate, only.column);
}

/** An aggregate of a time column is its first or last moment; of nothing it is a question that lacks its half. */
function orphan(bench: Workbench, pending: readonly Aggregate[]): void {
  const place = bench.places('column').find((one) => bench.column(one)?.role === 'time');
  const column = bench.column(place ?? null);
  if (
    column !== null &&
    place !== undefined &&
    pending.every((aggregate) => aggregate === 'min' || aggregate === 'max')
  ) {
    bench.take(place);
    for (const aggregate of pending) addMeasure(bench, aggregate, column.name);
    return;
  }
  const text = textWorkedOut(bench);
  if (text !== null) bench.problem(`I can't work out such a figure of ${text.name}: its cells are texts.`, 'cannot');
  bench.orphans.push(...pending);
}

const OF_TEXTS: readonly Aggregate[] = ['count', 'count_distinct', 'mode', 'missing'];
const LOOSE: readonly Aggregate[] = ['min', 'max', 'sum'];

/** Of texts there is no average. Their highest may be the last by the alphabet, and their total how many there are, but for texts like numbers. */
function textWorkedOut(bench: Workbench): ColumnFacts | null {
  const place = bench.places('column').find((one) => {
    const before = bench.items[one - 1];
    return before?.kind === 'aggregate' && !canBeOf(before.aggregate, bench.column(one));
  });
  return bench.column(place ?? null);
}

function canBeOf(aggregate: Aggregate, column: ColumnFacts | null): boolean {
  if (column?.role !== 'category' || OF_TEXTS.includes(aggregate)) return true;
  return LOOSE.includes(aggregate) && !holdsNumbers(column);
}

function holdsNumbers({ profile }: ColumnFacts): boolean {
  return profile.topValues.length > 0 && profile.topValues.every(({ value }) => /^[+-]?[\d.,]+$/.test(value));
}

/** `how many …`: rows, different values of a column, days, or the sum of what is counted already. */
export function bindCounts(bench: Workbench): void {
  for (const place of bench.places('count')) {
    const before = bench.at(bench.before(place), 'aggregate');
    if (before !== null && before.aggregate !== 'sum') {
      bench.problem('I can count, but not take the average or an extreme of counts.', 'cannot');
    }
    bench.take(place);
    if (bench.measures.length === 0) bindCount(bench, place);
  }
}

function bindCount(bench: Workbench, place: number): void {
  const distinct = bench.places('distinct');
  bench.take(...distinct);
  const next = bench.after(place);
  const isNamed = bench.isCategory(next) || (bench.column(next) !== null && distinct.length > 0);
  if (isNamed && next !== null) countDifferent(bench, next);
  else countRows(bench, place, next);
}

function countRows(bench: Workbench, place: number, next: number | null): void {
  const summed = bench.figures().find((one) => bench.column(one)?.additive === true && !bench.isGrouped(one));
  if (summed !== undefined) sumOf(bench, summed);
  else if (bench.next(place, 'bucket') !== null) countTime(bench, next);
  else {
    bench.take(...bench.places('rows'));
    addMeasure(bench, 'count', null);
  }
}

/** Different values of the column here and of those joined to it. What was sold of them is another question: how much. */
function countDifferent(bench: Workbench, first: number): void {
  const figures = bench.figures().filter((one) => !bench.isGrouped(one));
  const sold = figures.find((one) => VERB_HINTS.has(bench.items[one]?.text.toLowerCase() ?? ''));
  if (sold !== undefined && bench.column(sold)?.additive === true) {
    bench.take(first);
    sumOf(bench, sold);
    return;
  }
  if (figures.length > 0) bench.problem('I can count different values, or add up a figure, but not both at once.');
  for (let at: number | null = first; at !== null; at = joinedCategory(bench, at)) {
    addMeasure(bench, 'count_distinct', bench.column(at)?.name ?? null);
    bench.take(at);
  }
  bench.take(...bench.places('rows'));
}

/** The category after an `and`. */
function joinedCategory(bench: Workbench, at: number): number | null {
  const join = bench.next(at, 'join');
  const next = join === null ? null : bench.after(join);
  return bench.isCategory(next) ? next : null;
}

function sumOf(bench: Workbench, place: number): void {
  const column = bench.column(place);
  if (column === null) return;
  bench.take(place, ...bench.places('rows'));
  bench.note(`I added up ${column.name}, which counts them.`);
  addMeasure(bench, 'sum', column.name);
}

/** Days can be counted where each row is of a day; longer spans can't. */
function countTime(bench: Workbench, place: number | null): void {
  const { time, daily } = bench.facts;
  if (bench.at(place, 'bucket')?.bucket !== 'day' || !daily || time === null) {
    bench.problem('I can count rows and different values, but not spans of time.', 'cannot');
    return;
  }
  bench.take(place, ...bench.places('rows'));
  if (hasRowPerDay(bench, time)) {
    addMeasure(bench, 'count', null);
    return;
  }
  bench.note('I counted different days; a day counts when any of its rows fits.');
  addMeasure(bench, 'count_distinct', time.name);
}

/** One asset alone, or a table of only one, has a row a day. */
function hasRowPerDay(bench: Workbench, time: ColumnFacts): boolean {
  const { meta, profile } = bench.facts;
  const single = bench.filters.some(
    (filter) => filter.kind === 'in' && filter.column === meta?.name && !filter.negated && filter.values.length === 1,
  );
  return single || time.profile.distinct >= profile.rowCount;
}
