import type { TimeBucket } from '../../ports/analysis-plan.js';
import { bucketFor } from './calendar.js';
import type { DimensionDraft } from '../../analyst/reading/draft.js';
import type { PieceOf } from './pieces.js';
import type { ColumnFacts } from './column-facts.js';
import { stem } from './text.js';
import type { Workbench } from './workbench.js';

/** A number with more different values than this is no group. */
const MOST_GROUPS = 60;

const NO_TIME = 'The rows of this table have no time of their own, so I can’t group them by time.';

/** Takes what stands under `by`, `per` and `each`. A figure there is left: it ranks. */
export function bindGroups(bench: Workbench, ranks: boolean): void {
  for (const place of bench.places('group')) {
    const named = bench.after(place);
    if (named === null) continue;
    if (leavesMeasure(bench, named, ranks)) bench.take(place);
    else if (bench.at(named, 'rows') !== null) bindPerRow(bench, place, named);
    else bindGroup(bench, place, named);
  }
}

function leavesMeasure(bench: Workbench, named: number, ranks: boolean): boolean {
  const kind = bench.items[named]?.kind;
  return kind === 'aggregate' || kind === 'count' || (ranks && (kind === 'rows' || bench.isFigure(named)));
}

/** `average revenue per order`: each row is one, so it is the plain figure. */
function bindPerRow(bench: Workbench, place: number, named: number): void {
  if (!bench.has('aggregate') || bench.has('count')) return;
  bench.take(place, named);
  bench.note('I took each row as one of what you ask “per”.');
}

function bindGroup(bench: Workbench, group: number, named: number): void {
  const isPer = /per/i.test(bench.items[group]?.text ?? '');
  for (let at: number | null = named; at !== null; at = nextInRow(bench, at)) {
    // `revenue per quantity` is a ratio, which a grouping is not.
    const isRatio = isPer && bench.column(at)?.additive === true;
    const dimension = isRatio ? null : dimensionAt(bench, at);
    if (dimension === null) return;
    bench.take(group, at);
    addDimension(bench, dimension);
  }
}

/** What is joined to the group just taken, if it can be one. */
function nextInRow(bench: Workbench, at: number): number | null {
  const join = bench.next(at, 'join');
  const next = join === null ? null : bench.after(join);
  if (!bench.canGroup(next)) return null;
  bench.take(join);
  return next;
}

export function addDimension(bench: Workbench, dimension: DimensionDraft): void {
  const known = bench.dimensions.some((one) => JSON.stringify(one) === JSON.stringify(dimension));
  if (!known) bench.dimensions.push(dimension);
}

/** What the piece here groups by; `null` when it can't. */
export function dimensionAt(bench: Workbench, place: number): DimensionDraft | null {
  const piece = bench.items[place];
  if (piece?.kind === 'column') return columnDimension(bench, piece.column);
  return piece?.kind === 'bucket' || piece?.kind === 'part' ? timeDimension(bench, piece) : null;
}

function timeDimension(bench: Workbench, piece: PieceOf<'bucket' | 'part'>): DimensionDraft | null {
  const { time } = bench.facts;
  if (time === null) return yearDimension(bench, piece.kind === 'bucket' ? piece.bucket : null);
  return piece.kind === 'bucket'
    ? { kind: 'bucket', column: time.name, bucket: piece.bucket }
    : { kind: 'part', column: time.name, part: piece.part };
}

function yearDimension(bench: Workbench, bucket: TimeBucket | null): DimensionDraft | null {
  const year = bench.facts.yearColumn;
  if (year !== null && bucket === 'year') return { kind: 'column', column: year.name };
  bench.problem(NO_TIME, 'cannot');
  return null;
}

function columnDimension(bench: Workbench, column: ColumnFacts): DimensionDraft | null {
  if (column.role === 'time') {
    const dates = String(column.profile.min).includes('T00:00:00') && column.stems.includes(stem('date'));
    return { kind: 'bucket', column: column.name, bucket: dates ? 'day' : autoBucket(bench, column) };
  }
  const few = column.profile.type === 'integer' && column.profile.distinct <= MOST_GROUPS;
  return column.role === 'figure' && !few ? null : { kind: 'column', column: column.name };
}

/** A bucket that fits the stretch of time that is asked about. */
export function autoBucket(bench: Workbench, column: ColumnFacts): TimeBucket {
  const asked = bench.filters.find((filter) => filter.kind === 'time' && filter.column === column.name);
  const [from, to] = asked?.kind === 'time' ? [asked.from, asked.to] : [null, null];
  const [first, last] = [Date.parse(String(column.profile.min)), Date.parse(String(column.profile.max))];
  return bucketFor({
    from: from === null ? first : Math.max(Date.parse(from), first),
    to: to === null ? last : Math.min(Date.parse(to), last),
  });
}

/** `monthly`, `over time`, `plot`. */
export function bindTrend(bench: Workbench): void {
  for (const place of bench.places('bucket')) {
    if (bench.at(place, 'bucket')?.noun === false) bindAdverb(bench, place);
  }
  const place = bench.first('trend');
  if (place === null) return;
  const drawn = bench.at(place, 'trend')?.drawn === true;
  bench.take(...bench.places('trend'));
  const isGrouped = bench.dimensions.some(({ kind }) => drawn || kind !== 'column');
  if (!isGrouped) groupOverTime(bench, drawn);
}

function groupOverTime(bench: Workbench, drawn: boolean): void {
  const { time } = bench.facts;
  if (time !== null) bench.dimensions.unshift({ kind: 'bucket', column: time.name, bucket: autoBucket(bench, time) });
  else if (!drawn) bench.problem(NO_TIME, 'cannot');
}

function bindAdverb(bench: Workbench, place: number): void {
  if (averagesSums(bench, place)) {
    if (bench.facts.daily && bench.at(place, 'bucket')?.bucket === 'day') {
      bench.note('Each row is of one day, so I took the average of the rows.');
      bench.take(place);
      return;
    }
    const text = bench.items[place]?.text ?? '';
    bench.problem(`An average of ${text} sums is more than I can work out in one step.`, 'cannot');
  }
  const dimension = dimensionAt(bench, place);
  if (dimension === null) return;
  bench.take(place);
  bench.dimensions.unshift(dimension);
}

/** `average daily revenue`. */
function averagesSums(bench: Workbench, place: number): boolean {
  const before = bench.at(bench.before(place), 'aggregate');
  const after = bench.column(bench.after(place));
  return before?.aggregate === 'avg' && after?.additive === true;
}

/** Groups what is compared: two values of a column, two periods, or all values of a column. */
export function bindCompare(bench: Workbench): void {
  const places = bench.places('compare');
  if (places.length === 0) return;
  bench.take(...places);
  const several = bench.severalValues();
  if (several !== null) addDimension(bench, { kind: 'column', column: several });
  if (bench.dimensions.length === 0) compareCategory(bench);
  const isComplete = bench.dimensions.length > 0 || bench.figures().length > 1 || bench.has('group', 'bucket', 'part');
  if (!isComplete) bench.problem('I need two values of one column, or two periods, to compare.');
}

function compareCategory(bench: Workbench): void {
  const [place] = bench.categories();
  const column = bench.column(place ?? null);
  if (place === undefined || column === null) return;
  bench.take(place);
  bench.dimensions.push({ kind: 'column', column: column.name });
}
