import type { Cell, ColumnType } from '../../ports/table.js';
import type { JsonObject, JsonPrimitive } from '../../shared/json.js';
import { areYears, axisFormat, rangeOf, widestOf } from './chart-text.js';
import { bandsOf, distinct, inNaturalOrder, type ChartRow } from './chart-rows.js';
import { CHART_WIDTH, VALUE_AXIS } from './chart-theme.js';
import { timeAxis } from './chart-times.js';

/** Where the values of a channel stand, and how a cell is written into the chart's data. */
interface PositionAxis {
  readonly encoding: JsonObject;
  readonly valueOf: (cell: Cell) => JsonPrimitive;
}

type Titled = (context?: string) => string;

/** The axis of measured places: times, numbers, or texts in their own order. */
export function positionAxis(rows: readonly ChartRow[], type: ColumnType, title: Titled): PositionAxis {
  const cells = distinct(rows.map((row) => row.x));
  const numbers = cells.filter((cell) => typeof cell === 'number');
  if (numbers.length < cells.length || numbers.length === 0) return textAxis(cells, title());
  return type === 'time' ? utcAxis(numbers, title) : numberAxis(numbers, title());
}

function utcAxis(times: readonly number[], title: Titled): PositionAxis {
  const { min, max } = rangeOf(times);
  const { ticks, format, context } = timeAxis(times);
  const margin = min === max ? 1000 : 0;
  const values = ticks ? { values: ticks.map(isoOf) } : {};
  return {
    encoding: {
      field: 'x',
      type: 'temporal',
      // As texts: the interpreter of expressions takes a single number for a year.
      scale: { type: 'utc', nice: false, domain: [isoOf(min - margin), isoOf(max + margin)] },
      axis: { title: title(context), format, grid: false, labelOverlap: true, ...values },
    },
    valueOf: (cell) => (typeof cell === 'number' ? isoOf(cell) : null),
  };
}

function isoOf(time: number): string {
  return new Date(time).toISOString();
}

function numberAxis(numbers: readonly number[], title: string): PositionAxis {
  const { min, max } = rangeOf(numbers);
  const isYears = areYears(numbers);
  const format = isYears ? 'd' : axisFormat(numbers);
  return {
    encoding: {
      field: 'x',
      type: 'quantitative',
      scale: { zero: false, nice: !isYears, ...(min === max ? { domain: [min - 1, max + 1] } : {}) },
      axis: { title, format, grid: false, labelOverlap: true, tickCount: 8, ...wholeSteps(numbers) },
    },
    valueOf: (cell) => cell,
  };
}

function textAxis(cells: readonly Cell[], title: string): PositionAxis {
  const bands = bandsOf(inNaturalOrder(cells), 'text', Infinity);
  const room = CHART_WIDTH / bands.domain.length;
  const fits = widestOf(bands.domain) + 8 <= room;
  return {
    encoding: {
      field: 'x',
      type: 'ordinal',
      sort: null,
      scale: { domain: [...bands.domain] },
      axis: { title, grid: false, labelAngle: fits ? 0 : -40, labelOverlap: room < 14 },
    },
    valueOf: bands.labelOf,
  };
}

/**
 * The axis of the figures: nice numbers, a light grid, whole steps where the figures are whole. `padding` is room beyond the smallest
 * and the largest figure, in pixels.
 */
export function valueAxis(values: readonly number[], title: string, zero: boolean, padding = 0): JsonObject {
  return {
    field: 'y',
    type: 'quantitative',
    // As round as the ticks, so that the last of them closes the chart.
    scale: { zero, nice: 6, ...(padding > 0 ? { padding } : {}) },
    axis: { ...VALUE_AXIS, title, ...numberLabels(values), ...wholeSteps(values) },
  };
}

/** Zero has no prefix: 0 and 1M, not 0M. */
export function numberLabels(values: readonly number[]): JsonObject {
  const format = axisFormat(values);
  return format === '~s' ? { format, labelExpr: "datum.value === 0 ? '0' : datum.label" } : { format };
}

function wholeSteps(values: readonly number[]): JsonObject {
  return values.every((value) => Number.isInteger(value)) ? { tickMinStep: 1 } : {};
}
