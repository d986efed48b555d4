import type { Aggregate, SeriesKind } from '../../../ports/analysis-plan.js';
import type { ColumnFacts } from '../column-facts.js';
import type { MeasureDraft } from '../../../analyst/reading/draft.js';
import { timeUnitOf } from '../time-words.js';
import { aggregatesAt } from './aggregates.js';
import { onlyColumnAt } from './column-mentions.js';
import { figureNamed } from './figures.js';
import { phraseSet, type Line } from './line.js';
import { modifiersAt } from './modifiers.js';
import { dayAt, rowNounAt } from './nouns.js';
import type { Sentence } from './sentence.js';
import { momentColumn, momentFilter, stretchAt, type Stretch } from './time-conditions.js';

const SMALL = new Set(['of', 'the', 'in', 'for', 'all', 'our', 'total', 'number', 'rate', 'count']);
const PART = phraseSet(
  'what percentage of|what percent of|what share of|what proportion of|what fraction of|percentage of|percent of|proportion of|fraction of|share of|the percentage of|the share of|the proportion of|the fraction of|which percentage of',
);
const RUNNING = phraseSet(
  'running total of|running total|running sum of|running sum|cumulative total of|cumulative sum of|cumulative|cumulative number of|running count of|cumulative count of|accumulated',
);
const GROWTH = phraseSet(
  'growth of|growth in|growth rate of|growth|growth rate|percent change in|percentage change in|percentage change of|relative change of|relative change in',
);
const CHANGE = phraseSet('change in|change of|absolute change in|increase in|difference to the previous');
const OVER = phraseSet('month over month|month on month|mom|month to month|from month to month');
const OVER_YEAR = phraseSet('year over year|year on year|yoy|year to year|from year to year');
const OVER_QUARTER = phraseSet('quarter over quarter|quarter on quarter|qoq|from quarter to quarter');
const OVER_WEEK = phraseSet('week over week|week on week|wow|from week to week');
const OVER_DAY = phraseSet('day over day|day on day|from day to day');
const STEPS = [
  ['month', OVER],
  ['year', OVER_YEAR],
  ['quarter', OVER_QUARTER],
  ['week', OVER_WEEK],
  ['day', OVER_DAY],
] as const;
const MOVING = phraseSet(
  'moving average of|rolling average of|moving average|rolling average|moving mean of|rolling mean of|rolling mean|moving mean',
);
const RATIO = phraseSet('ratio of|the ratio of|ratio between|the ratio between');
const VERSUS = phraseSet(
  'vs|versus|compared to|compared with|against|in comparison to|in comparison with|as opposed to',
);

/** Figures that follow from others: shares, growth, running totals, moving averages, ratios, two periods side by side. */
export function computedAt(sentence: Sentence, at: number): number | null {
  return (
    partAt(sentence, at) ??
    runningAt(sentence, at) ??
    stepAt(sentence, at) ??
    growthAt(sentence, at) ??
    movingAt(sentence, at) ??
    ratioAt(sentence, at) ??
    periodsAt(sentence, at)
  );
}

interface Figure {
  readonly measure: MeasureDraft;
  readonly next: number;
}

/** A figure to go on from: a named column with what is done to it, or the rows counted. */
function figureAt(sentence: Sentence, at: number): Figure | null {
  const { line } = sentence;
  const aggregated = aggregatesAt(line, line.skip(at, new Set(['of', 'the', 'in'])));
  const place = line.skip(aggregated?.next ?? at, SMALL);
  const noun = rowNounAt(sentence, place) ?? dayAt(sentence, place);
  const figure = figureNamed(sentence, place);
  if (figure !== null && figure.next >= (noun ?? 0)) {
    return { measure: measureOf(figure.column, aggregated?.aggregates[0]), next: figure.next };
  }
  return rowsCounted(sentence, noun);
}

function rowsCounted(sentence: Sentence, noun: number | null): Figure | null {
  if (noun === null) return null;
  sentence.rows = true;
  return { measure: { aggregate: 'count', column: null }, next: noun };
}

/** What was said is done to a column, or what is usual. */
function measureOf({ name, additive }: ColumnFacts, aggregate?: Aggregate): MeasureDraft {
  return { aggregate: aggregate ?? (additive ? 'sum' : 'avg'), column: name };
}

const CLAIMS = new Set('is are was were has have had got did do does'.split(' '));

/** `what share of concerts in Graz was sold out`: what stands before the verb says of which rows the share is. */
export function claimAt(sentence: Sentence, at: number): null {
  const { line, part, filters } = sentence;
  if (part === null || part.isClaimed === true || !CLAIMS.has(line.key(at)) || line.is(at - 1, 'that', 'who', 'which'))
    return null;
  part.from = filters.length;
  part.isClaimed = true;
  return null;
}

/** Shares of rows that fit a condition, or of a figure by group. */
function partAt(sentence: Sentence, at: number): number | null {
  const { line } = sentence;
  const said = line.phrase(at, PART);
  if (said === null || sentence.items.length > 0) return null;
  const before = sentence.filters.length;
  const start = line.skip(said, new Set(['the', 'all', 'our', 'total']));
  const place = modifiersAt(sentence, start);
  const figure = wholeAt(sentence, { start, place });
  if (figure === null) return null;
  sentence.part = {
    // Only what is added up has parts.
    figure: figure.measure.aggregate === 'avg' ? { ...figure.measure, aggregate: 'sum' } : figure.measure,
    from: sentence.filters.length > before && !isClaimed(sentence, figure.next) ? before : sentence.filters.length,
  };
  sentence.tail = true;
  return figure.next;
}

/** Of what a share is asked: of a figure, of rows, or of rows of one kind. */
function wholeAt(sentence: Sentence, { start, place }: { start: number; place: number }): Figure | null {
  const figure = figureAt(sentence, place) ?? kindOfRows(sentence, { start, place });
  return figure === null || isOnlyNear(sentence, place, figure) ? null : figure;
}

/** In `what percent of patients` nobody speaks of the sum of their ages. */
function isOnlyNear({ line }: Sentence, at: number, { measure }: Figure): boolean {
  const named = onlyColumnAt(line, line.skip(at, SMALL));
  return measure.aggregate === 'avg' && named !== null && named.strength < 74;
}

/** Whether something is said of them yet: `what share of French singers is active`. */
function isClaimed({ line }: Sentence, at: number): boolean {
  return line.isWord(at) && !ADDS.has(line.key(at));
}

/** Words that begin a group, or one more condition of the whole. */
const ADDS = new Set(
  'by per in for each every across of from at on with without and since during between before after within grouped split'.split(
    ' ',
  ),
);

/** `what percentage of tankers was inspected`: rows of one kind go without saying that they are rows. */
function kindOfRows(sentence: Sentence, { start, place }: { start: number; place: number }): Figure | null {
  if (place === start || !isClaimed(sentence, place)) return null;
  sentence.rows = true;
  return { measure: { aggregate: 'count', column: null }, next: place };
}

function addSeries(sentence: Sentence, kind: SeriesKind, { measure, next }: Figure, window?: number): number {
  const of = sentence.addMeasure(measure);
  sentence.computed.push({ kind, of, ...(window === undefined ? {} : { window }) });
  sentence.tail = true;
  return next;
}

function runningAt(sentence: Sentence, at: number): number | null {
  const said = sentence.line.phrase(at, RUNNING);
  const figure = said === null ? null : figureAt(sentence, said);
  if (figure === null || figure.measure.aggregate === 'avg') return null;
  return addSeries(sentence, 'cumulative', figure);
}

/** `month over month growth of revenue`, `year over year change in price`. */
function stepAt(sentence: Sentence, at: number): number | null {
  const { line, facts } = sentence;
  for (const [bucket, phrases] of STEPS) {
    const said = line.phrase(at, phrases);
    if (said === null || facts.time === null) continue;
    sentence.addGroup({ kind: 'bucket', column: facts.time.name, bucket });
    const last = sentence.computed.at(-1);
    return last !== undefined ? said : (growthAt(sentence, said) ?? null);
  }
  return null;
}

function growthAt(sentence: Sentence, at: number): number | null {
  const { line } = sentence;
  const grown = line.phrase(at, GROWTH);
  const said = grown ?? line.phrase(at, CHANGE);
  if (said === null) return null;
  const figure = figureAt(sentence, said) ?? figureBefore(sentence, said);
  return figure === null ? null : addSeries(sentence, grown === null ? 'change' : 'growth', figure);
}

/** `revenue growth by month`: the figure stands before it. */
function figureBefore(sentence: Sentence, next: number): Figure | null {
  const [item, another] = sentence.items;
  const column = item?.kind === 'column' ? sentence.columnNamed(item.column) : undefined;
  if (column?.role !== 'figure' || another !== undefined) return null;
  sentence.items.pop();
  return { measure: measureOf(column), next };
}

/** `7 day moving average of sales`. */
function movingAt(sentence: Sentence, at: number): number | null {
  const { line, facts } = sentence;
  const window = facts.time === null ? null : windowAt(line, at);
  const said = window === null ? null : line.phrase(window.next, MOVING);
  const figure = said === null ? null : figureAt(sentence, said);
  return window === null || figure === null ? null : addMoving(sentence, figure, window);
}

function addMoving(sentence: Sentence, figure: Figure, { size, unit }: Window): number {
  const { time } = sentence.facts;
  if (unit !== null && time !== null) sentence.addGroup({ kind: 'bucket', column: time.name, bucket: unit });
  if (size === null) sentence.note(`I took the average of ${String(USUAL_WINDOW)} at a time.`);
  return addSeries(sentence, 'moving_average', figure, size ?? USUAL_WINDOW);
}

const USUAL_WINDOW = 3;
const LONGEST_WINDOW = 1000;

/** Over how many figures an average moves, `null` where that is not said, and of what each. */
interface Window {
  readonly size: number | null;
  readonly unit: ReturnType<typeof timeUnitOf>;
  readonly next: number;
}

function windowAt(line: Line, at: number): Window | null {
  const number = line.number(at);
  if (number === null) return { size: null, unit: null, next: at };
  const isSpan = number.unit !== null && /^(day|hour|minutes)/.test(number.unit);
  if (isSpan || !isWindow(number.value)) return null;
  const unit = timeUnitOf(line.key(number.next));
  return { size: number.value, unit, next: unit === null ? number.next : number.next + 1 };
}

function isWindow(size: number): boolean {
  return Number.isInteger(size) && size >= 2 && size <= LONGEST_WINDOW;
}

/** `ratio of home score to away score`, of the sums. */
function ratioAt(sentence: Sentence, at: number): number | null {
  const { line } = sentence;
  const said = line.phrase(at, RATIO);
  const left = said === null ? null : figureAt(sentence, said);
  if (left === null || !line.is(left.next, 'to', 'and')) return null;
  const right = figureAt(sentence, left.next + 1);
  if (right === null) return null;
  sentence.computed.push({
    kind: 'ratio',
    left: sentence.addMeasure(left.measure),
    right: sentence.addMeasure(right.measure),
  });
  sentence.tail = true;
  return right.next;
}

/** `revenue 2023 vs 2022`: the later against the earlier, with the difference and the change. */
function periodsAt(sentence: Sentence, at: number): number | null {
  const pair = stretchesAt(sentence, at);
  if (pair === null || sentence.groups.length > 0) return null;
  const column = momentColumn(sentence, sentence.hinted);
  if (typeof column === 'string') return null;
  const [later, earlier] = [momentFilter(column, pair.later), momentFilter(column, pair.earlier)];
  if (typeof later === 'string' || typeof earlier === 'string') return null;
  sentence.periods = [later, earlier];
  return pair.next;
}

interface Stretches {
  readonly later: Stretch;
  readonly earlier: Stretch;
  readonly next: number;
}

function stretchesAt(sentence: Sentence, at: number): Stretches | null {
  const { line } = sentence;
  const first = stretchAt(sentence, at);
  const place = first === null ? null : versusAt(line, first.next);
  const second = place === null ? null : stretchAt(sentence, line.skip(place, new Set(['the'])));
  if (first?.from == null || second?.from == null) return null;
  const [later, earlier] = first.from > second.from ? [first, second] : [second, first];
  return { later, earlier, next: second.next };
}

/** An `and` sets side by side where the question says that it compares. */
function versusAt(line: Line, at: number): number | null {
  return line.phrase(at, VERSUS) ?? (line.is(at, 'and') && saysVersus(line) ? at + 1 : null);
}

function saysVersus(line: Line): boolean {
  return line.tokens.some((_, place) => line.phrase(place, VERSUS) !== null || line.is(place, 'compare', 'comparison'));
}
