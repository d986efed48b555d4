import type { AggregatePlan, AnalysisPlan, Computed, Dimension, Measure, RowsPlan } from '../../ports/analysis-plan.js';
import type { ChartKind } from '../../ports/chart-renderer.js';
import { columnsOfFilter } from '../../ports/plan-filters.js';
import { type ColumnType, isNumeric, type QueryResult } from '../../ports/table.js';
import { computedWords, measureWords, pictureWords } from '../../plan/wording.js';
import { capital, withArticle } from '../../shared/number-words.js';
import { isTimeline, MAX_WISHED_PIE, naturalKind, NEEDS, whyNot, type Picture } from './chart-kinds.js';
import type { ChartWish } from './chart-wish.js';

const MAX_TITLE = 120;
/** More lines can't be told apart. */
const MOST_LINES = 10;

/** A chart as the tool takes it. */
export interface ChartCall {
  readonly kind: ChartKind;
  readonly x: string;
  readonly y: string | null;
  readonly series: string | null;
  readonly title: string;
  readonly x_title: string;
  readonly y_title: string | null;
  /** Which result it is of; the last one where it is not said. */
  readonly result?: string;
}

/** The picture of a result, and why it is not the kind that was asked for. */
export interface Choice {
  readonly chart: ChartCall | null;
  /** A sentence; `null` where the wish is met, or nothing was wished for. */
  readonly why: string | null;
}

const NOTHING: Choice = { chart: null, why: null };

/** The picture that suits the result and the question. */
export function chartFor(plan: AnalysisPlan, result: QueryResult, wish: ChartWish): Choice {
  if (wish.kind === 'none' || result.rows.length === 0) return NOTHING;
  const { chart, why } = chosen(plan, result, wish.kind);
  if (wish.isKept === true && why !== null) return chosen(plan, result, null);
  return { chart, why: unknownWords(wish) ?? why };
}

/** What is said of a kind that is not to be had. */
export function unknownWords({ unknown }: ChartWish): string | null {
  return unknown === null ? null : `I can’t draw ${withArticle(unknown)}.`;
}

function chosen(plan: AnalysisPlan, result: QueryResult, wish: ChartKind | null): Choice {
  if (result.rows.length < 2) return { chart: null, why: wish === null ? null : 'A single row makes no chart.' };
  if (plan.kind === 'rows') return rowsChoice(plan, result, wish);
  if (plan.kind === 'aggregate') return groupsChart(plan, result, wish);
  const isMatrix = plan.method === 'correlation_matrix' && result.rows.length > 2 && isDrawable('correlation', result);
  const chart = isMatrix ? matrixChart(plan) : null;
  return { chart, why: wish === null || wish === chart?.kind ? null : NEEDS[wish] };
}

/** Rows are drawn as lines by themselves, and else where somebody asks for it. */
function rowsChoice(plan: RowsPlan, result: QueryResult, wish: ChartKind | null): Choice {
  const lines = wish === null || wish === 'line' ? linesChart(plan, result) : null;
  if (lines !== null && (wish === 'line' || runsByTime(plan, lines))) return { chart: lines, why: null };
  return wish === null ? NOTHING : rowsChart(plan, result, wish);
}

function groupsChart(plan: AggregatePlan, result: QueryResult, wish: ChartKind | null): Choice {
  const points = wish === 'scatter' ? pointsChart(plan, result) : null;
  if (points !== null) return { chart: points, why: null };
  const figure = drawnFigure(plan);
  const axes = axesOf(plan, result);
  if (figure === null || axes === null || !isDrawable(figure.label, result)) {
    return { chart: null, why: wish === null ? null : 'This result can’t be drawn.' };
  }
  const picture: Picture = { plan, result, figure, ...axes };
  const why = wish === null ? null : whyNot(wish, picture);
  const kind = wish === null || why !== null ? naturalKind(picture) : asDrawn(wish, picture);
  return { chart: kind === null ? null : callOf(picture, kind), why };
}

/** Bars of two groupings stand side by side. */
function asDrawn(wish: ChartKind, { series }: Picture): ChartKind {
  return wish === 'bar' && series !== null ? 'grouped_bar' : wish;
}

function callOf({ plan, figure, x, series }: Picture, kind: ChartKind): ChartCall {
  const words = 'aggregate' in figure ? measureWords(figure) : computedWords(figure, plan);
  return chartCall(plan, {
    kind,
    x: x.label,
    y: figure.label,
    series: series?.label ?? null,
    title: titleOf(pictureWords(plan, words)),
    y_title: cutTitle(words),
  });
}

/** With titles as they follow from the plan and the columns. */
function chartCall(plan: AnalysisPlan, drawn: Pick<ChartCall, 'kind' | 'x' | 'y'> & Partial<ChartCall>): ChartCall {
  const { x, y } = drawn;
  const titles = { title: titleOf(pictureWords(plan)), x_title: cutTitle(x), y_title: y === null ? null : cutTitle(y) };
  return { series: null, ...titles, ...drawn };
}

/** Two figures of each group as points. */
function pointsChart(plan: AggregatePlan, result: QueryResult): ChartCall | null {
  const [first, second] = [...plan.measures, ...(plan.computed ?? [])].filter(({ label }) => isDrawable(label, result));
  if (first === undefined || second === undefined || plan.dimensions.length === 0) return null;
  return chartCall(plan, { kind: 'scatter', x: first.label, y: second.label });
}

/** What the groups are ranked by; else what was worked out, but a rank, which is read and not seen; else the first figure. */
function drawnFigure({ measures, computed = [], order, limit }: AggregatePlan): Measure | Computed | null {
  const ranked = limit === null ? undefined : [...measures, ...computed].find(({ label }) => label === order[0]?.by);
  return ranked ?? computed.find(({ kind }) => kind !== 'rank') ?? measures[0] ?? null;
}

/** Time runs from left to right, as do hours and weekdays; what else there is are the lines or bars. */
function axesOf({ dimensions, summary, each = [] }: AggregatePlan, result: QueryResult): Axes | null {
  const [first, second, third] = dimensions;
  const isThere = dimensions.every(({ label }) => result.columns.some(({ name }) => name === label));
  // The best of each group stand in different places, which makes no picture.
  if (summary !== undefined || each.length > 0 || first === undefined || third !== undefined || !isThere) return null;
  if (second === undefined) return { x: first, series: null };
  const place = (one: Dimension): number =>
    isTimeline(one, result) ? 0 : one.kind === 'part' ? ['hour', 'weekday', 'month'].indexOf(one.part) + 1 : 9;
  return place(second) < place(first) ? { x: second, series: first } : { x: first, series: second };
}

type Axes = Pick<Picture, 'x' | 'series'>;

function isDrawable(label: string, { columns, rows }: QueryResult): boolean {
  const place = columns.findIndex(({ name }) => name === label);
  const column = columns[place];
  const isFigure = column !== undefined && isNumeric(column.type);
  return isFigure && rows.filter((row) => typeof row[place] === 'number').length > 1;
}

/** Every pair of columns as a cell; a single row of cells is no map. */
function matrixChart(plan: AnalysisPlan): ChartCall {
  return chartCall(plan, { kind: 'heatmap', x: 'first', y: 'correlation', series: 'second', x_title: ' ' });
}

/** A figure that was noted at many times, of one thing or of several: a line for each. */
function linesChart(plan: AnalysisPlan, { columns, rows }: QueryResult): ChartCall | null {
  const placeOf = (wanted: (type: ColumnType) => boolean): number => columns.findIndex(({ type }) => wanted(type));
  const [x, y, series] = [placeOf((type) => type === 'time'), placeOf(isNumeric), placeOf((type) => type === 'text')];
  if (x < 0 || y < 0 || columns.length !== (series < 0 ? 2 : 3)) return null;
  const lines = new Set(rows.map((row) => row[series])).size;
  const points = new Set(rows.map((row) => JSON.stringify([row[x], row[series]]))).size;
  // A thing that is there once or twice is no line, nor is what has two figures at one time.
  if (points < rows.length || rows.length < 3 * lines || lines > MOST_LINES) return null;
  const name = (place: number): string | null => columns[place]?.name ?? null;
  return chartCall(plan, { kind: 'line', x: name(x) ?? '', y: name(y), series: name(series) });
}

/** Chosen by their figure, or in its order, they are a list and no line. */
function runsByTime({ filters, order }: RowsPlan, { x, y }: ChartCall): boolean {
  const [first] = order;
  return (first === undefined || first.by === x) && !filters.some((one) => columnsOfFilter(one).includes(y ?? ''));
}

/** By the first columns that fit. */
function rowsChart(plan: AnalysisPlan, { columns, rows }: QueryResult, kind: ChartKind): Choice {
  const [number, second] = columns.filter(({ type }) => isNumeric(type)).map(({ name }) => name);
  const [time, text] = ['time', 'text'].map((wanted) => columns.find(({ type }) => type === wanted)?.name);
  const alongTime = [time, number] as const;
  const byText = [text ?? time, number] as const;
  const drawn: Partial<Readonly<Record<ChartKind, readonly [string | undefined, string | null | undefined]>>> = {
    histogram: [number, null],
    scatter: second === undefined ? alongTime : [number, second],
    line: alongTime,
    area: alongTime,
    bar: byText,
    pie: byText,
  };
  const [x, y] = drawn[kind] ?? [];
  if (x === undefined || y === undefined) return { chart: null, why: NEEDS[kind] };
  const place = columns.findIndex(({ name }) => name === x);
  const isTwice = new Set(rows.map((row) => row[place])).size < rows.length;
  if (isTwice && kind !== 'histogram' && kind !== 'scatter') {
    return { chart: null, why: `Several rows have the same ${cutTitle(x)}, so they can’t be drawn one by one.` };
  }
  if (kind === 'pie' && rows.length > MAX_WISHED_PIE) {
    return { chart: null, why: 'There are too many rows for a pie.' };
  }
  return { chart: chartCall(plan, { kind, x, y }), why: null };
}

/** A title begins with a capital letter and fits above the picture. */
export function titleOf(words: string): string {
  return cutTitle(capital(words));
}

export function cutTitle(text: string): string {
  const letters = Array.from(text);
  return letters.length <= MAX_TITLE ? text : `${letters.slice(0, MAX_TITLE - 1).join('')}…`;
}
