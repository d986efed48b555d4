import type { Aggregate } from '../../../ports/analysis-plan.js';
import type { MeasureDraft, SummaryDraft } from '../../../analyst/reading/draft.js';
import { GROUPINGS } from '../phrases.js';
import { aggregatesAt } from './aggregates.js';
import { onlyColumnAt } from './column-mentions.js';
import { COUNT } from './count-at.js';
import { ARTICLES, arithmeticAt, computationAt, figureNamed, type Operand } from './figures.js';
import { rowNounAt } from './nouns.js';
import type { Sentence } from './sentence.js';
import { signedFigureAt, signSaidAt } from './sign-conditions.js';

const SMALL = new Set([
  'of',
  'the',
  'for',
  'all',
  'value',
  'values',
  'their',
  'its',
  'a',
  'an',
  'each',
  'in',
  'amount',
  'both',
]);

/** `average age`, `minimum and maximum price`, `total revenue minus total cost`, `average number of students per major`. */
export function aggregateAt(sentence: Sentence, at: number): number | null {
  const { line } = sentence;
  const found = aggregatesAt(line, line.skip(at, new Set(['the', 'their', 'its'])));
  if (found === null) return null;
  const place = pastSigns(sentence, line.skip(found.next, SMALL));
  const spanned = spannedAt(sentence, found.aggregates, place);
  if (spanned !== null) return spanned;
  const counted = line.phrase(place, COUNT);
  if (counted !== null) return countsAt(sentence, found.aggregates, counted);
  const computed = computationAt(sentence, place);
  if (computed !== null) {
    addAll(sentence, found.aggregates, computed.name);
    return computed.next;
  }
  const next = columnsAt(sentence, found.aggregates, place);
  return next === null ? null : (combinedAt(sentence, next) ?? next);
}

/** `the average of the non-zero fines`, `the mean daily rain` where each row is of a day. */
function pastSigns(sentence: Sentence, at: number): number {
  const { line, facts } = sentence;
  if (facts.daily && line.is(at, 'daily')) return at + 1;
  return signSaidAt(line, at) === null ? at : (signedFigureAt(sentence, at) ?? at);
}

/** A figure with the place after it. */
interface Measured {
  readonly measure: MeasureDraft;
  readonly next: number;
}

/** `average daily revenue`: the average of the sums of each day. */
function spannedAt(sentence: Sentence, [aggregate, another]: readonly Aggregate[], at: number): number | null {
  const { time } = sentence.facts;
  const bucket = spanAt(sentence, at);
  const isSummary = aggregate !== 'stddev' && another === undefined;
  const over = isSummary ? summaryOf(aggregate) : null;
  if (over === null || bucket === null || time === null) return null;
  const each = perSpanAt(sentence, at + 1);
  if (each === null) return null;
  sentence.addMeasure(each.measure);
  sentence.addGroup({ kind: 'bucket', column: time.name, bucket });
  sentence.summary = { aggregate: over, measure: 0 };
  sentence.tail = true;
  return each.next;
}

const SUMMARIES: readonly SummaryDraft['aggregate'][] = ['avg', 'min', 'max', 'median', 'stddev'];

/** What can be said of a row of figures. */
function summaryOf(aggregate: Aggregate | undefined): SummaryDraft['aggregate'] | null {
  return SUMMARIES.find((one) => one === aggregate) ?? null;
}

/** `daily`, `monthly`; of rows that are days already `daily` says nothing. */
function spanAt({ line, facts }: Sentence, at: number): SpanBucket | null {
  const span = GROUPINGS.get(line.key(at));
  if (span?.kind !== 'bucket' || span.noun) return null;
  return facts.daily && span.bucket === 'day' ? null : span.bucket;
}

type SpanBucket = Extract<ReturnType<typeof GROUPINGS.get>, { readonly kind: 'bucket' }>['bucket'];

function perSpanAt(sentence: Sentence, at: number): Measured | null {
  const figure = figureNamed(sentence, at);
  if (figure === null) {
    const noun = rowNounAt(sentence, at);
    return noun === null ? null : { measure: { aggregate: 'count', column: null }, next: noun };
  }
  const { name, additive } = figure.column;
  return additive ? { measure: { aggregate: 'sum', column: name }, next: figure.next } : null;
}

const COMBINED = { '+': 'sum', '-': 'difference', '*': 'product', '/': 'ratio' } as const;

/** `total gross minus total budget`: a figure that follows from two. */
function combinedAt(sentence: Sentence, at: number): number | null {
  const sign = arithmeticAt(sentence.line, at);
  const second = sign === null ? null : oneAggregateAt(sentence, sentence.line.skip(sign.next, ARTICLES));
  if (sign === null || second === null) return null;
  const left = sentence.measures.length - 1;
  const right = sentence.addMeasure(second.measure);
  sentence.computed.push({ kind: COMBINED[sign.operator], left, right });
  return second.next;
}

function oneAggregateAt(sentence: Sentence, at: number): Measured | null {
  const found = aggregatesAt(sentence.line, at);
  const [aggregate, another] = found?.aggregates ?? [];
  if (found === null || aggregate === undefined || another !== undefined) return null;
  const operand = figureNamed(sentence, sentence.line.skip(found.next, SMALL));
  return operand === null ? null : { measure: { aggregate, column: operand.column.name }, next: operand.next };
}

function columnsAt(sentence: Sentence, aggregates: readonly Aggregate[], at: number): number | null {
  const { line } = sentence;
  const first = measured(sentence, at, aggregates);
  if (first === null) return null;
  addAll(sentence, aggregates, first.column.name);
  let next = first.next;
  // `average age and salary`: the next figure is meant so, too.
  for (;;) {
    const place = line.skip(next, new Set([',', 'and', 'of', 'the']));
    const isJoined = line.is(next, ',', 'and') && !line.is(place - 1, 'their');
    const more = isJoined ? measured(sentence, place, aggregates) : null;
    if (more === null || line.is(more.next, 'is', 'was', '>', '<', '=', 'above', 'below', 'over', 'under')) return next;
    addAll(sentence, aggregates, more.column.name);
    next = more.next;
  }
}

/** The column that is aggregated; of times only the first and the last make sense. */
function measured(sentence: Sentence, at: number, aggregates: readonly Aggregate[]): Operand | null {
  const figure = figureNamed(sentence, at);
  if (figure !== null) return figure;
  const named = onlyColumnAt(sentence.line, at);
  const isBounds = aggregates.every((one) => one === 'min' || one === 'max');
  return named?.column.role === 'time' && isBounds ? { column: named.column, next: named.next } : null;
}

function addAll(sentence: Sentence, aggregates: readonly Aggregate[], column: string): void {
  for (const aggregate of aggregates) sentence.addMeasure({ aggregate, column });
}

/** A figure over counts: `average number of students per major`. The groups follow. */
function countsAt(sentence: Sentence, aggregates: readonly Aggregate[], at: number): number | null {
  const [aggregate, another] = aggregates;
  const noun = rowNounAt(sentence, sentence.line.skip(at, new Set(['the', 'all', 'different'])));
  if (noun === null) return columnsAt(sentence, aggregates, at);
  const over = summaryOf(aggregate);
  if (another !== undefined || (over === null && aggregate !== 'sum')) return null;
  sentence.addMeasure({ aggregate: 'count', column: null });
  sentence.rows = true;
  sentence.tail = true;
  if (over !== null) sentence.summary = { aggregate: over, measure: 0 };
  return noun;
}
