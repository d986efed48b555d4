import type { ChartRequest } from '../../ports/chart-renderer.js';
import type { JsonObject } from '../../shared/json.js';
import { barBands, type BarBands } from './bar-bands.js';
import { axisTitle, CHART_HEIGHT, CHART_WIDTH, type ChartDrawing, seriesColor } from './chart-theme.js';
import { valueAxis } from './chart-axes.js';
import { labelFormat } from './chart-text.js';
import { type ChartRow, type ChartRows, chooseSeries, withoutGaps } from './chart-rows.js';

const MAX_VERTICAL_LABELS = 16;
const ROW_HEIGHT = 27;
const GROUPED_BAR_HEIGHT = 12;
const WIDEST_BAR = 84;

type Layout = 'plain' | 'stacked' | 'grouped';

/** Bars stand side by side, or lie below each other where their labels are long or many. */
export function barChart(request: ChartRequest, table: ChartRows): ChartDrawing {
  const layout = layoutOf(request);
  const drawable = withoutGaps(table.rows);
  const series = chooseSeries({ ...table, rows: drawable.rows }, request.series ?? '');
  const inBand = layout === 'grouped' ? series.labels.length : 1;
  const bands = barBands(series.rows, table.xType, inBand, request.adds);
  const rows = series.rows.filter((row) => bands.has(row.x));
  const title = axisTitle(request.xTitle, request.x);
  const hasNegative = rows.some((row) => (row.y ?? 0) < 0);
  const values = valueAxis(amounts(rows, layout), axisTitle(request.yTitle, request.y ?? ''), {
    zero: true,
    padding: hasNegative && layout === 'plain' ? roomForLabels(bands) : 0,
  });
  const marks = layout === 'plain' ? labelledBars(rows, bands) : seriesBars(layout, bands, series.labels);
  return {
    values: rows.map((row) => ({
      x: bands.labelOf(row.x),
      y: row.y,
      ...(layout === 'plain' ? {} : { s: series.labelOf(row.s), o: series.labels.indexOf(series.labelOf(row.s)) }),
    })),
    ...sizeOf(bands, layout === 'grouped' ? series.labels.length : 1),
    body: {
      ...marks,
      encoding: {
        ...encodingOf(marks),
        ...placed(
          bands,
          bandAxis(
            bands,
            title,
            rows.some((row) => (row.y ?? 0) < 0),
          ),
          values,
        ),
      },
    },
    notes: [...series.notes, ...bands.notes, ...drawable.notes],
  };
}

/** The figure below a negative bar must not reach the labels of the axis. */
function roomForLabels(bands: BarBands): number {
  return bands.isHorizontal ? 46 : 18;
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
  if (!bands.isHorizontal) return { width: CHART_WIDTH, height: CHART_HEIGHT };
  const row = series > 1 ? series * GROUPED_BAR_HEIGHT + 14 : ROW_HEIGHT;
  return { width: CHART_WIDTH - 80, height: Math.max(90, bands.domain.length * row) };
}

/** The line of the axis stands at zero, where the bars do; with negative ones that is not its edge. */
function bandAxis(bands: BarBands, title: string, hasNegative: boolean): JsonObject {
  return {
    field: 'x',
    type: 'ordinal',
    sort: null,
    scale: { domain: bands.domain, paddingInner: bands.domain.length > 40 ? 0.15 : 0.28, paddingOuter: 0.2 },
    axis: {
      title: bands.isHorizontal ? null : bands.context === '' ? title : `${title} (${bands.context})`,
      domain: !hasNegative,
      ticks: false,
      grid: false,
      labelAngle: 0,
      ...(bands.labelled ? { values: bands.labelled } : {}),
    },
  };
}

function placed(bands: BarBands, band: JsonObject, value: JsonObject): JsonObject {
  return bands.isHorizontal ? { y: band, x: value } : { x: band, y: value };
}

function encodingOf(marks: JsonObject): JsonObject {
  const { encoding } = marks;
  return typeof encoding === 'object' && encoding !== null && !Array.isArray(encoding) ? (encoding as JsonObject) : {};
}

function seriesBars(layout: Layout, bands: BarBands, labels: readonly string[]): JsonObject {
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

function labelledBars(rows: readonly ChartRow[], bands: BarBands): JsonObject {
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
