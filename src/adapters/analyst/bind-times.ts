import type { Filter, TimeBucket } from '../../ports/analysis-plan.js';
import type { PieceOf } from './pieces.js';
import type { ColumnFacts } from './column-facts.js';
import type { Workbench } from './workbench.js';

interface Stretch {
  readonly from: string | null;
  readonly to: string | null;
  readonly unit: TimeBucket;
}

/** Turns periods into one condition on the time column; two that are compared become a grouping as well. */
export function bindTimes(bench: Workbench): void {
  const places = bench.places('time');
  if (places.length === 0) return;
  const column = timeColumn(bench, places);
  const pieces = places.flatMap((place) => bench.at(place, 'time') ?? []);
  bench.take(...places);
  for (const { note } of pieces) if (note !== null) bench.note(note);
  addStretch(bench, column, pieces);
  if (pieces.length > 1 && bench.says('compare')) groupByPeriod(bench, column, pieces);
}

function addStretch(bench: Workbench, column: ColumnFacts | null, pieces: readonly PieceOf<'time'>[]): void {
  const [first = null, ...others] = pieces;
  const stretch = others.reduce<Stretch | null>(
    (sum, next) => (sum === null ? null : together(bench, sum, next)),
    first,
  );
  if (stretch === null) {
    bench.problem('I can look at one stretch of time at a time.');
    return;
  }
  const filter = filterOf(bench, column, stretch);
  if (filter !== null) bench.filters.push(filter);
}

/** A time column that was named beside the period, else the table's own. */
function timeColumn(bench: Workbench, places: readonly number[]): ColumnFacts | null {
  for (const place of places) {
    const named = [bench.before(place), bench.after(place)].find((near) => bench.column(near)?.role === 'time');
    const column = bench.column(named ?? null);
    if (named != null && column !== null) {
      bench.take(named);
      return column;
    }
  }
  return bench.facts.time;
}

/** Two stretches that touch or overlap are one; an open start and an open end are its two ends. */
function together(bench: Workbench, a: Stretch, b: Stretch): Stretch | null {
  if (a.to === null && b.from === null) return { ...b, from: a.from };
  if (b.to === null && a.from === null) return { ...a, from: b.from };
  const whole = around(closed(a), closed(b));
  return whole === null || (whole.isApart && !bridgesYears(bench, a, b)) ? null : { ...whole, unit: b.unit };
}

interface Closed {
  readonly from: string;
  readonly to: string;
}

function closed({ from, to }: Stretch): Closed | null {
  return from === null || to === null ? null : { from, to };
}

function around(a: Closed | null, b: Closed | null): (Closed & { readonly isApart: boolean }) | null {
  if (a === null || b === null) return null;
  const isApart = a.to < b.from || b.to < a.from;
  return { from: a.from < b.from ? a.from : b.from, to: a.to > b.to ? a.to : b.to, isApart };
}

/** Years apart can be compared; what lies between them is shown as well. */
function bridgesYears(bench: Workbench, a: Stretch, b: Stretch): boolean {
  if (!bench.says('compare') || a.unit !== 'year' || b.unit !== 'year') return false;
  bench.note('I show the years in between as well.');
  return true;
}

function filterOf(bench: Workbench, column: ColumnFacts | null, stretch: Stretch): Filter | null {
  const years = column === null ? yearFilter(bench, stretch) : null;
  if (years !== null) return years;
  if (column === null) {
    bench.problem('The rows of this table have no time of their own, so I can’t look at a stretch of time.', 'cannot');
    return null;
  }
  if (isOutside(column, stretch)) {
    const [from, to] = [column.profile.min, column.profile.max].map((moment) => String(moment).slice(0, 10));
    bench.problem(
      `The rows cover ${from ?? ''} to ${to ?? ''}, so there is nothing in the time you ask about.`,
      'cannot',
    );
  }
  return { kind: 'time', column: column.name, from: stretch.from, to: stretch.to };
}

function isOutside({ profile }: ColumnFacts, { from, to }: Stretch): boolean {
  const [first, last] = [String(profile.min), String(profile.max)];
  return (to !== null && to <= first) || (from !== null && from > last);
}

/** A table without times may have a year in each row. */
function yearFilter(bench: Workbench, { from, to, unit }: Stretch): Filter | null {
  const year = bench.facts.yearColumn;
  if (year === null || unit !== 'year') return null;
  const low = from === null ? -Infinity : new Date(from).getUTCFullYear();
  const high = to === null ? Infinity : new Date(to).getUTCFullYear() - 1;
  if (low === high) return { kind: 'compare', column: year.name, operator: '=', value: low };
  if (high === Infinity) return { kind: 'compare', column: year.name, operator: '>=', value: low };
  if (low === -Infinity) return { kind: 'compare', column: year.name, operator: '<=', value: high };
  return { kind: 'between', column: year.name, low, high };
}

function groupByPeriod(bench: Workbench, column: ColumnFacts | null, pieces: readonly PieceOf<'time'>[]): void {
  const units = new Set(pieces.map(({ unit }) => unit));
  const [unit] = units;
  if (column === null || unit === undefined || units.size > 1) {
    bench.problem('I can compare periods of one kind only.');
    return;
  }
  bench.dimensions.push({ kind: 'bucket', column: column.name, bucket: unit });
}
