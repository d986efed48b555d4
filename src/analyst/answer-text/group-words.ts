import type { AggregatePlan, Comparison, Computed, Having, Measure } from '../../ports/analysis-plan.js';
import { columnsOfOneValue } from '../../ports/plan-filters.js';
import { computedWords, measureWords, nameOf } from '../../plan/wording.js';
import {
  counted,
  firstFew,
  joined,
  numberWords,
  percentWords,
  placeWords,
  withArticle,
} from '../../shared/number-words.js';
import { fitsSentence } from './row-words.js';
import { said, type Groups, type Row } from './telling.js';

/** Groups that fit into a sentence, with their figures. */
const LISTED = 12;
/** More winners than these are counted. */
const NAMED_WINNERS = 3;

type Figure = Measure | Computed;
type Series = Extract<Computed, { readonly of: number }>;

/** Figures by group: a ranking, a comparison, a development, or which is highest and which lowest. */
export function groupSentence(telling: Groups): string {
  return sentenceOf(telling).replace(/^\*\*week of /, 'The $&');
}

function sentenceOf(telling: Groups): string {
  const { plan, where, rows } = telling;
  const [first] = rows;
  if (first === undefined) return `There are **no rows**${where}${havingWords(plan)}.`;
  const ranked = rankedBy(plan);
  const figure = ranked ?? plan.computed?.[0] ?? plan.measures[0];
  if (figure === undefined) return distinctSentence(telling);
  if ('of' in figure) return seriesSentence(telling, figure);
  if (ranked !== null) return rankingSentence(telling, figure, first);
  return plan.having.length > 0 ? fittingSentence(telling, figure) : extremesSentence(telling, figure);
}

/** Whether the sentence has named all that the result lists. */
export function isListedInFull({ plan, result }: Groups): boolean {
  return plan.measures.length === 0 && plan.dimensions.length === 1 && fitsSentence(result.rows, result.truncated);
}

/** ` with a total revenue above 100`, as Markdown. */
export function havingWords(plan: AggregatePlan): string {
  return plan.having.map((one) => ` with ${conditionWords(plan, one)}`).join(' and');
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
function conditionWords(plan: AggregatePlan, { measure, operator, value }: Having): string {
  const bound = value.toLocaleString('en-US', { maximumFractionDigits: 10 });
  return `${withArticle(said(nameOf(plan, measure)))} ${BOUNDS[operator]} ${bound}`;
}

/** What the groups are ranked by, of which only some are wanted. */
function rankedBy({ order, measures, computed = [], limit }: AggregatePlan): Figure | null {
  if (limit === null) return null;
  return [...measures, ...computed].find(({ label }) => label === order[0]?.by) ?? null;
}

function figureWords(figure: Figure, plan: AggregatePlan): string {
  return said('aggregate' in figure ? measureWords(figure) : computedWords(figure, plan));
}

/** What a figure is called, with the conditions; of one that has some of its own, all rows of it fit them. */
function among(words: string, conditions: string): string {
  return words.includes(' where ') && conditions !== '' ? `${words} (all${conditions})` : `${words}${conditions}`;
}

/** The groups of a row: `Seattle, March 2014`. */
function groupWords(telling: Groups, row: Row | undefined): string {
  return telling.plan.dimensions.map(({ label }) => telling.words(row, label)).join(', ');
}

/** Rows with the same figure as the first of them. */
function winnersOf(telling: Groups, rows: readonly Row[], label: string): readonly Row[] {
  return rows.filter((row) => telling.cell(row, label) === telling.cell(rows[0], label));
}

/** `**Seattle** and **New York**`. */
export function namesOf(telling: Groups, rows: readonly Row[]): string {
  const named = rows.slice(0, NAMED_WINNERS).map((row) => `**${groupWords(telling, row)}**`);
  const rest = rows.length - named.length;
  return rest > 0 ? `${named.join(', ')} and ${rest} more` : joined(named);
}

/** Rows that have a number, from highest to lowest. */
function sorted(telling: Groups, label: string): readonly Row[] {
  const known = telling.rows.filter((row) => telling.number(row, label) !== null);
  return known.toSorted((a, b) => (telling.number(b, label) ?? 0) - (telling.number(a, label) ?? 0));
}

function distinctSentence(telling: Groups): string {
  const { plan, rows, where, result } = telling;
  const names = said(joined(plan.dimensions.map(({ label }) => label)));
  const number = counted(rows.length, 'different value');
  const list = isListedInFull(telling) ? `: ${joined(rows.map((row) => groupWords(telling, row)))}` : '';
  if (!result.truncated && plan.limit === rows.length) return `These are **${number}** of ${names}${where}${list}.`;
  const most = result.truncated ? `more than ${number}` : number;
  return `There ${rows.length === 1 ? 'is' : 'are'} **${most}** of ${names}${where}${list}.`;
}

/** `highest total revenue`; of a number of rows `most rows`, of a figure that is an extreme itself not `highest highest`. */
function endWords(figure: Figure, plan: AggregatePlan, end: 'highest' | 'lowest'): string {
  const words = figureWords(figure, plan);
  if (words.startsWith('number of rows'))
    return `${end === 'highest' ? 'most' : 'fewest'} ${words.slice('number of '.length)}`;
  return words.startsWith(`${end} `) ? words : `${end} ${words}`;
}

function rankingSentence(telling: Groups, figure: Figure, first: Row): string {
  const { plan, rows, where } = telling;
  const { label } = figure;
  const conditions = `${where}${havingWords(plan)}`;
  if (telling.cell(first, label) === null)
    return `There is no value for the ${figureWords(figure, plan)}${conditions}.`;
  const isLowest = plan.order[0]?.direction === 'asc';
  const named = `${placeWords(plan.skip)}${endWords(figure, plan, isLowest ? 'lowest' : 'highest')}`;
  const { each = [], limit } = plan;
  if (each.length > 0) {
    const best = isLowest ? sorted(telling, label).toReversed() : sorted(telling, label);
    const top = `${isLowest ? 'bottom' : 'top'}${limit === null || limit === 1 ? '' : ` ${limit}`}`;
    const ahead =
      best.length === 0 ? '' : ` Overall ${winnerWords(telling, winnersOf(telling, best, label), named, label)}.`;
    return `The table shows the ${top} by ${figureWords(figure, plan)} for each ${said(joined(each))}${conditions}.${ahead}`;
  }
  return `${winnerWords(telling, winnersOf(telling, rows, label), among(named, conditions), label)}.`;
}

/** `**Seattle** has the highest wind: **5**`. */
function winnerWords(telling: Groups, winners: readonly Row[], named: string, label: string): string {
  const value = telling.bold(winners[0], label);
  const names = namesOf(telling, winners);
  return winners.length === 1 ? `${names} has the ${named}: ${value}` : `${names} have the ${named}: ${value} each`;
}

/** Groups that fit a condition on their figure: how many there are, and which. */
function fittingSentence(telling: Groups, figure: Figure): string {
  const { plan, rows, where, result } = telling;
  const names = said(joined(plan.dimensions.map(({ label }) => label)));
  const number = `${result.truncated ? 'more than ' : ''}${numberWords(rows.length)}`;
  const noun = rows.length === 1 && !result.truncated ? 'value has' : 'values have';
  const conditions = joined(plan.having.map((one) => conditionWords(plan, one)));
  const named = rows.map((row) => `**${groupWords(telling, row)}** (${telling.bold(row, figure.label)})`);
  const list = rows.length > LISTED || result.truncated ? '' : `: ${joined(named)}`;
  return `**${number}** ${names} ${noun} ${conditions}${where}${list}.`;
}

function extremesSentence(telling: Groups, figure: Figure): string {
  const { plan, rows, where, result } = telling;
  const { label } = figure;
  const words = figureWords(figure, plan);
  const known = sorted(telling, label);
  const [top] = known;
  if (top === undefined) return withoutNumbers(telling, figure);
  if (rows.length === 1) {
    const of = isNamedByConditions(plan) ? '' : ` of **${groupWords(telling, top)}**`;
    return `The ${among(`${words}${of}`, where)} is ${telling.bold(top, label)}.`;
  }
  const highest = winnersOf(telling, known, label);
  const isOneForAll = highest.length === known.length && known.length > 1 && !result.truncated;
  if (isOneForAll) return `The ${among(words, where)} is the same for ${allWords(known)}: ${telling.bold(top, label)}.`;
  // Of a cut result nobody knows the other end.
  const hasEnd = known.length > 1 && !result.truncated;
  const lowest = hasEnd ? winnersOf(telling, known.toReversed(), label).toReversed() : [];
  const more = developmentOf(telling, label) || differenceOf(telling, known, label);
  return `${endsWords(telling, figure, [highest, lowest])}.${more}`;
}

/** Whether each group is one that a condition asks for, as `by status` of the rows where status is open. */
function isNamedByConditions({ dimensions, filters }: AggregatePlan): boolean {
  const named = columnsOfOneValue(filters);
  return dimensions.every(({ kind, column }) => kind === 'column' && named.includes(column));
}

function allWords({ length }: readonly Row[]): string {
  return length === 2 ? 'both' : `all ${length}`;
}

/** `**Seattle** has the highest average wind (**5**), **Boston** the lowest (**3**)`. */
function endsWords(
  telling: Groups,
  figure: Figure,
  [highest, lowest]: readonly [readonly Row[], readonly Row[]],
): string {
  const { plan, where } = telling;
  const { label } = figure;
  const words = figureWords(figure, plan);
  if (/^(?:highest|lowest) /.test(words)) {
    const ends = [highest, lowest].filter((rows) => rows.length > 0);
    return `The ${among(words, where)} is ${joined(ends.map((rows) => `${telling.bold(rows[0], label)} for ${namesOf(telling, rows)}`))}`;
  }
  const named = endWords(figure, plan, 'highest');
  const least = named.startsWith('most ') ? 'fewest' : 'lowest';
  const low =
    lowest.length === 0 ? '' : `, ${namesOf(telling, lowest)} the ${least} (${valueOf(telling, lowest, label)})`;
  const verb = highest.length === 1 ? 'has' : 'have';
  return `${namesOf(telling, highest)} ${verb} the ${among(named, where)} (${valueOf(telling, highest, label)})${low}`;
}

/** `**3**`, or `**3** each`. */
function valueOf(telling: Groups, winners: readonly Row[], label: string): string {
  return `${telling.bold(winners[0], label)}${winners.length > 1 ? ' each' : ''}`;
}

/** A figure that is no number, such as the most frequent weather of each month, or none at all. */
function withoutNumbers(telling: Groups, figure: Figure): string {
  const { plan, rows, where } = telling;
  const words = figureWords(figure, plan);
  const found = rows.find((row) => telling.cell(row, figure.label) !== null);
  if (found === undefined) return `There is no value for the ${words}${where}.`;
  const [group, value] = [groupWords(telling, found), telling.bold(found, figure.label)];
  if (rows.length === 1) return `The ${words} of **${group}**${where} is ${value}.`;
  return `The table shows the ${words} of ${numberWords(rows.length)} groups${where}. For **${group}** it is ${value}.`;
}

/** Where groups follow each other in time, from what to what it went. */
function developmentOf(telling: Groups, label: string): string {
  const { plan, rows, result } = telling;
  const [dimension, second] = plan.dimensions;
  if (dimension?.kind !== 'bucket' || second !== undefined || result.truncated || rows.length < 2) return '';
  const times = rows.map((row) => String(telling.cell(row, dimension.label)));
  const isInOrder = times.every((time, index) => index === 0 || (times[index - 1] ?? '') < time);
  const [first, last] = [rows[0], rows.at(-1)];
  const [before, after] = [telling.number(first, label), telling.number(last, label)];
  if (!isInOrder || before === null || after === null) return '';
  const change = rows.length > 2 ? '' : stepWords(telling, label, [before, after]);
  return ` It went from ${telling.bold(first, label)} (${groupWords(telling, first)}) to ${telling.bold(last, label)} (${groupWords(telling, last)})${change}.`;
}

/** `, **3** more (4.5 %)`; nothing of figures that are percent already. */
function stepWords(telling: Groups, label: string, [before, after]: readonly [number, number]): string {
  const change = Number((after - before).toPrecision(12));
  if (change === 0 || telling.writeNumber(before, label).endsWith('%')) return '';
  const size = Math.abs(change);
  const percent = before > 0 ? ` (${percentWords(Number(((size / before) * 100).toPrecision(12)))})` : '';
  return `, **${telling.writeNumber(size, label)}** ${change > 0 ? 'more' : 'less'}${percent}`;
}

/** Two groups are compared. */
function differenceOf(telling: Groups, known: readonly Row[], label: string): string {
  const [high, low] = [telling.number(known[0], label), telling.number(known[1], label)];
  const isPair = known.length === 2 && telling.rows.length === 2 && !telling.result.truncated;
  const isPercent = telling.words(known[0], label).endsWith('%');
  if (!isPair || isPercent || high === null || low === null) return '';
  const difference = Number((high - low).toPrecision(12));
  const percent = low > 0 ? ` (${percentWords(Number(((difference / low) * 100).toPrecision(12)))} more)` : '';
  return ` The difference is **${telling.writeNumber(difference, label)}**${percent}.`;
}

/** A figure that follows from those of the groups before it, or from all of them. */
function seriesSentence(telling: Groups, series: Series): string {
  const { plan, where, rows } = telling;
  const known = rows.filter((row) => telling.number(row, series.label) !== null);
  const words = figureWords(series, plan);
  const last = known.at(-1);
  const isChange = series.kind === 'change' || series.kind === 'growth';
  if (last === undefined) {
    const why = isChange ? ': there is nothing before it to compare with' : '';
    return `There is no value for the ${words}${where}${why}.`;
  }
  if (isChange) return changeSentence(telling, series, known);
  if (series.kind === 'share') return shareSentence(telling, series);
  if (series.kind === 'rank') return rankSentence(telling, series);
  const ends = endsOfSeries(telling, known);
  const end = telling.result.truncated ? 'as far as the rows go' : 'at the end';
  if (ends.length < 2) {
    return `The ${words}${where} reaches ${telling.bold(last, series.label)} ${end} (**${groupWords(telling, last)}**).`;
  }
  const named = ends.map((row) => `${telling.bold(row, series.label)} for **${seriesOf(telling, row)}**`);
  return `The ${words}${where} reaches ${named.length > LISTED ? firstFew(named) : joined(named)} ${end}.`;
}

/** What a series is of, as `Seattle`; nothing where there is but one. */
function seriesOf(telling: Groups, row: Row): string {
  const own = telling.plan.dimensions.filter(({ kind }) => kind === 'column');
  return own.length === telling.plan.dimensions.length
    ? ''
    : own.map(({ label }) => telling.words(row, label)).join(', ');
}

/** The last row of each series. */
function endsOfSeries(telling: Groups, rows: readonly Row[]): readonly Row[] {
  return [...new Map(rows.map((row) => [seriesOf(telling, row), row])).values()];
}

function shareSentence(telling: Groups, { of, label }: Series): string {
  const { plan, where, result } = telling;
  const base = plan.measures[of]?.label ?? 'figure';
  const rows = sorted(telling, label);
  const [top] = rows;
  if (rows.length === 1) {
    const amount = telling.number(top, base) === null ? '' : ` (${telling.bold(top, base)})`;
    return `**${groupWords(telling, top)}** has ${telling.bold(top, label)} of the ${said(base)}${where}${amount}.`;
  }
  const isWhole = !result.truncated && plan.limit === null;
  const [largest, lowest] = [winnersOf(telling, rows, label), winnersOf(telling, rows.toReversed(), label)];
  if (isWhole && largest.length === rows.length) {
    return `The share of the ${said(base)}${where} is the same for ${allWords(rows)}: ${telling.bold(top, label)}.`;
  }
  const smallest = `, ${namesOf(telling, lowest.toReversed())} the smallest (${valueOf(telling, lowest, label)})`;
  const verb = largest.length === 1 ? 'has' : 'have';
  return `${namesOf(telling, largest)} ${verb} the largest share of the ${said(base)}${where} (${valueOf(telling, largest, label)})${isWhole ? smallest : ''}.`;
}

function rankSentence(telling: Groups, { of, label }: Series): string {
  const measure = telling.plan.measures[of];
  const best = sorted(telling, label).at(-1);
  const value = measure === undefined ? '' : ` (${telling.bold(best, measure.label)})`;
  return `**${groupWords(telling, best)}** has rank ${telling.bold(best, label)} by ${baseWords(telling, of)}${telling.where}${value}.`;
}

function baseWords({ plan }: Groups, of: number): string {
  const measure = plan.measures[of];
  return measure === undefined ? 'figure' : figureWords(measure, plan);
}

/** One step is told as such; of many the largest ones. */
function changeSentence(telling: Groups, series: Series, known: readonly Row[]): string {
  const { label } = series;
  const words = `${baseWords(telling, series.of)}${telling.where}`;
  const [only, another] = known;
  if (only !== undefined && another === undefined) return stepSentence(telling, series, only);
  const rows = sorted(telling, label);
  const [top, bottom] = [rows[0], rows.at(-1)];
  const rise = `rises most in **${groupWords(telling, top)}** (**+${telling.words(top, label)}**)`;
  const fall = `falls most in **${groupWords(telling, bottom)}** (${telling.bold(bottom, label)})`;
  const steps = [
    ...((telling.number(top, label) ?? 0) > 0 ? [rise] : []),
    ...((telling.number(bottom, label) ?? 0) < 0 ? [fall] : []),
  ];
  if (steps.length === 0) return `The ${words} does not change.`;
  // Of a cut result nobody knows the other end.
  if (telling.result.truncated) return `The ${words} ${steps[0] ?? ''}, as far as the rows go.`;
  return `The ${words} ${steps.join(' and ')}.`;
}

function stepSentence(telling: Groups, { of, label }: Series, row: Row): string {
  const measure = telling.plan.measures[of];
  const before = telling.rows[telling.rows.indexOf(row) - 1];
  const change = telling.number(row, label) ?? 0;
  const size = `**${telling.writeNumber(Math.abs(change), label)}**`;
  const verb = change > 0 ? 'rises' : change < 0 ? 'falls' : 'changes';
  const figures =
    measure === undefined || before === undefined
      ? ''
      : `, from ${telling.bold(before, measure.label)} (${groupWords(telling, before)}) to ${telling.bold(row, measure.label)}`;
  return `In **${groupWords(telling, row)}** the ${baseWords(telling, of)}${telling.where} ${verb} by ${size}${figures}.`;
}
