import type { ChartRequest } from '../../ports/chart-renderer.js';
import type { ColumnType } from '../../ports/table.js';
import type { JsonObject } from '../../shared/json.js';
import { axisTitle, CHART_WIDTH, type ChartDrawing } from './chart-theme.js';
import { axisFormat, labelFormat, rangeOf, widestOf } from './chart-text.js';
import {
  type Bands,
  bandsOf,
  type ChartRow,
  type ChartRows,
  distinct,
  drawableRows,
  inNaturalOrder,
  type KeptBands,
} from './chart-rows.js';

const MAX_COLUMNS = 60;
const MAX_ROWS = 30;
const ROW_HEIGHT = 30;
const WIDEST_CELL = 90;
/** From this width on a figure has room in its cell. */
const LABEL_ROOM = 40;
const MAX_LABELLED_CELLS = 200;

const ONE_SIDED = ['#edf3fe', '#a9c7f8', '#4f86e6', '#1b4fb0', '#12306b'] as const;
const TWO_SIDED = ['#b4451c', '#f4b183', '#f7f7f7', '#8db4f2', '#1b4fb0'] as const;

export function heatmapChart(request: ChartRequest, table: ChartRows): ChartDrawing {
  const { rows: whole, notes } = drawableRows(table.rows, (row) => row.y !== null);
  const columns = axisOf(whole, 'x', table.xType, MAX_COLUMNS);
  const lines = axisOf(whole, 's', table.seriesType, MAX_ROWS);
  const rows = whole.filter((row) => columns.has(row.x) && lines.has(row.s));
  const width = Math.min(CHART_WIDTH, columns.domain.length * WIDEST_CELL);
  const cell = width / columns.domain.length;
  return {
    values: rows.map((row) => ({ x: columns.labelOf(row.x), s: lines.labelOf(row.s), y: row.y })),
    width,
    height: lines.domain.length * ROW_HEIGHT,
    body: {
      layer: [
        { mark: { type: 'rect', stroke: '#ffffff', strokeWidth: 1.5 }, encoding: { color: colorOf(request, rows) } },
        ...figures(rows, cell),
      ],
      encoding: { x: columnAxis(request, columns, cell), y: lineAxis(request, lines) },
    },
    notes: [...columns.notes, ...lines.notes, ...notes],
  };
}

function axisOf(rows: readonly ChartRow[], field: 'x' | 's', type: ColumnType, limit: number): KeptBands {
  const all = inNaturalOrder(distinct(rows.map((row) => row[field])));
  const kept = all.slice(0, limit);
  const known = new Set(kept);
  const note = `the first ${kept.length} of ${all.length} ${field === 'x' ? 'columns' : 'rows'}`;
  return {
    ...bandsOf(kept, type, limit),
    has: (cell) => known.has(cell),
    notes: kept.length === all.length ? [] : [note],
  };
}

function columnAxis(request: ChartRequest, { domain, times }: Bands, cell: number): JsonObject {
  const label = widestOf(domain) + 8;
  const isLevel = label <= cell || times !== null || domain.every((text) => text.length <= 4);
  const labelled = times ? { values: times.labelled(Math.floor((cell * domain.length) / label)) } : {};
  return {
    field: 'x',
    type: 'ordinal',
    sort: null,
    scale: { domain },
    axis: {
      title: axisTitle(request.xTitle, request.x, times?.context),
      domain: false,
      ticks: false,
      labelAngle: isLevel ? 0 : -40,
      labelOverlap: isLevel,
      ...labelled,
    },
  };
}

function lineAxis(request: ChartRequest, { domain }: Bands): JsonObject {
  return {
    field: 's',
    type: 'ordinal',
    sort: null,
    scale: { domain },
    axis: { title: axisTitle(null, request.series ?? ''), domain: false, ticks: false },
  };
}

/** The figures, and how far they go: on both sides of zero, or on one. */
function spanOf(rows: readonly ChartRow[]) {
  const values = rows.map((row) => row.y ?? 0);
  const { min, max } = rangeOf(values);
  return { values, min, max, isTwoSided: min < 0 && max > 0, reach: Math.max(-min, max) };
}

/** Light to dark; around a light zero where there are values on both sides of it. */
function colorOf(request: ChartRequest, rows: readonly ChartRow[]): JsonObject {
  const { values, min, max, isTwoSided, reach } = spanOf(rows);
  return {
    field: 'y',
    type: 'quantitative',
    scale: isTwoSided
      ? { range: TWO_SIDED, domain: [-reach, 0, reach], interpolate: 'rgb' }
      : { range: ONE_SIDED, domain: min === max ? [min - 1, max + 1] : [min, max], interpolate: 'rgb' },
    legend: {
      title: axisTitle(request.yTitle, request.y ?? ''),
      format: axisFormat(values),
      gradientLength: 220,
      gradientThickness: 11,
    },
  };
}

function figures(rows: readonly ChartRow[], cell: number): readonly JsonObject[] {
  if (cell < LABEL_ROOM || rows.length > MAX_LABELLED_CELLS) return [];
  const { values, min, max, isTwoSided, reach } = spanOf(rows);
  const dark = isTwoSided ? reach * 0.65 : min + (max - min) * 0.42;
  return [
    {
      mark: { type: 'text', fontSize: 11 },
      encoding: {
        text: { field: 'y', type: 'quantitative', format: labelFormat(values) },
        color: {
          condition: { test: isTwoSided ? `abs(datum.y) > ${dark}` : `datum.y > ${dark}`, value: '#ffffff' },
          value: '#1f2937',
        },
      },
    },
  ];
}
