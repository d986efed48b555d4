import type { AnalysisPlan } from '../../ports/analysis-plan.js';
import type { QueryResult } from '../../ports/table.js';
import { cutTitle, titleOf, type ChartCall } from './chart-call.js';
import { chartFor } from './chart-choice.js';
import { chartWishOf } from './chart-wish.js';
import type { PlannedPart } from './part-calls.js';
import { conditionsOf, pictureWords } from './plan-words.js';
import type { Sample } from './samples.js';

/** A query's result, and what it is called. */
export interface Ran {
  readonly id: string | null;
  readonly result: QueryResult;
}

/** A picture is worth most where words say least. */
const WORTH: Readonly<Record<ChartCall['kind'], number>> = {
  line: 3,
  area: 3,
  scatter: 3,
  histogram: 3,
  heatmap: 3,
  stacked_bar: 2,
  grouped_bar: 2,
  pie: 1,
  bar: 1,
};
const ASKED = 10;

/** The picture of an answer: of all its questions the one that profits most has it. */
export function answerChart(planned: readonly PlannedPart[], ranOf: (callId: string) => Ran | null): ChartCall | null {
  const charts = planned.flatMap((one) => {
    const chart = chartOf(one, ranOf);
    const isAsked = chartWishOf(one.part.question).kind !== null;
    return chart === null ? [] : [{ chart, worth: WORTH[chart.kind] + (isAsked ? ASKED : 0) }];
  });
  const best = Math.max(...charts.map(({ worth }) => worth));
  return charts.find(({ worth }) => worth === best)?.chart ?? null;
}

function chartOf({ part, read, main, sample }: PlannedPart, ranOf: (callId: string) => Ran | null): ChartCall | null {
  const points = sample === null ? null : ranOf(sample.id);
  if (sample !== null && points !== null) {
    const chart = sampleChart(sample.sample, points.result, sampleWords(sample.sample, read.plan));
    if (chart !== null) return drawnFrom(chart, points);
  }
  const ran = ranOf(main.id);
  const chart = ran === null ? null : chartFor(read.plan, ran.result, chartWishOf(part.question));
  return chart === null || ran === null ? null : drawnFrom(chart, ran);
}

function drawnFrom(chart: ChartCall, { id }: Ran): ChartCall {
  return id === null ? chart : { ...chart, result: id };
}

/** Of points what is set against each other, of a spread only which rows it is of. */
function sampleWords({ kind }: Sample, plan: AnalysisPlan): string {
  if (kind === 'scatter') return pictureWords(plan);
  const conditions = conditionsOf(plan);
  return conditions.length === 0 ? '' : `, where ${conditions.join(' and ')}`;
}

/** Fewer than three points or values are no picture. */
function sampleChart({ kind, of, x, y, plan }: Sample, { rows }: QueryResult, words: string): ChartCall | null {
  if (rows.length < 3) return null;
  const isCut = plan.kind === 'rows' && plan.distinct === true && rows.length === plan.limit;
  const some = isCut ? ` (${rows.length.toLocaleString('en-US')} of the points)` : '';
  const title = titleOf(kind === 'scatter' ? words : `distribution of ${of}${words}`);
  return {
    kind,
    x,
    y,
    series: null,
    title: cutTitle(title.length + some.length > 120 ? title : `${title}${some}`),
    x_title: cutTitle(of),
    y_title: y === null ? null : cutTitle(y),
  };
}
