import type { AnalysisPlan, Computed, Dimension, Measure, StatisticPlan } from '../../ports/analysis-plan.js';
import type { ChartKind } from '../../ports/chart-renderer.js';
import { isNumeric, type QueryResult } from '../../ports/table.js';
import { cutTitle, titleOf, type ChartCall } from './chart-call.js';
import type { ChartWish } from './chart-wish.js';
import { fitting, naturalKind, type Picture } from './chart-kinds.js';
import { computedWords, measureWords } from './measure-words.js';
import { pictureWords } from './plan-words.js';

type Aggregation = AnalysisPlan & { readonly kind: 'aggregate' };
type Listing = AnalysisPlan & { readonly kind: 'rows' };
type Figure = Measure | Computed;

const NO_WISH: ChartWish = { kind: null, distribution: false };

/** The picture that suits the result and the question; `null` when words say it all. */
export function chartFor(plan: AnalysisPlan, result: QueryResult, wish: ChartWish = NO_WISH): ChartCall | null {
  if (wish.kind === 'none' || result.rows.length < 2) return null;
  switch (plan.kind) {
    case 'rows':
      return rowsChart(plan, result, wish);
    case 'statistic':
      return plan.method === 'correlation_matrix' ? matrixChart(plan, result) : null;
    case 'aggregate':
      return groupsChart(plan, result, wish);
  }
}

function groupsChart(plan: Aggregation, result: QueryResult, wish: ChartWish): ChartCall | null {
  const figure = drawnFigure(plan);
  const axes = axesOf(plan);
  if (figure === null || axes === null) return null;
  if (!isDrawable(figure.label, result) || !hasColumns(axes, result)) return null;
  const picture: Picture = { plan, result, figure, ...axes };
  const kind = fitting(wish.kind, picture) ?? naturalKind(picture);
  return kind === null ? null : callOf(picture, kind);
}

function callOf({ plan, figure, x, series }: Picture, kind: ChartKind): ChartCall {
  const words = 'aggregate' in figure ? measureWords(figure) : computedWords(figure, plan);
  return {
    kind,
    x: x.label,
    y: figure.label,
    series: series?.label ?? null,
    title: titleOf(pictureWords(plan)),
    x_title: cutTitle(x.label),
    y_title: cutTitle(words),
  };
}

/** What the groups are ranked by; else what was worked out, but a rank, which is read and not seen; else the first figure. */
function drawnFigure({ measures, computed = [], order, limit }: Aggregation): Figure | null {
  const figures = [...measures, ...computed];
  const ranked = limit === null ? undefined : figures.find(({ label }) => label === order[0]?.by);
  return ranked ?? computed.find(({ kind }) => kind !== 'rank') ?? measures[0] ?? null;
}

function hasColumns({ x, series }: Axes, { columns }: QueryResult): boolean {
  const names = new Set(columns.map(({ name }) => name));
  return names.has(x.label) && (series === null || names.has(series.label));
}

interface Axes {
  readonly x: Dimension;
  readonly series: Dimension | null;
}

/** Time runs from left to right, as do hours and weekdays; what else there is are the lines or bars. */
function axesOf({ dimensions, summary, each = [] }: Aggregation): Axes | null {
  // The best of each group stand in different places, which makes no picture.
  if (summary !== undefined || each.length > 0) return null;
  const [first, second, third] = dimensions;
  if (first === undefined || third !== undefined) return null;
  if (second === undefined) return { x: first, series: null };
  const isLater = (one: Dimension): number =>
    one.kind === 'bucket' ? 0 : one.kind === 'part' ? partPlace(one.part) : 9;
  return isLater(second) < isLater(first) ? { x: second, series: first } : { x: first, series: second };
}

function partPlace(part: 'hour' | 'weekday' | 'month'): number {
  return { hour: 1, weekday: 2, month: 3 }[part];
}

function isDrawable(label: string, { columns, rows }: QueryResult): boolean {
  const place = columns.findIndex(({ name }) => name === label);
  const column = columns[place];
  return (
    column !== undefined && isNumeric(column.type) && rows.filter((row) => typeof row[place] === 'number').length > 1
  );
}

/** Every pair of columns as a cell; a single row of cells is no map. */
function matrixChart(plan: StatisticPlan, result: QueryResult): ChartCall | null {
  if (result.rows.length < 3 || !isDrawable('correlation', result)) return null;
  return {
    kind: 'heatmap',
    x: 'first',
    y: 'correlation',
    series: 'second',
    title: titleOf(pictureWords(plan)),
    x_title: ' ',
    y_title: 'correlation',
  };
}

/** Rows are drawn where somebody asks for it, by the first columns that fit. */
function rowsChart(plan: Listing, { columns }: QueryResult, { kind }: ChartWish): ChartCall | null {
  const numbers = columns.filter(({ type }) => isNumeric(type)).map(({ name }) => name);
  const time = columns.find(({ type }) => type === 'time')?.name;
  const text = columns.find(({ type }) => type === 'text')?.name;
  const call = (x: string | undefined, y: string | null | undefined): ChartCall | null =>
    kind === null || kind === 'none' || x === undefined || y === undefined
      ? null
      : {
          kind,
          x,
          y,
          series: null,
          title: titleOf(pictureWords(plan)),
          x_title: cutTitle(x),
          y_title: y && cutTitle(y),
        };
  switch (kind) {
    case 'histogram':
      return call(numbers[0], null);
    case 'scatter':
      return call(numbers.length > 1 ? numbers[0] : time, numbers.length > 1 ? numbers[1] : numbers[0]);
    case 'line':
    case 'area':
      return call(time, numbers[0]);
    case 'bar':
    case 'pie':
      return call(text, numbers[0]);
    case 'stacked_bar':
    case 'grouped_bar':
    case 'heatmap':
    case 'none':
    case null:
      return null;
  }
}
