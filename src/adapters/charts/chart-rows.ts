import type { ChartRequest } from '../../ports/chart-renderer.js';
import { isNumeric, type Cell, type ColumnType, type QueryResult, type ResultColumn } from '../../ports/table.js';
import { distinctLabels, labelOf } from './chart-text.js';
import { timeBands, type TimeBands } from './chart-times.js';

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
  const xColumn = isMeasured(request) ? measured(result.columns[x]) : result.columns[x];
  const seriesColumn = result.columns[s];
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

/** Figures are measured along both axes, so that an hour stays a number. */
function isMeasured({ kind }: ChartRequest): boolean {
  return kind === 'histogram' || kind === 'scatter';
}

function measured(column: ResultColumn | undefined): ResultColumn | undefined {
  return column === undefined ? undefined : { name: column.name, type: column.type };
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
  ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'],
  [
    'january',
    'february',
    'march',
    'april',
    'may',
    'june',
    'july',
    'august',
    'september',
    'october',
    'november',
    'december',
  ],
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
