import type { ChartRequest } from '../../ports/chart-renderer.js';
import type { QueryResult } from '../../ports/table.js';
import type { JsonObject } from '../../shared/json.js';
import { barChart } from './bar-chart.js';
import type { ChartDrawing } from './chart-drawing.js';
import { assertFits } from './chart-fit.js';
import { chartRows, type ChartRows } from './chart-rows.js';
import { THEME, titleOf } from './chart-theme.js';
import { heatmapChart } from './heatmap-chart.js';
import { histogramChart } from './histogram-chart.js';
import { lineChart } from './line-chart.js';
import { pieChart } from './pie-chart.js';
import { scatterChart } from './scatter-chart.js';

/**
 * The Vega-Lite specification of a chart, its data inside. The data's fields are always called `x`, `y`, `s`: no text of the
 * request or the result is a field name, an expression or an address in it.
 *
 * @throws AppError `invalid_input` when the request does not fit the result.
 */
export function chartSpecification(request: ChartRequest, result: QueryResult): JsonObject {
  assertFits(request, result);
  const drawing = draw(titled(request, result), chartRows(request, result));
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

function draw(request: ChartRequest, table: ChartRows): ChartDrawing {
  switch (request.kind) {
    case 'line':
    case 'area':
      return lineChart(request, table);
    case 'bar':
    case 'stacked_bar':
    case 'grouped_bar':
      return barChart(request, table);
    case 'histogram':
      return histogramChart(request, table);
    case 'scatter':
      return scatterChart(request, table);
    case 'heatmap':
      return heatmapChart(request, table);
    case 'pie':
      return pieChart(request, table);
  }
}
