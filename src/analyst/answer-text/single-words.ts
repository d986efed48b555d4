import type { AggregatePlan, Computed, Measure, Summary } from '../../ports/analysis-plan.js';
import { havingWords } from './group-words.js';
import { inline, tableOf } from '../../shared/markdown.js';
import {
  bareWords,
  computedWords,
  filterWords,
  measureWords,
  ownConditions,
  summaryWords,
} from '../../plan/wording.js';
import { capital, counted, joined, numberWords, shareWords } from '../../shared/number-words.js';
import { said, type Groups, type Row } from './telling.js';

/** More figures than these are a table, not a sentence. */
const IN_A_SENTENCE = 4;

/** Figures that need more than one value, and different ones. */
const NEEDS_SPREAD =
  /^(?:stddev|variance|skewness|kurtosis|standard_error|.*correlation|covariance|slope|intercept|r_)/;

/** Figures over all rows, without groups. */
export function singleSentence(telling: Groups): string {
  const { plan, where } = telling;
  const [row] = telling.rows;
  const { measures, computed = [] } = plan;
  if (computed.length > 0) return computedSentences(telling, row);
  if (isCompared(measures)) return `The ${comparedWords(telling, row, measures)}${among(telling)}.`;
  if (hasTableOfFigures(plan)) return tableSentence(telling, row);
  return `${capital(joined(measures.map((measure) => figurePart(telling, row, measure))))}${where}.`;
}

/** Whether the figures of a single row are better read below each other. */
export function hasTableOfFigures({ measures, dimensions, computed = [], summary }: AggregatePlan): boolean {
  return summary === undefined && dimensions.length === 0 && measures.length + computed.length > IN_A_SENTENCE;
}

/** One figure over all groups: how many there are, or the average of their counts. */
export function summarySentence(telling: Groups, summary: Summary): string {
  const { plan, where } = telling;
  const [row] = telling.rows;
  const groups = said(joined(plan.dimensions.map(({ label }) => label)));
  if (summary.aggregate === 'count') {
    const [verb, ending] = telling.cell(row, summary.label) === 1 ? ['is', ''] : ['are', 's'];
    return `There ${verb} **${telling.words(row, summary.label)} different ${groups} value${ending}**${where}${havingWords(plan)}.`;
  }
  const words = `${said(summaryWords(summary, plan))} by ${groups}${where}`;
  return telling.number(row, summary.label) === null
    ? `There are too few values for the ${words}.`
    : `The ${words} is ${telling.bold(row, summary.label)}.`;
}

/** `there are **342 rows**`, `the median fare is **14.45**`. */
function figurePart(telling: Groups, row: Row | undefined, measure: Measure): string {
  const { column, aggregate, label } = measure;
  const conditions = conditionWords(measure);
  const cell = telling.cell(row, label);
  const figure = telling.words(row, label);
  const [verb, ending] = cell === 1 ? ['is', ''] : ['are', 's'];
  if (column === null) return `there ${verb} **${figure} row${ending}**${conditions}`;
  if (aggregate === 'missing') return `there ${verb} **${figure} row${ending}** without ${said(column)}${conditions}`;
  if (aggregate === 'count_distinct') {
    return `there ${verb} **${counted(Number(cell ?? 0), `different ${said(column)} value`)}**${conditions}`;
  }
  const words = momentous(telling, measure);
  if (cell !== null) return `the ${words} is **${figure}**${conditions}`;
  const absence = NEEDS_SPREAD.test(aggregate) ? 'there are too few different values for' : 'there is no value for';
  return `${absence} the ${words}${conditions}`;
}

function conditionWords(measure: Measure): string {
  const words = said(ownConditions(measure));
  return words === '' ? '' : ` ${words}`;
}

/** The lowest of times is the earliest. */
function momentous(telling: Groups, measure: Measure): string {
  const words = said(bareWords(measure));
  if (telling.column(measure.label)?.type !== 'time') return words;
  return words.replace(/^lowest /, 'earliest ').replace(/^highest /, 'latest ');
}

/** One figure of several groups of rows. */
function isCompared(measures: readonly Measure[]): boolean {
  const names = new Set(measures.map(bareWords));
  const conditions = new Set(measures.map(ownConditions));
  const isMany = measures.length > 1 && measures.length <= IN_A_SENTENCE;
  return isMany && names.size === 1 && conditions.size === measures.length;
}

/** `average fare is **44.48** where sex is female and **25.52** where sex is male`. */
function comparedWords(telling: Groups, row: Row | undefined, measures: readonly Measure[]): string {
  const parts = measures.map((measure) => `${telling.bold(row, measure.label)}${conditionWords(measure) || ' in all'}`);
  return `${measures[0] === undefined ? 'figure' : momentous(telling, measures[0])} is ${joined(parts)}`;
}

function among({ where }: Groups): string {
  return where === '' ? '' : ` (all${where})`;
}

function tableSentence(telling: Groups, row: Row | undefined): string {
  const { plan, where } = telling;
  const { measures, computed = [] } = plan;
  if (!isAllMissing(plan)) return `These are the **${measures.length + computed.length} figures**${where}.`;
  const counts = measures.map(({ label }) => telling.number(row, label) ?? 0);
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return `**No value** is missing in any of the ${measures.length} columns${where}.`;
  const lacking = counts.filter((count) => count > 0).length;
  const most = measures[counts.indexOf(Math.max(...counts))];
  const top = `Most are missing in **${said(most?.column ?? '')}** (${telling.bold(row, most?.label ?? '')}).`;
  const looked =
    measures.length < telling.facts.columns.length
      ? `the ${measures.length} columns looked at`
      : `${measures.length} columns`;
  return `**${numberWords(total)}** ${total === 1 ? 'value is' : 'values are'} missing${where}, in **${lacking}** of ${looked}. ${top}`;
}

function isAllMissing({ measures, computed = [] }: AggregatePlan): boolean {
  return computed.length === 0 && measures.every(({ aggregate }) => aggregate === 'missing');
}

/** The figures of a single row below each other; of missing values by the column, and no column that lacks none. */
export function figuresTable(telling: Groups): string | null {
  const { plan } = telling;
  const [row] = telling.rows;
  const isMissing = isAllMissing(plan);
  const measures = isMissing ? plan.measures.filter(({ label }) => telling.number(row, label) !== 0) : plan.measures;
  const lines = [
    ...measures.map(({ label, column }) => [inline(isMissing ? (column ?? label) : label), telling.words(row, label)]),
    ...(plan.computed ?? []).map(({ label }) => [inline(label), telling.words(row, label)]),
  ];
  return lines.length === 0
    ? null
    : tableOf(isMissing ? ['column', 'missing'] : ['figure', 'value'], lines, [false, true]);
}

/** Figures that no other one follows from, and those that do. */
function computedSentences(telling: Groups, row: Row | undefined): string {
  const { measures, computed = [] } = telling.plan;
  const used = new Set(computed.flatMap((one) => ('of' in one ? [one.of] : [one.left, one.right])));
  const figures = measures.filter((_, place) => !used.has(place)).map((one) => figurePart(telling, row, one));
  const first = figures.length === 0 ? [] : [`${capital(joined(figures))}${telling.where}.`];
  return [...first, ...computed.map((one) => computedSentence(telling, row, one))].join(' ');
}

/** A figure of two others, with those two: `In **38.38 %** of the rows survived is 1 (**342** of **891**).` */
function computedSentence(telling: Groups, row: Row | undefined, computed: Computed): string {
  const { plan, where } = telling;
  const words = said(computedWords(computed, plan));
  if (telling.number(row, computed.label) === null) {
    return `The ${words}${where} can’t be calculated: a value is missing, or the divisor is zero.`;
  }
  const left = 'left' in computed ? plan.measures[computed.left] : undefined;
  const right = 'right' in computed ? plan.measures[computed.right] : undefined;
  if ('of' in computed || left === undefined || right === undefined) {
    return `The ${words}${where} is ${telling.bold(row, computed.label)}.`;
  }
  return pairSentence(telling, row, { computed, left, right });
}

interface Pair {
  readonly computed: Exclude<Computed, { readonly of: number }>;
  readonly left: Measure;
  readonly right: Measure;
}

function pairSentence(telling: Groups, row: Row | undefined, pair: Pair): string {
  const { computed, left, right } = pair;
  const figure = telling.bold(row, computed.label);
  const [a, b] = [telling.bold(row, left.label), telling.bold(row, right.label)];
  switch (computed.kind) {
    case 'percent':
    case 'ratio': {
      const isPart = left.column === null && right.column === null && (left.filters ?? []).length > 0;
      if (isPart) return partSentence(telling, row, pair);
      const times = computed.kind === 'percent' ? 'of' : 'times';
      return `The ${said(measureWords(left))} is ${figure} ${times} the ${said(measureWords(right))}${telling.where} (${a} and ${b}).`;
    }
    case 'percent_change': {
      const change = telling.number(row, computed.label) ?? 0;
      const size = `**${telling.writeNumber(Math.abs(change), computed.label)}**`;
      const words = change === 0 ? 'no change' : `${size} ${change > 0 ? 'more' : 'less'}`;
      return `${bothWords(telling, row, pair)}: ${words}.`;
    }
    case 'difference':
      return `${bothWords(telling, row, pair)}: a difference of ${figure}.`;
    case 'sum':
    case 'product': {
      const words = said(computedWords(computed, telling.plan));
      return `The ${words}${telling.where} is ${figure}: ${a} ${computed.kind === 'sum' ? 'plus' : 'times'} ${b}.`;
    }
  }
}

function bothWords(telling: Groups, row: Row | undefined, { left, right }: Pair): string {
  if (isCompared([left, right])) return `The ${comparedWords(telling, row, [left, right])}${among(telling)}`;
  const [a, b] = [telling.bold(row, left.label), telling.bold(row, right.label)];
  return `The ${said(measureWords(left))} is ${a}, the ${said(measureWords(right))} ${b}${telling.where}`;
}

/** Rows that fit a condition, of all rows. */
function partSentence(telling: Groups, row: Row | undefined, { computed, left, right }: Pair): string {
  const outer = (right.filters ?? []).map((filter) => filterWords(filter));
  const inner = (left.filters ?? []).map((filter) => filterWords(filter)).filter((words) => !outer.includes(words));
  const all = [telling.where.replace(/^ where /, ''), said(outer.join(' and '))].filter((words) => words !== '');
  const value = telling.number(row, computed.label) ?? 0;
  const share = computed.kind === 'ratio' ? shareWords(value, telling.decimals) : telling.words(row, computed.label);
  const rows = all.length === 0 ? 'the rows,' : `the rows where ${all.join(' and ')},`;
  const counts = `(${telling.bold(row, left.label)} of ${telling.bold(row, right.label)})`;
  return inner.length === 0
    ? `**${share}** of ${rows.replace(/,$/, '')} fit ${counts}.`
    : `In **${share}** of ${rows} ${said(inner.join(' and '))} ${counts}.`;
}
