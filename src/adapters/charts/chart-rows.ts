import type { ChartRequest } from '../../ports/chart-renderer.js';
import type { Cell, ColumnType, QueryResult } from '../../ports/table.js';
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
  const xType = result.columns[x]?.type ?? 'text';
  const seriesType = result.columns[s]?.type ?? 'text';
  const rows = result.rows.map((row) => ({
    x: cellOf(row[x] ?? null, xType),
    y: numberOf(row[y] ?? null),
    s: s < 0 ? null : cellOf(row[s] ?? null, seriesType),
  }));
  return { rows, xType, seriesType };
}

function numberOf(cell: Cell): number | null {
  return typeof cell === 'number' && Number.isFinite(cell) ? cell : null;
}

function cellOf(cell: Cell, type: ColumnType): Cell {
  if (type === 'time') return timeOf(cell);
  return type === 'number' || type === 'integer' ? numberOf(cell) : cell;
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

/** Weekdays and months by the calendar, numbers by size; everything else as it came. */
export function inNaturalOrder(cells: readonly Cell[]): readonly Cell[] {
  if (cells.every((cell) => typeof cell === 'number')) return [...cells].sort((one, other) => one - other);
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
