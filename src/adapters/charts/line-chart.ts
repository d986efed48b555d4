import type { ChartRequest } from '../../ports/chart-renderer.js';
import type { ColumnType } from '../../ports/table.js';
import type { TimeBucket } from '../../ports/analysis-plan.js';
import type { JsonObject } from '../../shared/json.js';
import { positionAxis, valueAxis } from './chart-axes.js';
import {
  bySeries,
  type ChartRow,
  type ChartRows,
  chooseSeries,
  distinct,
  drawableRows,
  MAX_POINTS,
  thinOut,
} from './chart-rows.js';
import { leavesZeroOut } from './chart-text.js';
import { everyStep } from './chart-times.js';
import { axisTitle, CHART_HEIGHT, type ChartDrawing, seriesColor } from './chart-theme.js';

/** Up to here each value of a line gets a dot. */
const MAX_DOTS = 31;

const STROKE_SYMBOL: JsonObject = { symbolType: 'stroke', symbolStrokeWidth: 3, symbolSize: 260 };

export function lineChart(request: ChartRequest, table: ChartRows): ChartDrawing {
  const placed = drawableRows(table.rows, (row) => row.x !== null, axisTitle(null, request.x));
  const series = chooseSeries({ ...table, rows: placed.rows }, request.series ?? '');
  const thinned = thinOut(series.rows);
  const hasSeries = request.series !== null;
  // Areas on top of each other hide nothing, unless some reach below zero.
  const isStacked = request.kind === 'area' && hasSeries && thinned.rows.every((row) => (row.y ?? 0) >= 0);
  const steps = stepsOf(request, thinned.rows);
  const rows = isStacked || steps.length > 0 ? withZeros(thinned.rows, steps) : brokenAtGaps(thinned.rows, table.xType);
  const x = positionAxis(rows, table.xType, (context) => axisTitle(request.xTitle, request.x, context));
  return {
    values: rows.map((row) => ({ x: x.valueOf(row.x), y: row.y, ...(hasSeries ? series.placeOf(row) : {}) })),
    body: {
      mark: request.kind === 'line' ? lineMark(rows) : areaMark(hasSeries, isStacked),
      encoding: {
        x: x.encoding,
        y: yEncoding(request, rows, isStacked),
        ...(hasSeries ? { color: seriesColor(series.labels, request.kind === 'line' ? STROKE_SYMBOL : {}) } : {}),
        ...(isStacked ? { order: { field: 'o', type: 'quantitative' } } : {}),
      },
    },
    notes: [...series.notes, ...thinned.notes, ...placed.notes],
  };
}

/** A line ends where times are missing, and begins anew after them: between, a row without a value. */
function brokenAtGaps(rows: readonly ChartRow[], type: ColumnType): readonly ChartRow[] {
  if (type !== 'time') return rows;
  const gap = gapOf(rows);
  return [...bySeries(rows).values()].flatMap((series) => {
    const sorted = [...series].sort((one, other) => Number(one.x) - Number(other.x));
    return sorted.flatMap((row, index) => {
      const [from, to] = [Number(row.x), Number(sorted[index + 1]?.x)];
      return to - from > gap ? [row, { ...row, x: from + (to - from) / 2, y: null }] : [row];
    });
  });
}

/** Times that are further apart have a gap between them. Longer steps that come again and again, as at weekends, are none. */
function gapOf(rows: readonly ChartRow[]): number {
  const times = [...new Set(rows.map(({ x }) => Number(x)))].sort((one, other) => one - other);
  const steps = times.slice(1).map((time, index) => time - (times[index] ?? time));
  const usual = medianOf(steps) * 1.5;
  const longer = steps.filter((step) => step > usual);
  return longer.length <= 1 || longer.length < steps.length / 10 ? usual : medianOf(longer) * 5;
}

function medianOf(numbers: readonly number[]): number {
  return numbers.toSorted((one, other) => one - other)[Math.floor((numbers.length - 1) / 2)] ?? Infinity;
}

function lineMark(rows: readonly ChartRow[]): JsonObject {
  const places = new Set(rows.map((row) => row.x)).size;
  const point = places <= MAX_DOTS ? { point: { filled: true, size: 42 } } : {};
  return { type: 'line', strokeWidth: places > 400 ? 1.4 : 2.2, strokeJoin: 'round', ...point };
}

function areaMark(hasSeries: boolean, isStacked: boolean): JsonObject {
  if (isStacked) return { type: 'area', opacity: 0.85, line: { strokeWidth: 1 } };
  return { type: 'area', opacity: hasSeries ? 0.3 : 0.22, line: { strokeWidth: 2.2 } };
}

function yEncoding(request: ChartRequest, rows: readonly ChartRow[], isStacked: boolean): JsonObject {
  const values = rows.map((row) => row.y).filter((value) => value !== null);
  const title = axisTitle(request.yTitle, request.y ?? '');
  if (request.kind !== 'area') return valueAxis(values, title, !leavesZeroOut(values));
  return { ...valueAxis(values, title, true), stack: isStacked ? 'zero' : null };
}

/** All steps of time where rows are counted, unless they are too many to be drawn. Weekdays and hours that never have rows are left out. */
function stepsOf({ countsBy }: ChartRequest, rows: readonly ChartRow[]): readonly number[] {
  if (countsBy === undefined) return [];
  const times = rows.map(({ x }) => x).filter((x) => typeof x === 'number');
  const turns = new Set(times.map((time) => turnOf(time, countsBy)));
  const steps = everyStep(times, countsBy, MAX_POINTS / bySeries(rows).size);
  return steps.filter((step) => turns.has(turnOf(step, countsBy)));
}

/** What comes again: the weekday of a day, also the hour of what is shorter. */
function turnOf(time: number, step: TimeBucket): number {
  if (step !== 'day' && step !== 'hour' && step !== 'minute') return 0;
  const date = new Date(time);
  return date.getUTCDay() * 24 + (step === 'day' ? 0 : date.getUTCHours());
}

/** Stacked areas need a value of each series at each place, and counts at each step: one that isn't there adds nothing. */
function withZeros(rows: readonly ChartRow[], steps: readonly number[]): readonly ChartRow[] {
  const known = new Map(rows.map((row) => [JSON.stringify([row.x, row.s]), row.y ?? 0]));
  const places = distinct([...steps, ...rows.map((row) => row.x)]);
  const series = distinct(rows.map((row) => row.s));
  return places.flatMap((x) => series.map((s) => ({ x, s, y: known.get(JSON.stringify([x, s])) ?? 0 })));
}

export function scatterChart(request: ChartRequest, table: ChartRows): ChartDrawing {
  const whole = drawableRows(table.rows, (row) => row.x !== null && row.y !== null, 'both values');
  const series = chooseSeries({ ...table, rows: whole.rows }, request.series ?? '');
  const { rows, notes } = thinOut(series.rows);
  const x = positionAxis(rows, table.xType, (context) => axisTitle(request.xTitle, request.x, context));
  const values = rows.map((row) => row.y ?? 0);
  const y = valueAxis(values, axisTitle(request.yTitle, request.y ?? ''), !leavesZeroOut(values));
  // Many points lie on each other: where it is darker there are more.
  const opacity = rows.length > 1000 ? 0.4 : rows.length > 200 ? 0.55 : 0.8;
  const hasSeries = request.series !== null;
  return {
    values: rows.map((row) => ({ x: x.valueOf(row.x), y: row.y, ...(hasSeries ? { s: series.labelOf(row.s) } : {}) })),
    height: CHART_HEIGHT + 40,
    body: {
      mark: { type: 'point', filled: true, size: rows.length > 300 ? 22 : 48, opacity },
      encoding: { x: x.encoding, y, ...(hasSeries ? { color: seriesColor(series.labels) } : {}) },
    },
    notes: [...series.notes, ...notes, ...whole.notes],
  };
}
