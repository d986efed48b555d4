import type { ChartRequest } from '../../ports/chart-renderer.js';
import { positionAxis, valueAxis } from './chart-axes.js';
import type { ChartDrawing } from './chart-drawing.js';
import { leavesZeroOut } from './chart-numbers.js';
import type { ChartRows } from './chart-rows.js';
import { chooseSeries, leftOut } from './chart-series.js';
import { axisTitle, CHART_HEIGHT, CHART_WIDTH, seriesColor } from './chart-theme.js';
import { thinOut } from './chart-thinning.js';

export function scatterChart(request: ChartRequest, table: ChartRows): ChartDrawing {
  const whole = table.rows.filter((row) => row.x !== null && row.y !== null);
  const lost = table.rows.length - whole.length;
  const series = chooseSeries({ ...table, rows: whole }, request.series ?? '');
  const { rows, notes } = thinOut(series.rows);
  const x = positionAxis(rows, table.xType, (context) => axisTitle(request.xTitle, request.x, context));
  const values = rows.map((row) => row.y ?? 0);
  const y = valueAxis(values, axisTitle(request.yTitle, request.y ?? ''), { zero: !leavesZeroOut(values) });
  const hasSeries = request.series !== null;
  return {
    values: rows.map((row) => ({
      x: x.valueOf(row.x),
      y: row.y,
      ...(hasSeries ? { s: series.labelOf(row.s) } : {}),
    })),
    width: CHART_WIDTH,
    height: CHART_HEIGHT + 40,
    body: {
      mark: {
        type: 'point',
        filled: true,

        size: rows.length > 300 ? 22 : 48,
        opacity: opacityFor(rows.length),
      },
      encoding: { x: x.encoding, y, ...(hasSeries ? { color: seriesColor(series.labels) } : {}) },
    },
    notes: [...series.notes, ...notes, ...leftOut(lost, 'without both values')],
  };
}

/** Many points lie on each other: where it is darker there are more. */
function opacityFor(points: number): number {
  if (points > 1000) return 0.4;
  return points > 200 ? 0.55 : 0.8;
}
