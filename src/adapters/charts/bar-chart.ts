import type { ChartRequest } from '../../ports/chart-renderer.js';
import type { Cell, ColumnType } from '../../ports/table.js';
import type { JsonObject } from '../../shared/json.js';
import { axisTitle, CHART_WIDTH, type ChartDrawing, seriesColor } from './chart-theme.js';
import { valueAxis } from './chart-axes.js';
import { labelFormat, widestOf, widthOfLabel } from './chart-text.js';
import {
  bandsOf,
  type Bands,
  type ChartRow,
  type ChartRows,
  chooseSeries,
  distinct,
  drawableRows,
  inNaturalOrder,
  type KeptBands,
} from './chart-rows.js';

const MAX_VERTICAL_LABELS = 16;
const ROW_HEIGHT = 27;
const GROUPED_BAR_HEIGHT = 12;
const WIDEST_BAR = 84;

type Layout = 'plain' | 'stacked' | 'grouped';

/** Bars stand side by side, or lie below each other where their labels are long or many. */
export function barChart(request: ChartRequest, table: ChartRows): ChartDrawing {
  const layout = layoutOf(request);
  const drawable = drawableRows(table.rows, (row) => row.y !== null);
  const series = chooseSeries({ ...table, rows: drawable.rows }, request.series ?? '');
  const inBand = layout === 'grouped' ? series.labels.length : 1;
  const bands = barBands(series.rows, table.xType, inBand, request.adds);
  const rows = series.rows.filter((row) => bands.has(row.x));
  const hasNegative = rows.some((row) => (row.y ?? 0) < 0);
  const band = bandAxis(bands, axisTitle(request.xTitle, request.x, bands.times?.context), hasNegative);
  // The figure below a negative bar must not reach the labels of the axis.
  const padding = hasNegative && layout === 'plain' ? (bands.isHorizontal ? 46 : 18) : 0;
  const value = valueAxis(amounts(rows, layout), axisTitle(request.yTitle, request.y ?? ''), true, padding);
  const { encoding = {}, ...marks } =
    layout === 'plain' ? labelledBars(rows, bands) : seriesBars(layout, bands, series.labels);
  return {
    values: rows.map((row) => ({
      x: bands.labelOf(row.x),
      y: row.y,
      ...(layout === 'plain' ? {} : series.placeOf(row)),
    })),
    ...sizeOf(bands, inBand),
    body: {
      ...marks,
      encoding: { ...encoding, ...(bands.isHorizontal ? { y: band, x: value } : { x: band, y: value }) },
    },
    notes: [...series.notes, ...bands.notes, ...drawable.notes],
  };
}

function layoutOf(request: ChartRequest): Layout {
  if (request.series === null) return 'plain';
  return request.kind === 'stacked_bar' || request.series === request.x ? 'stacked' : 'grouped';
}

/** What the axis of the values has to reach; stacks reach the sum of their parts. */
function amounts(rows: readonly ChartRow[], layout: Layout): readonly number[] {
  const values = rows.map((row) => row.y ?? 0);
  if (layout !== 'stacked') return values;
  const sums = new Map<ChartRow['x'], number>();
  for (const row of rows) sums.set(row.x, (sums.get(row.x) ?? 0) + Math.abs(row.y ?? 0));
  return [...values, ...sums.values()];
}

function sizeOf(bands: BarBands, series: number): Pick<ChartDrawing, 'width' | 'height'> {
  if (!bands.isHorizontal) return {};
  const row = series > 1 ? series * GROUPED_BAR_HEIGHT + 14 : ROW_HEIGHT;
  return { width: CHART_WIDTH - 80, height: Math.max(90, bands.domain.length * row) };
}

/** The line of the axis stands at zero, where the bars do; with negative ones that is not its edge. */
function bandAxis({ domain, times, isHorizontal }: BarBands, title: string, hasNegative: boolean): JsonObject {
  const mostLabels = Math.floor(CHART_WIDTH / (widestOf(domain) + 14));
  return {
    field: 'x',
    type: 'ordinal',
    sort: null,
    scale: { domain, paddingInner: domain.length > 40 ? 0.15 : 0.28, paddingOuter: 0.2 },
    axis: {
      title: isHorizontal ? null : title,
      domain: !hasNegative,
      ticks: false,
      grid: false,
      labelAngle: 0,
      ...(times ? { values: times.labelled(mostLabels) } : {}),
    },
  };
}

/** What is drawn, and what it says of its marks besides their place. */
type BarMarks = JsonObject & { readonly encoding?: JsonObject };

function seriesBars(layout: Layout, bands: BarBands, labels: readonly string[]): BarMarks {
  const color = seriesColor(labels);
  const offset = { field: 's', sort: null, scale: { domain: labels, paddingInner: 0.08 } };
  const grouped = bands.isHorizontal ? { yOffset: offset } : { xOffset: offset };
  return {
    mark: { type: 'bar', ...(layout === 'stacked' ? widthOf(bands) : {}) },
    encoding: layout === 'grouped' ? { color, ...grouped } : { color, order: { field: 'o', type: 'quantitative' } },
  };
}

/** A few bars would be as wide as doors. */
function widthOf(bands: BarBands): JsonObject {
  if (bands.isHorizontal || (CHART_WIDTH / bands.domain.length) * 0.72 <= WIDEST_BAR) return {};
  return { width: WIDEST_BAR };
}

function labelledBars(rows: readonly ChartRow[], bands: BarBands): BarMarks {
  const bar = { mark: { type: 'bar', cornerRadiusEnd: 3, ...widthOf(bands) } };
  if (!bands.isHorizontal && bands.domain.length > MAX_VERTICAL_LABELS) return bar;
  const format = labelFormat(rows.map((row) => row.y ?? 0));
  return { layer: [bar, valueLabels(bands, format, true), valueLabels(bands, format, false)] };
}

/** The figure at the end of its bar: beyond it, on whichever side of zero that is. */
function valueLabels(bands: BarBands, format: string, isPositive: boolean): JsonObject {
  const away = isPositive ? 1 : -1;
  const position = bands.isHorizontal
    ? { align: isPositive ? 'left' : 'right', baseline: 'middle', dx: 6 * away }
    : { align: 'center', baseline: isPositive ? 'bottom' : 'top', dy: -5 * away };
  return {
    transform: [{ filter: isPositive ? 'datum.y >= 0' : 'datum.y < 0' }],
    mark: { type: 'text', color: '#374151', fontSize: 11.5, ...position },
    encoding: { text: { field: 'y', type: 'quantitative', format } },
  };
}

const MAX_CATEGORIES = 30;
/** Times are many and even, and read well as narrow bars. */
const MAX_TIMES = 100;
/** Bars of all groups together. */
const MAX_GROUPED = 60;
const MAX_SIDE_BY_SIDE = 16;

/** The places of the bars, in their order. */
type BarBands = KeptBands & { readonly isHorizontal: boolean };

function barBands(rows: readonly ChartRow[], type: ColumnType, barsInBand: number, adds = false): BarBands {
  const all = distinct(rows.map((row) => row.x));
  const isTime = type === 'time' && all.every((cell) => typeof cell === 'number');
  const limit = isTime
    ? Math.floor(MAX_TIMES / Math.min(barsInBand, 4))
    : Math.min(MAX_CATEGORIES, Math.max(4, Math.floor(MAX_GROUPED / barsInBand)));
  const kept = isTime ? [...all].sort((one, other) => one - other).slice(-limit) : inOrder(all, rows).slice(0, limit);
  const known = new Set(kept);
  const bands = bandsOf(kept, type, limit);
  const shown = `the ${isTime ? 'last' : 'first'} ${kept.length} of ${all.length.toLocaleString('en-US')}`;
  return {
    ...bands,
    isHorizontal: liesDown(bands),
    has: (cell) => known.has(cell),
    notes: kept.length === all.length ? [] : [shown + (adds ? othersNote(rows, known) : '')],
  };
}

function othersNote(rows: readonly ChartRow[], kept: ReadonlySet<Cell>): string {
  const others = rows.reduce((sum, { x, y }) => (kept.has(x) ? sum : sum + (y ?? 0)), 0);
  return `; the others add up to ${others.toLocaleString('en-US', { maximumSignificantDigits: 6 })}`;
}

/** Whoever sorted the rows by their value wants to see that order; otherwise weekdays and numbers go by their own. */
function inOrder(cells: readonly Cell[], rows: readonly ChartRow[]): readonly Cell[] {
  const steps = rows.slice(1).map((row, index) => (row.y ?? 0) - (rows[index]?.y ?? 0));
  const isRanked = steps.every((step) => step <= 0) || steps.every((step) => step >= 0);
  return isRanked ? cells : inNaturalOrder(cells);
}

/** Labels that are long or many have room below each other alone; times and short numbers stand. */
function liesDown({ domain, times }: Bands): boolean {
  const room = CHART_WIDTH / domain.length;
  const areShortNumbers = domain.every((label) => /^[\d.\u2212]+$/.test(label)) && widestOf(domain) + 8 <= room;
  if (times !== null || areShortNumbers) return false;
  return domain.some((label) => widthOfLabel(label) + 8 > room) || domain.length > MAX_SIDE_BY_SIDE;
}
