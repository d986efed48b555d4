import type { ChartRequest } from '../../ports/chart-renderer.js';
import type { JsonObject } from '../../shared/json.js';
import { type ChartDrawing, MAX_SERIES, PALETTE } from './chart-theme.js';
import { bandsOf, type ChartRows, drawableRows } from './chart-rows.js';

const SIZE = 300;
/** Thinner slices have no room for their share. */
const MIN_LABELLED_SHARE = 0.05;

interface Slice {
  readonly label: string;
  readonly amount: number;
}

/** A ring; of more than ten parts the nine largest and the rest together. */
export function pieChart(request: ChartRequest, table: ChartRows): ChartDrawing {
  const { rows, notes } = drawableRows(table.rows, (row) => row.y !== null);
  const labels = bandsOf(
    rows.map((row) => row.x),
    table.xType,
    0,
  );
  const slices = largestFirst(rows.map((row) => ({ label: labels.labelOf(row.x), amount: row.y ?? 0 })));
  const total = slices.reduce((sum, slice) => sum + slice.amount, 0);
  const legend = slices.map((slice) => `${slice.label}\u2002${percent(slice.amount / total)}`);
  return {
    values: slices.map((slice, place) => ({
      x: slice.label,
      y: slice.amount,
      s: legend[place] ?? '',
      o: place,
      share: slice.amount / total,
    })),
    width: SIZE,
    height: SIZE,
    body: { layer: [RING, SHARES], encoding: encodingOf(legend) },
    notes,
  };
}

function largestFirst(slices: readonly Slice[]): readonly Slice[] {
  const sorted = [...slices].sort((one, other) => other.amount - one.amount);
  if (sorted.length <= MAX_SERIES) return sorted;
  const rest = sorted.slice(MAX_SERIES - 1);
  const amount = rest.reduce((sum, slice) => sum + slice.amount, 0);
  return [...sorted.slice(0, MAX_SERIES - 1), { label: `${rest.length} others`, amount }];
}

function percent(share: number): string {
  const shown = share * 100;
  return `${shown.toLocaleString('en-US', { maximumFractionDigits: shown < 10 ? 1 : 0 })}%`;
}

function encodingOf(legend: readonly string[]): JsonObject {
  return {
    theta: { field: 'y', type: 'quantitative', stack: 'zero' },
    order: { field: 'o', type: 'quantitative' },
    color: {
      field: 's',
      type: 'nominal',
      sort: null,
      scale: { domain: legend, range: PALETTE.slice(0, legend.length) },
      legend: { title: null, orient: 'right', direction: 'vertical', offset: 32, rowPadding: 9, labelFontSize: 12.5 },
    },
  };
}

const RING: JsonObject = {
  mark: { type: 'arc', innerRadius: SIZE * 0.27, outerRadius: SIZE * 0.5, stroke: '#ffffff', strokeWidth: 2 },
};

const SHARES: JsonObject = {
  mark: { type: 'text', radius: SIZE * 0.385, fontSize: 12, fontWeight: 600 },
  encoding: {
    // A filter would take the thin slices out of the circle, and the labels would stand elsewhere.
    text: {
      condition: {
        test: `datum.share >= ${MIN_LABELLED_SHARE}`,
        field: 'share',
        type: 'quantitative',
        format: '.0%',
      },
      value: '',
    },
    color: { value: '#ffffff' },
  },
};
