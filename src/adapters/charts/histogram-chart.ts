import { AppError } from '../../shared/app-error.js';
import type { ChartRequest } from '../../ports/chart-renderer.js';
import { numberLabels, valueAxis } from './chart-axes.js';
import { axisTitle, type ChartDrawing } from './chart-theme.js';
import { areYears, niceStep, rangeOf } from './chart-text.js';
import { type ChartRows, drawableRows } from './chart-rows.js';

const MAX_BINS = 40;

export interface Bin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

export function histogramChart(request: ChartRequest, table: ChartRows): ChartDrawing {
  const { rows, notes } = drawableRows(table.rows, (row) => typeof row.x === 'number');
  const numbers = rows.map((row) => Number(row.x));
  const bins = binsOf(numbers);
  const edges = bins.flatMap((bin) => [bin.from, bin.to]);
  const counts = bins.map((bin) => bin.count);
  return {
    values: bins.map((bin) => ({ x: bin.from, x2: bin.to, y: bin.count })),
    body: {
      // Bars between two fields are drawn without a width; rectangles are not.
      mark: { type: 'rect', stroke: '#ffffff', strokeWidth: 1 },
      encoding: {
        x: {
          field: 'x',
          type: 'quantitative',
          scale: { zero: false, nice: false, domain: domainOf(bins) },
          axis: {
            title: axisTitle(request.xTitle, request.x),
            grid: false,
            ...(areYears(edges) ? { format: 'd' } : numberLabels(edges)),
            labelOverlap: true,
            ...(table.xType === 'integer' ? { tickMinStep: 1 } : {}),
          },
        },
        x2: { field: 'x2' },
        y: valueAxis(counts, axisTitle(request.yTitle, 'Number of rows'), true),
        y2: { datum: 0 },
      },
    },
    notes,
  };
}

/** One or two bins would be as wide as the chart. */
function domainOf(bins: readonly Bin[]): readonly [number, number] {
  const [first, last] = [bins[0], bins.at(-1)];
  if (!first || !last) return [0, 1];
  const margin = bins.length < 4 ? (first.to - first.from) * 3 : 0;
  return [rounded(first.from - margin), rounded(last.to + margin)];
}

/** Bins of one round width, the empty ones too; how wide follows from the spread of the middle half. */
export function binsOf(numbers: readonly number[]): readonly Bin[] {
  const { min, max } = rangeOf(numbers);
  if (!Number.isFinite(max - min)) throw new AppError('invalid_input', 'the numbers are too far apart to be drawn');
  const areWhole = numbers.every((number) => Number.isInteger(number));
  // Narrower bins than numbers can be told apart would have no edges.
  const step = Math.max(stepOf(numbers, areWhole), Math.max(Math.abs(min), Math.abs(max)) * 1e-12, 1e-300);
  // A bin for each whole number has that number in its middle.
  const start = areWhole && step === 1 ? min - 0.5 : Math.floor(min / step) * step;
  // The largest value belongs to the last bin, not to one of its own that begins there.
  const count = Math.max(1, Math.ceil((max - start) / step - 1e-9));
  const counts = new Array<number>(count).fill(0);
  for (const number of numbers) {
    const place = Math.min(count - 1, Math.floor((number - start) / step + 1e-9));
    counts[place] = (counts[place] ?? 0) + 1;
  }
  return counts.map((each, place) => ({
    from: rounded(start + place * step),
    to: rounded(start + (place + 1) * step),
    count: each,
  }));
}

function stepOf(numbers: readonly number[], areWhole: boolean): number {
  const { min, max } = rangeOf(numbers);
  if (min === max) return areWhole ? 1 : niceStep(Math.abs(min) / 100);
  const sorted = [...numbers].sort((one, other) => one - other);
  const quantile = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
  const spread = (2 * (quantile(0.75) - quantile(0.25))) / Math.cbrt(numbers.length);
  const step = niceStep(Math.min((max - min) / 8, Math.max(spread, (max - min) / MAX_BINS)));
  return areWhole ? Math.max(1, step) : step;
}

/** Without the dust that multiplying leaves behind (0.30000000000000004). */
function rounded(edge: number): number {
  return Number(edge.toPrecision(12));
}
