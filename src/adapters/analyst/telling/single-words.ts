import type { Measure } from '../../../ports/analysis-plan.js';
import { filterWords } from '../condition-words.js';
import { bareWords, summaryWords } from '../measure-words.js';
import { capital, joined } from '../number-words.js';
import { computedSentence } from './computed-words.js';
import { havingWords } from './having-words.js';
import { said, type Aggregation, type Row, type Telling } from './telling.js';

/** More figures than these are a table, not a sentence. */
const IN_A_SENTENCE = 4;

/** Figures that need more than one value, and different ones. */
const NEEDS_SPREAD: readonly Measure['aggregate'][] = [
  'stddev',
  'variance',
  'skewness',
  'skewness_pop',
  'kurtosis',
  'kurtosis_pop',
  'standard_error',
  'correlation',
  'rank_correlation',
  'covariance',
  'slope',
  'intercept',
  'r_squared',
];

/** Figures over all rows, without groups. */
export function singleSentence(telling: Telling<Aggregation>): string {
  const { plan, where } = telling;
  const [row] = telling.rows;
  const { measures, computed = [] } = plan;
  const focused = focusSentence(telling, row);
  if (focused !== null) return focused;
  if (computed.length > 0) return computedSentences(telling, row);
  const compared = sameFigure(measures) ? comparedParts(telling, row) : null;
  if (compared !== null) return compared;
  if (hasTableOfFigures(plan)) return tableSentence(telling, row);
  return `${capital(joined(measures.map((measure) => figurePart(telling, row, measure))))}${where}.`;
}

/** Figures that no other one follows from, and those that do. */
function computedSentences(telling: Telling<Aggregation>, row: Row | undefined): string {
  const { measures, computed = [] } = telling.plan;
  const used = new Set(computed.flatMap((one) => ('of' in one ? [one.of] : [one.left, one.right])));
  const others = measures.filter((_, place) => !used.has(place));
  const figures = others.map((measure) => figurePart(telling, row, measure));
  const first = figures.length === 0 ? [] : [`${capital(joined(figures))}${telling.where}.`];
  return [...first, ...computed.map((one) => computedSentence(telling, row, one))].join(' ');
}

/** Whether the figures of a single row are better read below each other. */
export function hasTableOfFigures({ measures, dimensions, computed = [], summary }: Aggregation): boolean {
  return summary === undefined && dimensions.length === 0 && measures.length + computed.length > IN_A_SENTENCE;
}

/** One figure over all groups: how many there are, or the average of their counts. */
export function summarySentence(telling: Telling<Aggregation>): string {
  const { plan, where } = telling;
  const { summary } = plan;
  const [row] = telling.rows;
  if (summary === undefined) return singleSentence(telling);
  const figure = telling.bold(row, summary.label);
  const groups = said(joined(plan.dimensions.map(({ label }) => label)));
  if (summary.aggregate === 'count') {
    const isOne = telling.cell(row, summary.label) === 1;
    return `There ${isOne ? 'is' : 'are'} **${telling.words(row, summary.label)} different ${groups} value${isOne ? '' : 's'}**${where}${havingWords(plan)}.`;
  }
  const words = `${said(summaryWords(summary, plan))} by ${groups}${where}`;
  return telling.number(row, summary.label) === null
    ? `There are too few values for the ${words}.`
    : `The ${words} is ${figure}.`;
}

/** `there are **342 rows**`, `the median fare is **14.45**`. */
function figurePart(telling: Telling<Aggregation>, row: Row | undefined, measure: Measure): string {
  const { column, aggregate, label } = measure;
  const conditions = ownConditions(measure);
  const cell = telling.cell(row, label);
  const figure = telling.words(row, label);
  const [verb, ending] = cell === 1 ? ['is', ''] : ['are', 's'];
  if (column === null) return `there ${verb} **${figure} row${ending}**${conditions}`;
  if (aggregate === 'missing') return `there ${verb} **${figure} row${ending}** without ${said(column)}${conditions}`;
  if (aggregate === 'count_distinct') return `there ${verb} **${differentWords(telling, column, cell)}**${conditions}`;
  const words = momentous(telling, measure);
  return cell === null ? `${absence(measure)} the ${words}${conditions}` : `the ${words} is **${figure}**${conditions}`;
}

function differentWords(telling: Telling<Aggregation>, column: string, cell: unknown): string {
  const isDay = telling.facts.daily && column === telling.facts.time?.name;
  const noun = isDay ? 'day' : `different ${said(column)} value`;
  return `${telling.format.count(Number(cell ?? 0))} ${noun}${cell === 1 ? '' : 's'}`;
}

function absence({ aggregate }: Measure): string {
  return NEEDS_SPREAD.includes(aggregate) ? 'there are too few different values for' : 'there is no value for';
}

/** The lowest of times is the earliest. */
function momentous(telling: Telling<Aggregation>, measure: Measure): string {
  const words = said(bareWords(measure));
  if (telling.column(measure.label)?.type !== 'time') return words;
  return words.replace(/^lowest /, 'earliest ').replace(/^highest /, 'latest ');
}

function ownConditions({ filters = [] }: Measure): string {
  return filters.length === 0 ? '' : ` where ${said(filters.map(filterWords).join(' and '))}`;
}

/** One figure of several groups of rows: `the average fare is **44.48** where sex is female and **25.52** where sex is male`. */
function sameFigure(measures: readonly Measure[]): boolean {
  const names = new Set(measures.map(bareWords));
  const conditions = new Set(measures.map(ownConditions));
  return measures.length > 1 && names.size === 1 && conditions.size === measures.length;
}

function comparedParts(telling: Telling<Aggregation>, row: Row | undefined): string | null {
  const { measures } = telling.plan;
  const [first] = measures;
  if (first === undefined || measures.length > IN_A_SENTENCE) return null;
  const parts = measures.map((measure) => {
    const conditions = ownConditions(measure);
    return `${telling.bold(row, measure.label)}${conditions === '' ? ' in all' : conditions}`;
  });
  const among = telling.where === '' ? '' : ` (all${telling.where})`;
  return `The ${momentous(telling, first)} is ${joined(parts)}${among}.`;
}

function tableSentence(telling: Telling<Aggregation>, row: Row | undefined): string {
  const { measures } = telling.plan;
  if (!measures.every(({ aggregate }) => aggregate === 'missing')) {
    return `These are the **${measures.length} figures**${telling.where}.`;
  }
  const counts = measures.map(({ label }) => telling.number(row, label) ?? 0);
  const total = counts.reduce((sum, count) => sum + count, 0);
  const lacking = counts.filter((count) => count > 0).length;
  if (total === 0) return `**No value** is missing in any of the ${measures.length} columns${telling.where}.`;
  const most = measures[counts.indexOf(Math.max(...counts))];
  return `In all **${telling.format.count(total)}** ${total === 1 ? 'value is' : 'values are'} missing, in **${lacking}** of ${measures.length} columns${telling.where}; most in **${said(most?.column ?? '')}** (${telling.bold(row, most?.label ?? '')}).`;
}

interface Known {
  readonly measure: Measure;
  readonly figure: number;
}

/** The column that has the highest or lowest of the figures, where that is what was asked. */
function focusSentence(telling: Telling<Aggregation>, row: Row | undefined): string | null {
  const on = telling.told.focus?.on;
  if (on !== 'highest' && on !== 'lowest') return null;
  const known = telling.plan.measures.flatMap((measure): readonly Known[] => {
    const figure = telling.number(row, measure.label);
    return figure === null ? [] : [{ measure, figure }];
  });
  const figures = known.map(({ figure }) => figure);
  const best = on === 'highest' ? Math.max(...figures) : Math.min(...figures);
  const winners = known.filter(({ figure }) => figure === best);
  const [first] = winners;
  if (first === undefined) return null;
  if (isComplete(first, on)) return `**No column** has missing values${telling.where}.`;
  return winnersSentence(
    telling,
    winners,
    `${extremeWords(first.measure, on)}${telling.where}: ${telling.bold(row, first.measure.label)}`,
  );
}

/** Even the column that lacks most lacks nothing. */
function isComplete({ measure, figure }: Known, on: 'highest' | 'lowest'): boolean {
  return measure.aggregate === 'missing' && figure === 0 && on === 'highest';
}

function winnersSentence(telling: Telling<Aggregation>, winners: readonly Known[], what: string): string {
  const { measures } = telling.plan;
  const names = joined(winners.map(({ measure }) => `**${said(columnOf(measure, measures))}**`));
  return winners.length === 1 ? `${names} has the ${what}.` : `${names} have the ${what} each.`;
}

function extremeWords(measure: Measure, on: 'highest' | 'lowest'): string {
  if (measure.aggregate !== 'missing') return `${on} ${noun(measure)}`;
  return on === 'highest' ? 'most missing values' : 'fewest missing values';
}

/** Of correlations with one column, the other one is meant. */
function columnOf({ column, second }: Measure, measures: readonly Measure[]): string {
  const isShared = second !== undefined && measures.every((measure) => measure.column === column);
  return (isShared ? second : column) ?? 'rows';
}

/** `average`, without the column. */
function noun(measure: Measure): string {
  const words = bareWords({ ...measure, column: COLUMN, second: COLUMN });
  return said((words.split(COLUMN)[0] ?? '').trim().replace(/ of$/, ''));
}

/** Stands for a column where only what is before it is wanted. */
const COLUMN = '\u0000';
