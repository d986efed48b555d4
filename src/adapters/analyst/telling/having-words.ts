import type { Comparison, Having } from '../../../ports/analysis-plan.js';
import { nameOf } from '../measure-words.js';
import { joined, withArticle } from '../number-words.js';
import { groupWords, type Figure } from './group-parts.js';
import { said, type Aggregation, type Row, type Telling } from './telling.js';

/** Groups that fit into a sentence, with their figures. */
const LISTED = 12;

/** ` with a total revenue above 100`, as Markdown. */
export function havingWords(plan: Aggregation): string {
  const words = plan.having.map((one) => ` with ${conditionWords(plan, one)}`);
  return words.join(' and');
}

const BOUNDS: Readonly<Record<Comparison, string>> = {
  '<': 'below',
  '<=': 'of at most',
  '>': 'above',
  '>=': 'of at least',
  '=': 'equal to',
  '!=': 'other than',
};

/** `an average fare above 30`. */
export function conditionWords(plan: Aggregation, { measure, operator, value }: Having): string {
  const figure = said(nameOf(plan, measure));
  return `${withArticle(figure)} ${BOUNDS[operator]} ${value.toLocaleString('en-US', { maximumFractionDigits: 10 })}`;
}

/** Groups that fit a condition on their figure: how many there are, and which. */
export function fittingGroups(telling: Telling<Aggregation>, figure: Figure): string {
  const { plan, rows, where, result } = telling;
  const names = said(joined(plan.dimensions.map(({ label }) => label)));
  const number = `${result.truncated ? 'more than ' : ''}${telling.format.count(rows.length)}`;
  const noun = rows.length === 1 && !result.truncated ? 'value has' : 'values have';
  const conditions = joined(plan.having.map((one) => conditionWords(plan, one)));
  const named = (row: Row): string => `**${groupWords(telling, row)}** (**${telling.words(row, figure.label)}**)`;
  const list = rows.length > LISTED || result.truncated ? '' : `: ${joined(rows.map(named))}`;
  return `**${number}** ${names} ${noun} ${conditions}${where}${list}.`;
}
