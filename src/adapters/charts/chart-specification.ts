import type { ChartKind, ChartRequest } from '../../ports/chart-renderer.js';
import { type ColumnType, isNumeric, type QueryResult, type ResultColumn } from '../../ports/table.js';
import { AppError } from '../../shared/app-error.js';
import type { JsonObject } from '../../shared/json.js';
import { barChart } from './bar-chart.js';
import { type ChartRow, chartRows, type ChartRows } from './chart-rows.js';
import { cleanText, cutText } from './chart-text.js';
import { type ChartDrawing, THEME, titleOf } from './chart-theme.js';
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
  const cut = result.truncated
    ? [`only the first ${result.rows.length.toLocaleString('en-US')} rows of the result`]
    : [];
  return {
    $schema: 'https://vega.github.io/schema/vega-lite/v6.json',
    title: titleOf(request.title, [...(request.note === undefined ? [] : [request.note]), ...drawing.notes, ...cut]),
    data: { values: drawing.values },
    width: drawing.width,
    height: drawing.height,
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

const NEEDS_SERIES: readonly ChartKind[] = ['stacked_bar', 'grouped_bar', 'heatmap'];
const HAS_NO_SERIES: readonly ChartKind[] = ['histogram', 'pie'];

/** @throws AppError `invalid_input` with a sentence that tells how to ask for a chart that can be drawn. */
export function assertFits(request: ChartRequest, result: QueryResult): void {
  const problem = titleProblem(request) ?? columnProblem(request, result) ?? rowProblem(request, result);
  if (problem !== null) throw new AppError('invalid_input', problem);
}

function titleProblem(request: ChartRequest): string | null {
  return Array.from(request.title).length > MAX_TITLE ? `the title has more than ${MAX_TITLE} characters` : null;
}

function columnProblem(request: ChartRequest, result: QueryResult): string | null {
  const { kind } = request;
  return (
    unknownColumn('x', request.x, result) ??
    (kind === 'histogram' ? null : unknownColumn('y', request.y, result)) ??
    unknownColumn('series', request.series, result) ??
    seriesProblem(request) ??
    typeProblem(request, result)
  );
}

function unknownColumn(part: string, name: string | null, result: QueryResult): string | null {
  if (name === null || result.columns.some((column) => column.name === name)) return null;
  const names = result.columns.slice(0, 20).map((column) => nameOf(column.name));
  return `${part} is ${nameOf(name)}, which is no column of the result; its columns are ${names.join(', ')}`;
}

function seriesProblem(request: ChartRequest): string | null {
  const name = NAMES[request.kind];
  if (request.series === null) {
    if (request.kind === 'heatmap') return 'a heatmap needs a series, the column of its rows';
    return NEEDS_SERIES.includes(request.kind) ? `${name} needs a series; without one use a bar chart` : null;
  }
  return HAS_NO_SERIES.includes(request.kind) && request.series !== request.x ? `${name} has no series` : null;
}

function typeProblem(request: ChartRequest, result: QueryResult): string | null {
  const [x, y] = [columnOf(request.x, result), columnOf(request.y, result)];
  const name = NAMES[request.kind];
  if (request.kind === 'histogram') return numericProblem(name, 'x', x);
  return numericProblem(name, 'y', y) ?? (request.kind === 'scatter' ? measureProblem(name, x) : null);
}

function numericProblem(chart: string, part: string, column: ResultColumn | null): string | null {
  return column && isNumeric(column.type) ? null : wrongType(chart, part, column, 'a numeric column');
}

function measureProblem(chart: string, column: ResultColumn | null): string | null {
  const isMeasured = column !== null && (isNumeric(column.type) || column.type === 'time');
  return isMeasured ? null : wrongType(chart, 'x', column, 'a numeric column or a time');
}

const TYPES: Record<ColumnType, string> = {
  number: 'a number',
  integer: 'a number',
  boolean: 'true or false',
  time: 'a time',
  text: 'text',
};

function wrongType(chart: string, part: string, column: ResultColumn | null, wanted: string): string {
  const found = column ? `${nameOf(column.name)} is ${TYPES[column.type]}` : 'it is missing';
  return `${chart} needs ${wanted} as ${part}, but ${found}`;
}

function columnOf(name: string | null, result: QueryResult): ResultColumn | null {
  return result.columns.find((column) => column.name === name) ?? null;
}

function nameOf(name: string): string {
  return `"${cutText(cleanText(name), 60)}"`;
}

function rowProblem(request: ChartRequest, result: QueryResult): string | null {
  if (result.rows.length === 0) return 'the result has no rows, so there is nothing to draw';
  const { rows } = chartRows(request, result);
  const drawable = rows.filter((row) => isDrawable(request.kind, row));
  if (drawable.length === 0) return `no row has a value in ${drawnColumns(request)}, so there is nothing to draw`;
  if (request.kind === 'pie') return pieProblem(drawable) ?? repeatProblem(request, drawable);
  return request.kind === 'histogram' || request.kind === 'scatter' ? null : repeatProblem(request, drawable);
}

function isDrawable(kind: ChartKind, row: ChartRow): boolean {
  if (kind === 'histogram') return row.x !== null;
  const needsX = kind === 'line' || kind === 'area' || kind === 'scatter';
  return row.y !== null && (!needsX || row.x !== null);
}

function drawnColumns(request: ChartRequest): string {
  return request.y === null || request.kind === 'histogram'
    ? nameOf(request.x)
    : `both ${nameOf(request.x)} and ${nameOf(request.y)}`;
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
