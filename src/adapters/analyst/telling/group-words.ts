import { counted, joined, placeWords } from '../number-words.js';
import { figureWords, groupWords, namesOf, winnersOf, type Figure } from './group-parts.js';
import { fittingGroups, havingWords } from './having-words.js';
import { seriesSentence } from './series-words.js';
import { said, type Aggregation, type Row, type Telling } from './telling.js';

/** Distinct values that fit into a sentence. */
const LISTED = 12;
const LISTED_LETTERS = 300;
/** Figures by group: a ranking, a comparison, a development, or which is highest and which lowest. */
export function groupSentence(telling: Telling<Aggregation>): string {
  const { plan, where } = telling;
  const [first] = telling.rows;
  if (first === undefined) return `**Nothing** fits: there is no row${where}${havingWords(plan)}.`;
  const figure = mainFigure(plan);
  if (figure === null) return distinctSentence(telling);
  if ('of' in figure) return seriesSentence(telling, figure);
  if (plan.limit !== null && ranksBy(plan) !== null) return rankingSentence(telling, figure, first);
  return plan.having.length > 0 ? fittingGroups(telling, figure) : extremesSentence(telling, figure);
}

/** Whether the sentence has named all that the result lists. */
export function isListedInFull({ plan, result }: Telling<Aggregation>): boolean {
  return plan.measures.length === 0 && plan.dimensions.length === 1 && fitsSentence(result.rows, result.truncated);
}

/** What the groups are ranked by; else what was worked out of the figures; else the first of them. */
function mainFigure(plan: Aggregation): Figure | null {
  return ranksBy(plan) ?? plan.computed?.[0] ?? plan.measures[0] ?? null;
}

function ranksBy({ order, measures, computed = [], limit }: Aggregation): Figure | null {
  if (limit === null) return null;
  return [...measures, ...computed].find(({ label }) => label === order[0]?.by) ?? null;
}

function distinctSentence(telling: Telling<Aggregation>): string {
  const { plan, rows, where } = telling;
  const { truncated } = telling.result;
  const names = said(plan.dimensions.map(({ label }) => label).join(' and '));
  const cut = truncated || plan.limit === rows.length;
  const number = counted(rows.length, 'different value');
  const most = truncated ? `more than ${number}` : number;
  const list = isListedInFull(telling) ? `: ${joined(rows.map((row) => groupWords(telling, row)))}` : '';
  if (cut && !truncated) return `These are **${number}** of ${names}${where}${list}.`;
  return `There ${rows.length === 1 ? 'is' : 'are'} **${most}** of ${names}${where}${list}.`;
}

function fitsSentence(rows: readonly Row[], truncated: boolean): boolean {
  const letters = rows.reduce((sum, [cell]) => sum + String(cell ?? '').length, 0);
  return !truncated && rows.length <= LISTED && letters <= LISTED_LETTERS;
}

function rankingSentence(telling: Telling<Aggregation>, figure: Figure, first: Row): string {
  const { plan, rows, where } = telling;
  const end = `${placeWords(plan.skip)}${plan.order[0]?.direction === 'asc' ? 'lowest' : 'highest'}`;
  const words = figureWords(figure, plan);
  // Of a figure that is an extreme itself not `highest highest`.
  const named = words.startsWith(`${end} `) ? words : `${end} ${words}`;
  const value = telling.bold(first, figure.label);
  const conditions = `${where}${havingWords(plan)}`;
  if (telling.cell(first, figure.label) === null) return `There is no value for the ${words}${conditions}.`;
  if (hasEach(plan)) return withinEach(telling, figure, `${named}${conditions}`);
  if (rows.length === 1) return `**${groupWords(telling, first)}** has the ${named}${conditions}: ${value}.`;
  const winners = winnersOf(telling, rows, figure.label);
  const come = winners.length === 1 ? `comes first with ${value}` : `come first with ${value} each`;
  return `Of the ${rows.length} with the ${named}${conditions}, ${namesOf(telling, winners)} ${come}.`;
}

function hasEach({ each = [] }: Aggregation): boolean {
  return each.length > 0;
}

/** The top three of each region, and which of them is ahead of all. */
function withinEach(telling: Telling<Aggregation>, figure: Figure, named: string): string {
  const { plan, rows } = telling;
  const each = plan.each ?? [];
  const others = plan.dimensions.map(({ label }) => label).filter((label) => !each.includes(label));
  const sign = plan.order[0]?.direction === 'asc' ? -1 : 1;
  const best = rows
    .filter((row) => telling.number(row, figure.label) !== null)
    .toSorted((a, b) => sign * ((telling.number(b, figure.label) ?? 0) - (telling.number(a, figure.label) ?? 0)));
  const what = others.length === 0 ? 'rows' : `${said(joined(others))} values`;
  const ahead = namesOf(telling, winnersOf(telling, best, figure.label));
  const number = plan.limit === 1 || plan.limit === null ? '' : `up to ${plan.limit} `;
  return `For each ${said(joined(each))} these are the ${number}${what} with the ${named}; of all, ${ahead} is ahead with ${telling.bold(best[0], figure.label)}.`;
}

function extremesSentence(telling: Telling<Aggregation>, figure: Figure): string {
  const { plan, rows, where } = telling;
  const { label } = figure;
  const words = figureWords(figure, plan);
  const known = rows
    .filter((row) => telling.number(row, label) !== null)
    .toSorted((a, b) => (telling.number(b, label) ?? 0) - (telling.number(a, label) ?? 0));
  const [top] = known;
  if (top === undefined) return withoutNumbers(telling, figure, where);
  if (rows.length === 1)
    return `The ${words} of **${groupWords(telling, top)}** is ${telling.bold(top, label)}${where}.`;
  const highest = winnersOf(telling, known, label);
  const isOneForAll = highest.length === known.length && known.length > 1 && !telling.result.truncated;
  if (isOneForAll) return `The ${words}${where} is the same for all ${known.length}: ${telling.bold(top, label)}.`;
  const lowest = lowestWords(telling, known, label);
  const more = developmentOf(telling, label) || differenceOf(telling, known, label);
  return `The ${words}${where} is highest for ${endWords(telling, highest, label)}${lowest}.${more}`;
}

/** `**Seattle** (**3**)`, or all that share their place. */
function endWords(telling: Telling<Aggregation>, winners: readonly Row[], label: string): string {
  const each = winners.length > 1 ? ' each' : '';
  return `${namesOf(telling, winners)} (${telling.bold(winners[0], label)}${each})`;
}

/** Of a cut result nobody knows the other end. */
function lowestWords(telling: Telling<Aggregation>, known: readonly Row[], label: string): string {
  if (known.length < 2 || telling.result.truncated) return '';
  return ` and lowest for ${endWords(telling, lowestOf(telling, known, label), label)}`;
}

function lowestOf(telling: Telling<Aggregation>, known: readonly Row[], label: string): readonly Row[] {
  return winnersOf(telling, known.toReversed(), label).toReversed();
}

/** A figure that is no number, such as the most frequent weather of each month, or none at all. */
function withoutNumbers(telling: Telling<Aggregation>, { label }: Figure, conditions: string): string {
  const { plan, rows } = telling;
  const found = rows.find((row) => telling.cell(row, label) !== null);
  const figure = mainFigure(plan);
  const words = figure === null ? 'figure' : figureWords(figure, plan);
  if (found === undefined) return `There is no value for the ${words}${conditions}.`;
  const group = `**${groupWords(telling, found)}**`;
  if (rows.length === 1) return `The ${words} of ${group} is ${telling.bold(found, label)}${conditions}.`;
  return `These are the values of the ${words} for ${rows.length} groups${conditions}: for ${group} it is ${telling.bold(found, label)}.`;
}

/** Where groups follow each other in time, from what to what it went. */
function developmentOf(telling: Telling<Aggregation>, label: string): string {
  const [dimension, second] = telling.plan.dimensions;
  if (dimension?.kind !== 'bucket' || second !== undefined || !isInOrder(telling, dimension.label)) return '';
  const [first, last] = [telling.rows[0], telling.rows.at(-1)];
  const [from, to] = [telling.number(first, label), telling.number(last, label)];
  if (from === null || to === null || telling.rows.length < 3) return '';
  return ` It went from ${telling.bold(first, label)} (${groupWords(telling, first)}) to ${telling.bold(last, label)} (${groupWords(telling, last)}).`;
}

function isInOrder(telling: Telling<Aggregation>, label: string): boolean {
  const times = telling.rows.map((row) => String(telling.cell(row, label)));
  return !telling.result.truncated && times.every((time, index) => index === 0 || (times[index - 1] ?? '') < time);
}

/** Two groups are compared. */
function differenceOf(telling: Telling<Aggregation>, known: readonly Row[], label: string): string {
  const [high, low] = [telling.number(known[0], label), telling.number(known[1], label)];
  if (known.length !== 2 || telling.rows.length !== 2 || telling.result.truncated || high === null || low === null)
    return '';
  const difference = Number((high - low).toPrecision(12));
  const isPercent = telling.words(known[0], label).endsWith('%');
  if (isPercent) return '';
  const percent = low > 0 ? ` (${telling.format.percent(Number(((difference / low) * 100).toPrecision(12)))})` : '';
  return ` That is **${telling.writeNumber(difference, label)}** more${percent}.`;
}
