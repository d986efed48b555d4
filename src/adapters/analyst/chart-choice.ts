import type { AnalysisPlan, Dimension, Measure } from '../../ports/analysis-plan.js';
import type { ChartKind } from '../../ports/chart-renderer.js';
import { isNumeric, type QueryResult } from '../../ports/table.js';
import { measureWords, purposeOf } from './plan-words.js';

const MAX_TITLE = 120;
/** Two points are two bars, not a line. */
const LINE_POINTS = 3;
/** More bars than this are a wall, not a picture. */
const MAX_BARS = 60;

/** A chart as the tool takes it. */
export interface ChartCall {
  readonly kind: ChartKind;
  readonly x: string;
  readonly y: string;
  readonly series: string | null;
  readonly title: string;
  readonly x_title: string;
  readonly y_title: string;
}

/** The picture that suits the result; `null` when words say it all. */
export function chartFor(plan: AnalysisPlan, result: QueryResult): ChartCall | null {
  if (plan.kind === 'rows' || result.rows.length < 2) return null;
  const [measure] = plan.measures;
  const axes = axesOf(plan.dimensions);
  if (measure === undefined || axes === null || !isDrawable(measure.label, result)) return null;
  const kind = hasColumns(axes, result) ? kindOf(axes, result) : null;
  return kind === null ? null : callOf(plan, kind, axes, measure);
}

function callOf(plan: AnalysisPlan, kind: ChartKind, { x, series }: Axes, measure: Measure): ChartCall {
  return {
    kind,
    x: x.label,
    y: measure.label,
    series: series?.label ?? null,
    title: titleOf(plan),
    x_title: cut(x.label),
    y_title: cut(measureWords(measure)),
  };
}

function hasColumns({ x, series }: Axes, { columns }: QueryResult): boolean {
  const names = new Set(columns.map(({ name }) => name));
  return names.has(x.label) && (series === null || names.has(series.label));
}

interface Axes {
  readonly x: Dimension;
  readonly series: Dimension | null;
}

/** Time runs from left to right; what else there is are the lines or bars. */
function axesOf(dimensions: readonly Dimension[]): Axes | null {
  const [first, second, third] = dimensions;
  if (first === undefined || third !== undefined) return null;
  if (second?.kind === 'bucket' && first.kind !== 'bucket') return { x: second, series: first };
  return { x: first, series: second ?? null };
}

function isDrawable(label: string, { columns, rows }: QueryResult): boolean {
  const place = columns.findIndex(({ name }) => name === label);
  const column = columns[place];
  return (
    column !== undefined && isNumeric(column.type) && rows.filter((row) => typeof row[place] === 'number').length > 1
  );
}

function kindOf({ x, series }: Axes, { rows, columns }: QueryResult): ChartKind | null {
  const place = columns.findIndex(({ name }) => name === x.label);
  const points = new Set(rows.map((row) => row[place])).size;
  if (x.kind === 'bucket' && points >= LINE_POINTS) return 'line';
  if (points > MAX_BARS && x.kind === 'column') return null;
  return series === null ? 'bar' : 'grouped_bar';
}

function titleOf(plan: AnalysisPlan): string {
  const words = purposeOf(plan);
  return cut(words.charAt(0).toUpperCase() + words.slice(1));
}

function cut(text: string): string {
  const letters = Array.from(text);
  return letters.length <= MAX_TITLE ? text : `${letters.slice(0, MAX_TITLE - 1).join('')}…`;
}
