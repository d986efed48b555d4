import type { ChartRequest } from '../../ports/chart-renderer.js';
import type { JsonObject } from '../../shared/json.js';
import { type ChartDrawing, MAX_SERIES, PALETTE } from './chart-theme.js';
import { bandsOf, type ChartRows, drawableRows } from './chart-rows.js';

const SIZE = 300;
/** Thinner slices have no room for their share. */
const MIN_LABELLED_SHARE = 0.05;

/** A ring; of more than ten parts the nine largest and the rest together. */
export function pieChart(request: ChartRequest, table: ChartRows): ChartDrawing {
  const { rows, notes } = drawableRows(table.rows, (row) => row.y !== null);
  const cells = rows.map((row) => row.x);
  const { labelOf } = bandsOf(cells, table.xType, 0);
  const slices = largestFirst(rows.map((row) => ({ x: labelOf(row.x), y: row.y ?? 0 })));
  const total = slices.reduce((sum, { y }) => sum + y, 0);
  const values = slices.map(({ x, y }, o) => {
    const share = y / total;
    return { x, y, s: `${x}\u2002${percent(share)}`, o, share, part: percent(share) };
  });
  return {
    values,
    width: SIZE,
    height: SIZE,
    body: { layer: [RING, SHARES], encoding: encodingOf(values.map(({ s }) => s)) },
    notes,
  };
}

interface Slice {
  /** Its label. */
  readonly x: string;
  readonly y: number;
}

function largestFirst(slices: readonly Slice[]): readonly Slice[] {
  const sorted = slices.toSorted((one, other) => other.y - one.y);
  if (sorted.length <= MAX_SERIES) return sorted;
  const rest = sorted.splice(MAX_SERIES - 1);
  return [...sorted, { x: `${rest.length} others`, y: rest.reduce((sum, { y }) => sum + y, 0) }];
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
      condition: { test: `datum.share >= ${MIN_LABELLED_SHARE}`, field: 'part' },
      value: '',
    },
    color: { value: '#ffffff' },
  },
};
