import type { Computed, Measure } from '../../../ports/analysis-plan.js';
import { filterWords } from '../condition-words.js';
import { computedWords, measureWords } from '../measure-words.js';
import { capital } from '../number-words.js';
import { said, type Aggregation, type Row, type Telling } from './telling.js';

/** A figure of two others, with those two: `**38.38 %** of the rows are those where survived is 1 (**342** of **891**).` */
export function computedSentence(telling: Telling<Aggregation>, row: Row | undefined, computed: Computed): string {
  const words = said(computedWords(computed, telling.plan));
  if (telling.number(row, computed.label) === null) {
    return `The ${words}${telling.where} can’t be worked out: a figure is missing, or would be divided by zero.`;
  }
  const figure = telling.bold(row, computed.label);
  if ('of' in computed) return `The ${words}${telling.where} is ${figure}.`;
  const [left, right] = [telling.plan.measures[computed.left], telling.plan.measures[computed.right]];
  if (left === undefined || right === undefined) return `The ${words}${telling.where} is ${figure}.`;
  return pairSentence(telling, row, { computed, left, right });
}

interface Pair {
  readonly computed: Exclude<Computed, { readonly of: number }>;
  readonly left: Measure;
  readonly right: Measure;
}

function pairSentence(telling: Telling<Aggregation>, row: Row | undefined, { computed, left, right }: Pair): string {
  const figure = telling.bold(row, computed.label);
  const [a, b] = [telling.bold(row, left.label), telling.bold(row, right.label)];
  const [leftName, rightName] = [said(measureWords(left)), said(measureWords(right))];
  const { where } = telling;
  switch (computed.kind) {
    case 'percent':
    case 'ratio':
      return isPartOfRows(left, right)
        ? partSentence(telling, figure, { part: left, whole: right, counts: `${a} of ${b}` })
        : `The ${leftName} is ${figure} ${figure.includes('%') ? 'of' : 'times'} the ${rightName}${where} (${a} and ${b}).`;
    case 'percent_change':
      return changeSentence(telling, row, { computed, left, right });
    case 'difference':
      return `The ${leftName} is ${a}, the ${rightName} ${b}${where}: a difference of ${figure}.`;
    case 'sum':
    case 'product':
      return `The ${said(computedWords(computed, telling.plan))}${where} is ${figure}: ${a} ${computed.kind === 'sum' ? 'plus' : 'times'} ${b}.`;
  }
}

function changeSentence(telling: Telling<Aggregation>, row: Row | undefined, { computed, left, right }: Pair): string {
  const change = telling.number(row, computed.label) ?? 0;
  const figure = telling.bold(row, computed.label);
  const [a, b] = [telling.bold(row, left.label), telling.bold(row, right.label)];
  const direction = change > 0 ? 'more' : change < 0 ? 'less' : 'no change';
  return `${capital(`the ${said(measureWords(left))}`)} is ${a}, against ${b} for the ${said(measureWords(right))}${telling.where}: a change of ${figure}${change === 0 ? '' : ` (${direction})`}.`;
}

/** Rows that fit a condition, of all rows. */
function isPartOfRows(left: Measure, right: Measure): boolean {
  const { filters = [] } = left;
  return left.column === null && right.column === null && filters.length > 0;
}

function partSentence(
  telling: Telling<Aggregation>,
  figure: string,
  { part, whole, counts }: { readonly part: Measure; readonly whole: Measure; readonly counts: string },
): string {
  const outer = new Set((whole.filters ?? []).map(filterWords));
  const inner = (part.filters ?? []).map(filterWords).filter((words) => !outer.has(words));
  const all = [telling.where, outer.size === 0 ? '' : said([...outer].join(' and '))].filter((words) => words !== '');
  const among = all.length === 0 ? '' : ` ${all.map((words) => words.replace(/^ where /, '')).join(' and ')}`;
  const rows = among === '' ? 'the rows' : `the rows where${among}`;
  const condition = said(inner.join(' and '));
  return figure.includes('%')
    ? `${figure} of ${rows} are those where ${condition} (${counts}).`
    : `The share of ${rows} that are those where ${condition} is ${figure} (${counts}).`;
}
