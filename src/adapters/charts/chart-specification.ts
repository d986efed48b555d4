import type { ChartKind, ChartRequest } from '../../ports/chart-renderer.js';
import { type ColumnType, isNumeric, type QueryResult } from '../../ports/table.js';
import { AppError } from '../../shared/app-error.js';
import type { JsonObject } from '../../shared/json.js';
import { barChart } from './bar-chart.js';
import { type ChartRow, chartRows, type ChartRows } from './chart-rows.js';
import { cleanText, cutText } from './chart-text.js';
import { CHART_HEIGHT, CHART_WIDTH, type ChartDrawing, THEME, titleOf } from './chart-theme.js';
import { heatmapChart } from './heatmap-chart.js';
import { histogramChart } from './histogram-chart.js';
import { lineChart, scatterChart } from './line-chart.js';
import { pieChart } from './pie-chart.js';

/**
 * The Vega-Lite specification of a chart, its data inside. The data's fields are always called `x`, `y`, `s`: no text of the
 * request or the result is a field name, an expression or an address in it.
 *
 * @throws AppError `invalid_input` when the request does not fit the result.
 */
export function chartSpecification(request: ChartRequest, result: QueryResult): JsonObject {
  assertFits(request, result);
  const drawing = DRAWINGS[request.kind](titled(request, result), chartRows(request, result));
  const notes = [...(request.note === undefined ? [] : [request.note]), ...drawing.notes];
  if (result.truncated) notes.push(`only the first ${result.rows.length.toLocaleString('en-US')} rows of the result`);
  return {
    $schema: 'https://vega.github.io/schema/vega-lite/v6.json',
    title: titleOf(request.title, notes),
    data: { values: drawing.values },
    width: drawing.width ?? CHART_WIDTH,
    height: drawing.height ?? CHART_HEIGHT,
    ...drawing.body,
    config: THEME,
  };
}

function titled(request: ChartRequest, { columns }: QueryResult): ChartRequest {
  const isFraction = columns.some(({ name, isFraction: fraction }) => name === request.y && fraction === true);
  const title = request.yTitle ?? request.y ?? '';
  return isFraction && !title.includes('%') ? { ...request, yTitle: `${title} (%)` } : request;
}

const DRAWINGS: Readonly<Record<ChartKind, (request: ChartRequest, table: ChartRows) => ChartDrawing>> = {
  line: lineChart,
  area: lineChart,
  bar: barChart,
  stacked_bar: barChart,
  grouped_bar: barChart,
  histogram: histogramChart,
  scatter: scatterChart,
  heatmap: heatmapChart,
  pie: pieChart,
};

const MAX_TITLE = 120;

const NAMES: Record<ChartKind, string> = {
  line: 'a line chart',
  area: 'an area chart',
  bar: 'a bar chart',
  stacked_bar: 'a stacked bar chart',
  grouped_bar: 'a grouped bar chart',
  histogram: 'a histogram',
  scatter: 'a scatter chart',
  heatmap: 'a heatmap',
  pie: 'a pie chart',
};

const HAS_NO_SERIES: readonly ChartKind[] = ['histogram', 'pie'];

/** @throws AppError `invalid_input` with a sentence that tells how to ask for a chart that can be drawn. */
export function assertFits(request: ChartRequest, result: QueryResult): void {
  const problem =
    (Array.from(request.title).length > MAX_TITLE ? `the title has more than ${MAX_TITLE} characters` : null) ??
    unknownColumn('x', request.x, result) ??
    unknownColumn('y', request.kind === 'histogram' ? null : request.y, result) ??
    unknownColumn('series', request.series, result) ??
    seriesProblem(request) ??
    typeProblem(request, result) ??
    rowProblem(request, result);
  if (problem !== null) throw new AppError('invalid_input', problem);
}

function unknownColumn(part: string, name: string | null, result: QueryResult): string | null {
  if (name === null || result.columns.some((column) => column.name === name)) return null;
  const names = result.columns.slice(0, 20).map((column) => nameOf(column.name));
  return `${part} is ${nameOf(name)}, which is no column of the result; its columns are ${names.join(', ')}`;
}

function seriesProblem({ kind, x, series }: ChartRequest): string | null {
  const name = NAMES[kind];
  if (series !== null) return HAS_NO_SERIES.includes(kind) && series !== x ? `${name} has no series` : null;
  if (kind === 'heatmap') return 'a heatmap needs a series, the column of its rows';
  const needsOne = kind === 'stacked_bar' || kind === 'grouped_bar';
  return needsOne ? `${name} needs a series; without one use a bar chart` : null;
}

function typeProblem({ kind, x, y }: ChartRequest, { columns }: QueryResult): string | null {
  const problem = (part: string, name: string | null, wanted: string, canBeTime = false): string | null => {
    const column = columns.find((each) => each.name === name);
    if (column && (isNumeric(column.type) || (canBeTime && column.type === 'time'))) return null;
    const found = column ? `${nameOf(column.name)} is ${TYPES[column.type]}` : 'it is missing';
    return `${NAMES[kind]} needs ${wanted} as ${part}, but ${found}`;
  };
  if (kind === 'histogram') return problem('x', x, 'a numeric column');
  const ofScatter = kind === 'scatter' ? problem('x', x, 'a numeric column or a time', true) : null;
  return problem('y', y, 'a numeric column') ?? ofScatter;
}

const TYPES: Record<ColumnType, string> = {
  number: 'a number',
  integer: 'a number',
  boolean: 'true or false',
  time: 'a time',
  text: 'text',
};

function nameOf(name: string): string {
  return `"${cutText(cleanText(name), 60)}"`;
}

function rowProblem(request: ChartRequest, result: QueryResult): string | null {
  const { kind, x, y } = request;
  if (result.rows.length === 0) return 'the result has no rows, so there is nothing to draw';
  const { rows } = chartRows(request, result);
  const drawable = rows.filter((row) => isDrawable(kind, row));
  if (drawable.length === 0) {
    const drawn = y === null || kind === 'histogram' ? nameOf(x) : `both ${nameOf(x)} and ${nameOf(y)}`;
    return `no row has a value in ${drawn}, so there is nothing to draw`;
  }
  if (kind === 'histogram' || kind === 'scatter') return null;
  return (kind === 'pie' ? pieProblem(drawable) : null) ?? repeatProblem(request, drawable);
}

function isDrawable(kind: ChartKind, row: ChartRow): boolean {
  if (kind === 'histogram') return row.x !== null;
  const needsX = kind === 'line' || kind === 'area' || kind === 'scatter';
  return row.y !== null && (!needsX || row.x !== null);
}

function pieProblem(rows: readonly ChartRow[]): string | null {
  if (rows.some((row) => (row.y ?? 0) < 0))
    return 'a pie chart shows parts of a whole and can have no negative value; use a bar chart';
  return rows.every((row) => row.y === 0) ? 'every value is zero, so a pie chart has nothing to share out' : null;
}

/** Two marks in one place would hide each other, or a line run to and fro. */
function repeatProblem(request: ChartRequest, rows: readonly ChartRow[]): string | null {
  const places = new Set(rows.map((row) => JSON.stringify([row.x, row.s])));
  if (places.size === rows.length) return null;
  const place = request.series === null ? nameOf(request.x) : `${nameOf(request.x)} and ${nameOf(request.series)}`;
  const advice = request.series === null && request.kind !== 'pie' ? `, or name a series` : '';
  return `several rows have the same ${place}; aggregate them in the query (group by ${place})${advice}`;
}
