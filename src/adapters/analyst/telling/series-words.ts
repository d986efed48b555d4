import type { Computed } from '../../../ports/analysis-plan.js';
import { figureWords, groupWords } from './group-parts.js';
import { said, type Aggregation, type Row, type Telling } from './telling.js';

type Series = Extract<Computed, { readonly of: number }>;

/** A figure that follows from those of the groups before it, or from all of them. */
export function seriesSentence(telling: Telling<Aggregation>, series: Series): string {
  const known = telling.rows.filter((row) => telling.number(row, series.label) !== null);
  const words = figureWords(series, telling.plan);
  const [first, last] = [known[0], known.at(-1)];
  if (first === undefined || last === undefined) return noneSentence(telling, series, words);
  switch (series.kind) {
    case 'share':
      return shareSentence(telling, series, known);
    case 'rank':
      return rankSentence(telling, series, known);
    case 'change':
    case 'growth':
      return changeSentence(telling, series, known);
    case 'cumulative':
    case 'cumulative_share':
    case 'moving_average':
      return `The ${words}${telling.where} is ${telling.bold(last, series.label)} at the end (**${groupWords(telling, last)}**).`;
  }
}

function noneSentence(telling: Telling<Aggregation>, { kind }: Series, words: string): string {
  const before = kind === 'change' || kind === 'growth' ? ': there is nothing before it to compare with' : '';
  return `There is no value for the ${words}${telling.where}${before}.`;
}

/** From highest to lowest. */
function ranked(telling: Telling<Aggregation>, rows: readonly Row[], label: string): readonly Row[] {
  return rows.toSorted((a, b) => (telling.number(b, label) ?? 0) - (telling.number(a, label) ?? 0));
}

function shareSentence(telling: Telling<Aggregation>, series: Series, known: readonly Row[]): string {
  const { label } = series;
  const of = said(telling.plan.measures[series.of]?.label ?? 'figure');
  const rows = ranked(telling, known, label);
  const [top, bottom] = [rows[0], rows.at(-1)];
  const { where } = telling;
  if (rows.length === 1) {
    return `**${groupWords(telling, top)}** has a share of ${telling.bold(top, label)} of the ${of}${where}${baseOf(telling, series, top)}.`;
  }
  const isWhole = !telling.result.truncated && telling.plan.limit === null;
  const smallest = isWhole ? `, **${groupWords(telling, bottom)}** the smallest (${telling.bold(bottom, label)})` : '';
  return `**${groupWords(telling, top)}** has the largest share of the ${of}${where} (${telling.bold(top, label)})${smallest}.`;
}

/** The figure that a share is of. */
function baseOf(telling: Telling<Aggregation>, { of }: Series, row: Row | undefined): string {
  const label = telling.plan.measures[of]?.label;
  return label === undefined || telling.number(row, label) === null ? '' : ` (${telling.bold(row, label)})`;
}

function rankSentence(telling: Telling<Aggregation>, series: Series, known: readonly Row[]): string {
  const of = telling.plan.measures[series.of];
  const best = ranked(telling, known, series.label).at(-1);
  const words = of === undefined ? 'figure' : figureWords(of, telling.plan);
  const value = of === undefined ? '' : ` with ${telling.bold(best, of.label)}`;
  return `By ${words}${telling.where}, **${groupWords(telling, best)}** has rank ${telling.bold(best, series.label)}${value}.`;
}

/** One step is told as such; of many the largest ones. */
function changeSentence(telling: Telling<Aggregation>, series: Series, known: readonly Row[]): string {
  const words = baseWords(telling, series);
  if (known.length === 1) return stepSentence(telling, series, known[0]);
  const rows = ranked(telling, known, series.label);
  const steps = [riseWords(telling, series, rows[0]), fallWords(telling, series, rows.at(-1))].filter(Boolean);
  if (steps.length === 0) return `The ${words}${telling.where} does not change.`;
  // Of a cut result nobody knows the other end.
  if (telling.result.truncated) return `The ${words}${telling.where} ${steps[0] ?? ''}, as far as the rows go.`;
  return `The ${words}${telling.where} ${steps.join(' and ')}.`;
}

function riseWords(telling: Telling<Aggregation>, { label }: Series, top: Row | undefined): string {
  if ((telling.number(top, label) ?? 0) <= 0) return '';
  return `rises most in **${groupWords(telling, top)}** (**+${telling.words(top, label)}**)`;
}

function fallWords(telling: Telling<Aggregation>, { label }: Series, bottom: Row | undefined): string {
  if ((telling.number(bottom, label) ?? 0) >= 0) return '';
  return `falls most in **${groupWords(telling, bottom)}** (**${telling.words(bottom, label)}**)`;
}

/** What the figure follows from. */
function baseWords({ plan }: Telling<Aggregation>, { of }: Series): string {
  const measure = plan.measures[of];
  return measure === undefined ? 'figure' : figureWords(measure, plan);
}

function stepSentence(telling: Telling<Aggregation>, series: Series, row: Row | undefined): string {
  const of = telling.plan.measures[series.of];
  const words = baseWords(telling, series);
  const place = telling.rows.findIndex((one) => one === row);
  const before = telling.rows[place - 1];
  const change = telling.number(row, series.label) ?? 0;
  const figures =
    of === undefined || before === undefined
      ? ''
      : `, from ${telling.bold(before, of.label)} (${groupWords(telling, before)}) to ${telling.bold(row, of.label)}`;
  const verb = change > 0 ? 'rises by' : change < 0 ? 'falls by' : 'changes by';
  return `In **${groupWords(telling, row)}** the ${words}${telling.where} ${verb} **${unsigned(telling, change, series.label)}**${figures}.`;
}

function unsigned(telling: Telling<Aggregation>, change: number, label: string): string {
  return telling.writeNumber(Math.abs(change), label);
}
