import type { Cell, ColumnType } from '../../ports/table.js';
import { bandsOf, type Bands, type ChartRow, distinct, inNaturalOrder } from './chart-rows.js';
import { widestOf, widthOfLabel } from './chart-text.js';
import { CHART_WIDTH } from './chart-theme.js';

const MAX_CATEGORIES = 30;
/** Times are many and even, and read well as narrow bars. */
const MAX_TIMES = 100;
/** Bars of all groups together. */
const MAX_GROUPED = 60;
const MAX_SIDE_BY_SIDE = 16;

/** The places of the bars, in their order. */
export interface BarBands {
  readonly isHorizontal: boolean;
  readonly domain: readonly string[];
  /** Those that get a label, when there is not room for all. */
  readonly labelled: readonly string[] | null;
  readonly context: string;
  readonly labelOf: (cell: Cell) => string;
  readonly has: (cell: Cell) => boolean;
  readonly notes: readonly string[];
}

export function barBands(rows: readonly ChartRow[], type: ColumnType, barsInBand: number, adds = false): BarBands {
  const all = distinct(rows.map((row) => row.x));
  const isTime = type === 'time' && all.every((cell) => typeof cell === 'number');
  const limit = isTime ? Math.floor(MAX_TIMES / Math.min(barsInBand, 4)) : categoryLimit(barsInBand);
  const kept = isTime ? latest(all, limit) : inOrder(all, rows).slice(0, limit);
  const known = new Set(kept);
  const bands = bandsOf(kept, type, limit);
  return {
    ...layoutOf(bands),
    labelOf: bands.labelOf,
    has: (cell) => known.has(cell),
    notes: kept.length === all.length ? [] : [cutNote(rows, { kept: known, all: all.length, isTime, adds })],
  };
}

interface Cut {
  readonly kept: ReadonlySet<Cell>;
  readonly all: number;
  readonly isTime: boolean;
  readonly adds: boolean;
}

/** `the first 30 of 1,000; the others add up to 12,345` */
function cutNote(rows: readonly ChartRow[], { kept, all, isTime, adds }: Cut): string {
  const shown = `the ${isTime ? 'last' : 'first'} ${kept.size} of ${all.toLocaleString('en-US')}`;
  if (!adds) return shown;
  const others = rows.reduce((sum, { x, y }) => (kept.has(x) ? sum : sum + (y ?? 0)), 0);
  return `${shown}; the others add up to ${others.toLocaleString('en-US', { maximumSignificantDigits: 6 })}`;
}

function categoryLimit(barsInBand: number): number {
  return Math.min(MAX_CATEGORIES, Math.max(4, Math.floor(MAX_GROUPED / barsInBand)));
}

function latest(cells: readonly Cell[], limit: number): readonly Cell[] {
  return [...cells].sort((one, other) => Number(one) - Number(other)).slice(-limit);
}

/** Whoever sorted the rows by their value wants to see that order; otherwise weekdays and numbers go by their own. */
function inOrder(cells: readonly Cell[], rows: readonly ChartRow[]): readonly Cell[] {
  const steps = rows.slice(1).map((row, index) => (row.y ?? 0) - (rows[index]?.y ?? 0));
  const isRanked = steps.every((step) => step <= 0) || steps.every((step) => step >= 0);
  return isRanked ? cells : inNaturalOrder(cells);
}

function layoutOf(bands: Bands): Pick<BarBands, 'isHorizontal' | 'domain' | 'labelled' | 'context'> {
  const { domain, times } = bands;
  const room = CHART_WIDTH / domain.length;
  if (times) {
    const maxLabels = Math.floor(CHART_WIDTH / (widestOf(domain) + 14));
    return { isHorizontal: false, domain, labelled: times.labelled(maxLabels), context: times.context };
  }
  const isHorizontal = domain.some((label) => widthOfLabel(label) + 8 > room) || domain.length > MAX_SIDE_BY_SIDE;
  const areNumbers = domain.every((label) => /^[\d.\u2212]+$/.test(label));
  return {
    isHorizontal: isHorizontal && !(areNumbers && widestOf(domain) + 8 <= room),
    domain,
    labelled: null,
    context: '',
  };
}
