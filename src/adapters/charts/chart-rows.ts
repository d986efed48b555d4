import type { ChartRequest } from '../../ports/chart-renderer.js';
import { type Cell, type ColumnType, isNumeric, type QueryResult, type ResultColumn } from '../../ports/table.js';
import type { JsonObject } from '../../shared/json.js';
import { distinctLabels, labelOf } from './chart-text.js';
import { MAX_SERIES } from './chart-theme.js';
import { type TimeBands, timeBands } from './chart-times.js';

/** One row of the result, reduced to what is drawn; times are milliseconds. */
export interface ChartRow {
  readonly x: Cell;
  readonly y: number | null;
  readonly s: Cell;
}

export interface ChartRows {
  readonly rows: readonly ChartRow[];
  readonly xType: ColumnType;
  readonly seriesType: ColumnType;
}

/** Copies the columns that the request names, so that no name of the result gets any further. */
export function chartRows(request: ChartRequest, result: QueryResult): ChartRows {
  const index = (name: string | null): number => result.columns.findIndex((column) => column.name === name);
  const [x, y, s] = [index(request.x), index(request.y), index(request.series)];
  // Figures are measured along both axes, so that an hour stays a number.
  const isMeasured = request.kind === 'histogram' || request.kind === 'scatter';
  const [found, seriesColumn] = [result.columns[x], result.columns[s]];
  const xColumn = found && isMeasured ? { name: found.name, type: found.type } : found;
  const rows = result.rows.map((row) => ({
    x: cellOf(row[x] ?? null, xColumn),
    y: inPercent(numberOf(row[y] ?? null), result.columns[y]),
    s: s < 0 ? null : cellOf(row[s] ?? null, seriesColumn),
  }));
  return { rows, xType: typeOf(xColumn), seriesType: typeOf(seriesColumn) };
}

/** Fractions are drawn as percent, which the title of their axis says. */
function inPercent(value: number | null, column: ResultColumn | undefined): number | null {
  return value === null || column?.isFraction !== true ? value : Number((value * 100).toPrecision(12));
}

function typeOf(column: ResultColumn | undefined): ColumnType {
  return column?.part === undefined ? (column?.type ?? 'text') : 'text';
}

function numberOf(cell: Cell): number | null {
  return typeof cell === 'number' && Number.isFinite(cell) ? cell : null;
}

function cellOf(cell: Cell, column: ResultColumn | undefined): Cell {
  if (column === undefined) return cell;
  if (column.type === 'time') return timeOf(cell);
  if (column.part !== undefined && typeof cell === 'number') return partName(column.part, cell);
  return isNumeric(column.type) ? numberOf(cell) : cell;
}

function timeOf(cell: Cell): number | null {
  const time = typeof cell === 'string' ? Date.parse(cell) : Number.NaN;
  return Number.isNaN(time) ? null : time;
}

/** Categories along an axis: how each cell is labelled, and all labels in the order in which they stand. */
export interface Bands {
  readonly labelOf: (cell: Cell) => string;
  readonly domain: readonly string[];
  /** Set for times, whose labels can be thinned out. */
  readonly times: TimeBands | null;
}

/** Those that have a place, of more that there are. */
export interface KeptBands extends Bands {
  readonly has: (cell: Cell) => boolean;
  readonly notes: readonly string[];
}

export function bandsOf(cells: readonly Cell[], type: ColumnType, maxBands: number): Bands {
  const numbers = cells.filter((cell) => typeof cell === 'number');
  if (type === 'time' && numbers.length === cells.length && numbers.length > 0) {
    const times = timeBands(numbers, maxBands);
    return { labelOf: (cell) => times.labelOf(Number(cell)), domain: times.domain, times };
  }
  const labels = distinctLabels(cells);
  return { labelOf: (cell) => labels.get(cell) ?? labelOf(cell), domain: [...labels.values()], times: null };
}

const CLOCK = /^\d\d:00$/;
const CALENDAR: readonly (readonly string[])[] = [
  'monday tuesday wednesday thursday friday saturday sunday'.split(' '),
  'january february march april may june july august september october november december'.split(' '),
];

/** `Mon`, `Jan`, `09:00`; a number that is no such part stays one. */
function partName(part: NonNullable<ResultColumn['part']>, value: number): string {
  if (part === 'hour') return `${String(value).padStart(2, '0')}:00`;
  const name = CALENDAR[part === 'weekday' ? 0 : 1]?.[value - 1]?.slice(0, 3);
  return name === undefined ? String(value) : name.charAt(0).toUpperCase() + name.slice(1);
}

/** Weekdays and months by the calendar, hours of the day by the clock, numbers by size; everything else as it came. */
export function inNaturalOrder(cells: readonly Cell[]): readonly Cell[] {
  if (cells.every((cell) => typeof cell === 'number')) return [...cells].sort((one, other) => one - other);
  if (cells.every((cell) => typeof cell === 'string' && CLOCK.test(cell))) return [...cells].sort();
  const names = CALENDAR.find((known) => cells.every((cell) => placeIn(known, cell) >= 0));
  return names ? [...cells].sort((one, other) => placeIn(names, one) - placeIn(names, other)) : cells;
}

function placeIn(names: readonly string[], cell: Cell): number {
  if (typeof cell !== 'string') return -1;
  const wanted = cell.trim().toLowerCase();
  return names.findIndex((name) => name === wanted || name.slice(0, 3) === wanted);
}

export function distinct(cells: readonly Cell[]): readonly Cell[] {
  return [...new Set(cells)];
}

export interface SeriesChoice {
  readonly rows: readonly ChartRow[];
  readonly labelOf: (cell: Cell) => string;
  /** A row's label, and the place of its series. */
  readonly placeOf: (row: ChartRow) => JsonObject;
  readonly labels: readonly string[];
  readonly notes: readonly string[];
}

/** At most ten series; of more, the nine largest, and a note that says so. */
export function chooseSeries(table: ChartRows, name: string): SeriesChoice {
  const all = distinct(table.rows.map((row) => row.s));
  const kept = all.length <= MAX_SERIES ? all : largest(table.rows, all);
  const rows = kept.length === all.length ? table.rows : table.rows.filter((row) => kept.includes(row.s));
  const bands = bandsOf(kept, table.seriesType, Infinity);
  const labels = kept.map(bands.labelOf);
  const placeOf = ({ s }: ChartRow): JsonObject => ({ s: bands.labelOf(s), o: labels.indexOf(bands.labelOf(s)) });
  const notes = kept.length === all.length ? [] : [`the ${kept.length} largest of ${all.length} ${labelOf(name)}`];
  return { rows, labelOf: bands.labelOf, placeOf, labels, notes };
}

function largest(rows: readonly ChartRow[], series: readonly Cell[]): readonly Cell[] {
  const totals = new Map<Cell, number>();
  for (const row of rows) totals.set(row.s, (totals.get(row.s) ?? 0) + Math.abs(row.y ?? 0));
  const size = (cell: Cell): number => totals.get(cell) ?? 0;
  const ranked = [...series].sort((one, other) => size(other) - size(one)).slice(0, MAX_SERIES - 1);
  return series.filter((cell) => ranked.includes(cell));
}

/** Rows to draw, and what a reader has to know of the others. */
type NotedRows = Pick<SeriesChoice, 'rows' | 'notes'>;

/** Rows that can be drawn, and a note about those that can't. */
export function drawableRows(
  all: readonly ChartRow[],
  isDrawable: (row: ChartRow) => boolean,
  lacking = 'a value',
): NotedRows {
  const rows = all.filter(isDrawable);
  const lost = all.length - rows.length;
  const note = `${lost.toLocaleString('en-US')} ${lost === 1 ? 'row' : 'rows'} without ${lacking} left out`;
  return { rows, notes: lost === 0 ? [] : [note] };
}

/** A page can show no more. */
export const MAX_POINTS = 2000;

/** At most 2,000 rows, evenly chosen from each series, with its first and its last. */
export function thinOut(rows: readonly ChartRow[]): NotedRows {
  if (rows.length <= MAX_POINTS) return { rows, notes: [] };
  const kept = [...bySeries(rows).values()].flatMap((series) =>
    evenly(series, Math.max(2, Math.floor((series.length / rows.length) * MAX_POINTS))),
  );
  const [shown, all] = [kept.length.toLocaleString('en-US'), rows.length.toLocaleString('en-US')];
  return { rows: kept, notes: [`${shown} of ${all} points, evenly chosen`] };
}

export function bySeries(rows: readonly ChartRow[]): ReadonlyMap<Cell, readonly ChartRow[]> {
  const series = new Map<Cell, ChartRow[]>();
  for (const row of rows) {
    const known = series.get(row.s);
    if (known) known.push(row);
    else series.set(row.s, [row]);
  }
  return series;
}

function evenly(rows: readonly ChartRow[], count: number): readonly ChartRow[] {
  if (rows.length <= count) return rows;
  // Texts keep the order in which they came.
  const place = ({ x }: ChartRow): number => (typeof x === 'number' ? x : 0);
  const sorted = [...rows].sort((one, other) => place(one) - place(other));
  const places = Array.from({ length: count }, (_, index) => Math.round((index * (sorted.length - 1)) / (count - 1)));
  return places.map((at) => sorted[at]).filter((row) => row !== undefined);
}
