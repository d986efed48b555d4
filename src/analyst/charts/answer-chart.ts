import type { AnalysisPlan } from '../../ports/analysis-plan.js';
import type { QueryResult } from '../../ports/table.js';
import { conditionsOf, pictureWords } from '../../plan/wording.js';
import { chartFor, cutTitle, titleOf, unknownWords, type ChartCall, type Choice } from './chart-choice.js';
import type { ChartWish } from './chart-wish.js';
import type { Sample } from './samples.js';

/** A query's result, and what it is called. */
export interface Ran {
  readonly id: string | null;
  readonly result: QueryResult;
}

/** A question that was read, with the calls that answer it. */
export interface Drawn {
  readonly part: { readonly wish: ChartWish };
  readonly main: { readonly id: string; readonly plan: AnalysisPlan };
  readonly sample: { readonly id: string; readonly sample: Sample } | null;
}

type RanOf = (callId: string) => Ran | null;

/** A picture is worth most where words say least. */
const WORTH: Partial<Readonly<Record<ChartCall['kind'], number>>> = { stacked_bar: 2, grouped_bar: 2, pie: 1, bar: 1 };
const MOST = 3;
const ASKED = 10;

/** The picture of an answer: of all its questions the one that profits most has it. */
export function answerChart(parts: readonly Drawn[], ranOf: RanOf): ChartCall | null {
  const charts = parts.flatMap((one) => {
    const { chart } = choiceOf(one, ranOf);
    const asked = one.part.wish.kind === null ? 0 : ASKED;
    return chart === null ? [] : [{ chart, worth: (WORTH[chart.kind] ?? MOST) + asked }];
  });
  return charts.toSorted((a, b) => b.worth - a.worth)[0]?.chart ?? null;
}

/** Why a chart of the kind that was named can't be drawn, in a short sentence; `null` where it can, or none was named. */
export function chartNote(part: Drawn, ranOf: RanOf): string | null {
  return choiceOf(part, ranOf).why;
}

function choiceOf({ part, main, sample }: Drawn, ranOf: RanOf): Choice {
  const points = sample === null ? null : ranOf(sample.id);
  const drawn = sample === null || points === null ? null : sampleChart(sample.sample, points.result, main.plan);
  if (drawn !== null && points !== null) {
    return { chart: drawnFrom(drawn, points), why: unknownWords(part.wish) };
  }
  const ran = ranOf(main.id);
  if (ran === null) return { chart: null, why: null };
  const { chart, why } = chartFor(main.plan, ran.result, part.wish);
  return { chart: chart === null ? null : drawnFrom(chart, ran), why };
}

function drawnFrom(chart: ChartCall, { id }: Ran): ChartCall {
  return id === null ? chart : { ...chart, result: id };
}

/** Fewer than three points or values are no picture. Of points it says what is set against each other, of a spread which rows it is of. */
function sampleChart({ kind, of, x, y, plan }: Sample, { rows }: QueryResult, main: AnalysisPlan): ChartCall | null {
  if (rows.length < 3) return null;
  const conditions = conditionsOf(main);
  const where = conditions.length === 0 ? '' : `, where ${conditions.join(' and ')}`;
  const title = titleOf(kind === 'scatter' ? pictureWords(main) : `distribution of ${of}${where}`);
  const isCut = plan.kind === 'rows' && plan.distinct === true && rows.length === plan.limit;
  const some = isCut ? ` (${rows.length.toLocaleString('en-US')} of the points)` : '';
  const whole = `${title}${some}`;
  const titles = { title: whole.length > 120 ? title : whole, x_title: cutTitle(of) };
  return { kind, x, y, series: null, ...titles, y_title: y === null ? null : cutTitle(y) };
}
