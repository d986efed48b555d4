import type { AnalysisPlan, Computed, Dimension, Measure } from '../../ports/analysis-plan.js';
import type { ChartKind } from '../../ports/chart-renderer.js';
import { isNumeric, type Cell, type QueryResult } from '../../ports/table.js';
import type { ChartWish } from './chart-wish.js';

/** Two points are two bars, not a line. */
const LINE_POINTS = 3;
/** More bars than this are a wall, not a picture; of a ranking the drawer shows the first ones and says so. */
const MAX_BARS = 60;
const MAX_RANKED_BARS = 1000;
/** More parts than these nobody compares by their angle. */
const MAX_PIE = 6;
const MAX_WISHED_PIE = 40;
/** More cells than these are seen as colours, not as bars. */
const MAX_GROUPED = 24;
const FEW_SERIES = 3;
const MAX_STEPS = 40;

/** What is about to be drawn: one figure along one dimension, or two. */
export interface Picture {
  readonly plan: AnalysisPlan & { readonly kind: 'aggregate' };
  readonly result: QueryResult;
  readonly figure: Measure | Computed;
  readonly x: Dimension;
  readonly series: Dimension | null;
}

/** The kind of picture that people would draw of it; `null`: none. */
export function naturalKind(picture: Picture): ChartKind | null {
  const points = placesOf(picture, picture.x.label).size;
  return picture.series === null ? plainKind(picture, points) : seriesKind(picture, points);
}

/** The kind that was asked for, where the data allow it, or the nearest one that they allow. */
export function fitting(wish: ChartWish['kind'], picture: Picture): ChartKind | null {
  if (wish === null || wish === 'none') return null;
  return picture.series === null ? fittingPlain(wish, picture) : fittingSeries(wish, picture);
}

function fittingPlain(wish: ChartKind, picture: Picture): ChartKind | null {
  switch (wish) {
    case 'pie':
      return canBePie(picture, MAX_WISHED_PIE) ? 'pie' : null;
    case 'line':
    case 'area':
    case 'scatter':
      return isOrdered(picture) ? wish : null;
    case 'bar':
    case 'stacked_bar':
    case 'grouped_bar':
    case 'histogram':
      return 'bar';
    case 'heatmap':
      return null;
  }
}

function fittingSeries(wish: ChartKind, picture: Picture): ChartKind | null {
  switch (wish) {
    case 'line':
    case 'area':
      return isOrdered(picture) ? wish : null;
    case 'bar':
      return 'grouped_bar';
    case 'stacked_bar':
    case 'grouped_bar':
    case 'heatmap':
      return wish;
    case 'pie':
    case 'histogram':
    case 'scatter':
      return null;
  }
}

function plainKind(picture: Picture, points: number): ChartKind | null {
  const { x, figure } = picture;
  if (isDevelopment(picture, points)) return lineKind(figure, points);
  if (isKind(figure, 'share') && isWhole(picture) && canBePie(picture, MAX_PIE)) return 'pie';
  return points <= MAX_BARS || x.kind !== 'column' ? 'bar' : crowdedKind(picture, points);
}

function crowdedKind(picture: Picture, points: number): ChartKind | null {
  if (isRanked(picture)) return points <= MAX_RANKED_BARS ? 'bar' : null;
  return isOrdered(picture) ? 'line' : null;
}

function seriesKind(picture: Picture, points: number): ChartKind | null {
  const { series, figure } = picture;
  const lines = series === null ? 0 : placesOf(picture, series.label).size;
  if (isDevelopment(picture, points)) return isCumulative(figure) ? 'area' : 'line';
  if (isProfile(picture)) return 'heatmap';
  if (points * lines > MAX_GROUPED) return Math.min(points, lines) > 1 ? 'heatmap' : null;
  return isStack(picture, lines) ? 'stacked_bar' : 'grouped_bar';
}

/** Hours of weekdays. */
function isProfile({ x, series }: Picture): boolean {
  return x.kind === 'part' && series?.kind === 'part';
}

/** Shares, and parts of sums that are too many to stand side by side. */
function isStack(picture: Picture, lines: number): boolean {
  if (isKind(picture.figure, 'share')) return true;
  return isSum(picture.figure) && lines > FEW_SERIES && isPositive(picture);
}

function isDevelopment(picture: Picture, points: number): boolean {
  return picture.x.kind === 'bucket' && points >= LINE_POINTS && !isRanking(picture);
}

function isKind(figure: Picture['figure'], kind: Computed['kind']): boolean {
  return 'kind' in figure && figure.kind === kind;
}

/** Steps up and down are bars above and below a line. */
function lineKind(figure: Picture['figure'], points: number): ChartKind {
  if (isCumulative(figure)) return 'area';
  const isStep = isKind(figure, 'growth') || isKind(figure, 'change');
  return isStep && points <= MAX_STEPS ? 'bar' : 'line';
}

function isCumulative(figure: Picture['figure']): boolean {
  return isKind(figure, 'cumulative') || isKind(figure, 'cumulative_share');
}

/** Figures whose parts add up. */
function isSum(figure: Picture['figure']): boolean {
  return 'aggregate' in figure && (figure.aggregate === 'sum' || figure.aggregate === 'count');
}

/** All groups are there. */
function isWhole({ plan, result }: Picture): boolean {
  return plan.limit === null && plan.having.length === 0 && !result.truncated;
}

function canBePie(picture: Picture, most: number): boolean {
  return picture.series === null && picture.result.rows.length <= most && isPositive(picture);
}

function isPositive({ result, figure }: Picture): boolean {
  const values = cellsOf(result, figure.label).filter((cell) => typeof cell === 'number');
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

/** The best few: between them there is nothing to follow. */
function isRanking(picture: Picture): boolean {
  return picture.plan.limit !== null && isRanked(picture);
}

function placesOf({ result }: Picture, label: string): ReadonlySet<Cell> {
  return new Set(cellsOf(result, label));
}

function cellsOf({ columns, rows }: QueryResult, label: string): readonly Cell[] {
  const place = columns.findIndex(({ name }) => name === label);
  return rows.map((row) => row[place] ?? null);
}
