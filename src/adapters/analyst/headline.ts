import type { AnalysisPlan } from '../../ports/analysis-plan.js';
import { gradeOf } from './telling/grade-words.js';
import { inline } from './markdown.js';
import { capital } from './number-words.js';
import { groupSentence } from './telling/group-words.js';
import { havingWords } from './telling/having-words.js';
import { rowsSentence } from './telling/row-words.js';
import { singleSentence, summarySentence } from './telling/single-words.js';
import { probabilityOf, statisticSentence } from './telling/statistic-words.js';
import { said, Telling, type Aggregation, type Told } from './telling/telling.js';
import { judgedByProbability, judgedBySize, type Judged } from './telling/verdict-words.js';

/** The sentences that an answer begins with, with their figures in bold. */
export function headlineOf(told: Told): string {
  const judged = judgementOf(told);
  const yes = told.format.yesOrNo === true ? (judged?.isYes ?? anythingFits(told)) : null;
  return [
    ...(yes === null ? [] : [yes ? '**Yes.**' : '**No.**']),
    sentenceOf(told),
    ...(judged === null ? [] : [`${capital(judged.sentence)}.`]),
    ...gradeWords(told),
    ...boundsWords(told),
  ].join(' ');
}

function sentenceOf(told: Told): string {
  const { plan } = told;
  switch (plan.kind) {
    case 'rows':
      return rowsSentence(new Telling(plan, told));
    case 'statistic':
      return statisticSentence(new Telling(plan, told));
    case 'aggregate':
      return aggregateSentence(new Telling(plan, told));
  }
}

function aggregateSentence(telling: Telling<Aggregation>): string {
  const { plan, rows } = telling;
  if (plan.summary !== undefined) return summarySentence(telling);
  if (plan.dimensions.length > 0) return groupSentence(telling);
  if (rows.length === 0) return `**Nothing** fits: there is no figure${telling.where}${havingWords(plan)}.`;
  return singleSentence(telling);
}

function judgementOf(told: Told): Judged | null {
  const { verdict, plan, result } = told;
  if (verdict === undefined) return null;
  if (verdict.by === 'p-value') {
    const probability = plan.kind === 'statistic' ? probabilityOf(new Telling(plan, told)) : null;
    return probability === null ? null : judgedByProbability(verdict, probability);
  }
  const figure = firstFigure(plan, told, result.rows.length);
  return figure === null ? null : judgedBySize(verdict, figure);
}

function firstFigure(plan: AnalysisPlan, told: Told, rows: number): number | null {
  if (plan.kind !== 'aggregate' || rows !== 1) return null;
  const label = plan.measures[0]?.label;
  return label === undefined ? null : new Telling(plan, told).number(told.result.rows[0], label);
}

/** What the figure is called by the limits that the message gives. */
function gradeWords(told: Told): readonly string[] {
  const { grades, plan, result } = told;
  if (grades === undefined) return [];
  const figure =
    plan.kind === 'statistic'
      ? new Telling(plan, told).number(result.rows[0], 'correlation')
      : firstFigure(plan, told, result.rows.length);
  const label = figure === null ? null : gradeOf(figure, grades);
  if (figure === null) return [];
  return [label === null ? 'None of the limits given fits it.' : `By the limits given that is **${inline(label)}**.`];
}

/** Whether there is one; `null` where the figures alone say neither yes nor no. */
function anythingFits(told: Told): boolean | null {
  const { plan, result } = told;
  if (plan.kind === 'statistic') return null;
  if (plan.kind === 'rows') return result.rows.length > 0;
  if (plan.having.length > 0 && plan.summary === undefined) return result.rows.length > 0;
  const label = countOf(plan);
  return label === null ? null : (new Telling(plan, told).number(result.rows[0], label) ?? 0) > 0;
}

/** The label of the number of rows, where that is all there is. */
function countOf({ measures, dimensions }: Aggregation): string | null {
  const [measure, second] = measures;
  const isAlone = second === undefined && dimensions.length === 0;
  return isAlone && measure?.aggregate === 'count' ? measure.label : null;
}

function boundsWords(told: Told): readonly string[] {
  const { bounds, plan } = told;
  if (bounds === undefined || bounds === null) return [];
  const { format } = new Telling(plan, told);
  return [
    `Values of ${said(bounds.column)} below **${format.number(bounds.low)}** or above **${format.number(bounds.high)}** count as outliers.`,
  ];
}
