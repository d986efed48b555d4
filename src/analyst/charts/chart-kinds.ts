import type { AggregatePlan, Computed, Dimension, Measure } from '../../ports/analysis-plan.js';
import type { ChartKind } from '../../ports/chart-renderer.js';
import { isNumeric, type Cell, type QueryResult } from '../../ports/table.js';

/** Two points are two bars, not a line. */
const LINE_POINTS = 3;
/** More bars than this are a wall, not a picture; of a ranking the drawer shows the first ones and says so. */
const MAX_BARS = 60;
const MAX_RANKED_BARS = 1000;
/** More parts than these nobody compares by their angle. */
const MAX_PIE = 6;
export const MAX_WISHED_PIE = 40;
/** More cells than these are seen as colours, not as bars. */
const MAX_GROUPED = 24;
const FEW_SERIES = 3;
const MAX_STEPS = 40;
/** Figures whose parts make a whole: averages and rates of groups do not. */
const ADDING_UP: readonly (Measure['aggregate'] | Computed['kind'])[] = [
  ...(['count', 'sum', 'count_distinct', 'missing'] as const),
  ...(['share', 'change', 'difference', 'product', 'cumulative', 'cumulative_share'] as const),
];

/** What is about to be drawn: one figure along one dimension, or two. */
export interface Picture {
  readonly plan: AggregatePlan;
  readonly result: QueryResult;
  readonly figure: Measure | Computed;
  readonly x: Dimension;
  readonly series: Dimension | null;
}

/** What a kind has to have, as a sentence. */
export const NEEDS: Readonly<Record<ChartKind, string>> = {
  line: 'A line chart needs a time or numbers from left to right.',
  area: 'An area chart needs a time or numbers from left to right.',
  bar: 'A bar chart needs groups and a number for each.',
  stacked_bar: 'Stacked bars need two groupings.',
  grouped_bar: 'Grouped bars need two groupings.',
  histogram: 'A histogram needs the single values of one column of numbers.',
  scatter: 'A scatter plot needs two columns of numbers.',
  heatmap: 'A heatmap needs two groupings.',
  pie: 'A pie needs groups and a number for each.',
};

/** Why a picture of this kind can't be drawn; `null` where it can. */
export function whyNot(wish: ChartKind, picture: Picture): string | null {
  const isPlain = picture.series === null;
  switch (wish) {
    case 'pie':
      return pieProblem(picture);
    case 'line':
      return isOrdered(picture) ? null : NEEDS.line;
    case 'area':
      if (!isPlain && !addsUp(picture)) return 'Areas on each other need figures that add up, such as totals.';
      return isOrdered(picture) ? null : NEEDS.area;
    case 'scatter':
      return isPlain && isOrdered(picture) ? null : NEEDS.scatter;
    case 'stacked_bar':
      if (isPlain) return NEEDS.stacked_bar;
      if (!addsUp(picture)) return 'Stacked bars need figures that add up, such as totals.';
      return isPositive(picture) ? null : 'Stacked bars can’t show values below zero.';
    case 'grouped_bar':
    case 'heatmap':
      return isPlain ? NEEDS[wish] : null;
    case 'histogram':
      return NEEDS.histogram;
    case 'bar':
      return null;
  }
}

function pieProblem(picture: Picture): string | null {
  if (picture.series !== null) return 'A pie can’t show two groupings at once.';
  if (!addsUp(picture)) return 'A pie needs figures that add up, such as totals.';
  if (numbersOf(picture).some((value) => value < 0)) return 'A pie can’t show values below zero.';
  if (!isPositive(picture)) return 'A pie can’t show values that are all zero.';
  return picture.result.rows.length > MAX_WISHED_PIE ? 'There are too many groups for a pie.' : null;
}

/** The kind of picture that people would draw of it; `null`: none. */
export function naturalKind(picture: Picture): ChartKind | null {
  const points = placesOf(picture, picture.x.label);
  return picture.series === null ? plainKind(picture, points) : seriesKind(picture, points, picture.series);
}

function plainKind(picture: Picture, points: number): ChartKind | null {
  const kind = kindOf(picture);
  if (isDevelopment(picture, points)) {
    // Steps up and down are bars above and below a line.
    const isStep = kind === 'growth' || kind === 'change';
    return isStep && points <= MAX_STEPS ? 'bar' : lineKind(kind);
  }
  if (kind === 'share' && isWhole(picture) && points <= MAX_PIE && isPositive(picture)) return 'pie';
  return points <= MAX_BARS || picture.x.kind !== 'column' ? 'bar' : crowdedKind(picture, points);
}

function crowdedKind(picture: Picture, points: number): ChartKind | null {
  if (isRanked(picture)) return points <= MAX_RANKED_BARS ? 'bar' : null;
  return isOrdered(picture) ? 'line' : null;
}

/** All groups are there. */
function isWhole({ plan, result }: Picture): boolean {
  return plan.limit === null && plan.having.length === 0 && !result.truncated;
}

/** A series is a line of its own where there is a time, and a colour elsewhere. */
function seriesKind(picture: Picture, points: number, series: Dimension): ChartKind | null {
  const kind = kindOf(picture);
  const lines = placesOf(picture, series.label);
  if (isDevelopment(picture, points)) return lineKind(kind);
  if (picture.x.kind === 'part' && series.kind === 'part') return 'heatmap';
  if (points * lines > MAX_GROUPED) return Math.min(points, lines) > 1 ? 'heatmap' : null;
  return kind === 'share' || isManyParts(picture, lines) ? 'stacked_bar' : 'grouped_bar';
}

/** Parts of sums that are too many to stand side by side. */
function isManyParts(picture: Picture, lines: number): boolean {
  return ['sum', 'count'].includes(kindOf(picture)) && lines > FEW_SERIES && isPositive(picture);
}

function lineKind(kind: ReturnType<typeof kindOf>): ChartKind {
  return kind === 'cumulative' || kind === 'cumulative_share' ? 'area' : 'line';
}

function kindOf({ figure }: Picture): Measure['aggregate'] | Computed['kind'] {
  return 'kind' in figure ? figure.kind : figure.aggregate;
}

/** Of the best few there is nothing to follow from one to the next. */
function isDevelopment(picture: Picture, points: number): boolean {
  const isRanking = picture.plan.limit !== null && isRanked(picture);
  return points >= LINE_POINTS && !isRanking && isTimeline(picture.x, picture.result);
}

/** Whether a dimension is time that goes on: not the hours of any day. */
export function isTimeline({ kind, label }: Dimension, result: QueryResult): boolean {
  const type = result.columns.find(({ name }) => name === label)?.type;
  if (kind !== 'column' || type !== 'integer') return kind === 'bucket' || type === 'time';
  return cellsOf(result, label).every((cell) => typeof cell === 'number' && cell > 1500 && cell < 2200);
}

function addsUp(picture: Picture): boolean {
  return ADDING_UP.includes(kindOf(picture));
}

function isPositive(picture: Picture): boolean {
  const values = numbersOf(picture);
  return values.every((value) => value >= 0) && values.some((value) => value > 0);
}

/** From left to right there is a before and after. */
function isOrdered({ x, result }: Picture): boolean {
  const type = result.columns.find(({ name }) => name === x.label)?.type;
  return x.kind !== 'column' || type === 'time' || (type !== undefined && isNumeric(type));
}

function isRanked({ plan, figure }: Picture): boolean {
  return plan.order[0]?.by === figure.label;
}

function numbersOf({ result, figure }: Picture): readonly number[] {
  return cellsOf(result, figure.label).filter((cell) => typeof cell === 'number');
}

function placesOf({ result }: Picture, label: string): number {
  return new Set(cellsOf(result, label)).size;
}

function cellsOf({ columns, rows }: QueryResult, label: string): readonly Cell[] {
  const place = columns.findIndex(({ name }) => name === label);
  return rows.map((row) => row[place] ?? null);
}
