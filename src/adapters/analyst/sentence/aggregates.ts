import type { Aggregate } from '../../../ports/analysis-plan.js';
import { adjectiveOf } from '../superlatives.js';
import { phraseSet, type Line, type PhraseSet } from './line.js';

/** What is done to a figure, by the words for it. */
export const AGGREGATE_WORDS: readonly { readonly aggregate: Aggregate; readonly phrases: PhraseSet }[] = [
  {
    aggregate: 'avg',
    phrases: phraseSet(
      'average|averages|averaged|averaging|avg|mean|typical|usual|the average value for|the mean value for|average value for|mean value for|the average value of|the mean value of|average value of|mean value of|average amount of',
    ),
  },
  {
    aggregate: 'sum',
    phrases: phraseSet(
      'total|totals|sum|sums|add up|sum up|total up|adding up|summed|summed up|the sum of|total value for|combined|total amount of|sum total|total sum|overall total|aggregate|total value of',
    ),
  },
  { aggregate: 'min', phrases: phraseSet('minimum|min|minimal|lowest value of|smallest value of|minimum value of') },
  { aggregate: 'max', phrases: phraseSet('maximum|max|maximal|highest value of|largest value of|maximum value of') },
  { aggregate: 'median', phrases: phraseSet('median|medians') },
  { aggregate: 'stddev', phrases: phraseSet('standard deviation|standard deviations|std|stdev|stddev|std dev') },
  { aggregate: 'range', phrases: phraseSet('range') },
  { aggregate: 'variance', phrases: phraseSet('variance') },
];

export interface AggregateMention {
  readonly aggregates: readonly Aggregate[];
  readonly next: number;
}

/** `average, minimum and maximum`: all that are named in a row. */
export function aggregatesAt(line: Line, at: number): AggregateMention | null {
  const aggregates: Aggregate[] = [];
  let next = at;
  for (let found = one(line, at); found !== null;) {
    aggregates.push(found.aggregate);
    next = found.next;
    const place = line.skip(next, new Set([',', 'and', 'the', 'as', 'well', 'or', '&']));
    found = place === next ? null : one(line, place);
  }
  return aggregates.length === 0 ? null : { aggregates, next };
}

function one(line: Line, at: number): { readonly aggregate: Aggregate; readonly next: number } | null {
  for (const { aggregate, phrases } of AGGREGATE_WORDS) {
    const next = line.phrase(at, phrases);
    if (next !== null) return { aggregate, next };
  }
  return extreme(line, at);
}

/** `shortest, longest and average`: more of them in the same row. */
function isFollowed(line: Line, at: number): boolean {
  const next = line.skip(at + 1, new Set([',', 'and', 'the']));
  return next > at + 1 && isAggregate(line, next);
}

/** `lowest and highest price` are figures where both are asked for. */
function extreme(line: Line, at: number): { readonly aggregate: Aggregate; readonly next: number } | null {
  const aggregate = extremeMeant(line.key(at));
  const isOneOfMany = aggregate !== null && (precedesAnother(line, at) || followsAnother(line, at));
  return isOneOfMany ? { aggregate, next: at + 1 } : null;
}

function extremeMeant(word: string): 'max' | 'min' | null {
  const hint = adjectiveOf(word, 'superlative')?.hints[0]?.direction;
  if (HIGHEST.has(word) || hint === 'desc') return 'max';
  return LOWEST.has(word) || hint === 'asc' ? 'min' : null;
}

const HIGHEST = new Set(['highest', 'largest', 'biggest', 'greatest']);
const LOWEST = new Set(['lowest', 'smallest', 'least']);

function precedesAnother(line: Line, at: number): boolean {
  const other = line.skip(at + 1, new Set([',', 'and', 'the']));
  if (other === at + 1) return false;
  if (isAggregate(line, other) || line.is(other, 'highest', 'lowest', 'largest', 'smallest', 'biggest')) return true;
  return isSuperlative(line, other) && isFollowed(line, other);
}

function followsAnother(line: Line, at: number): boolean {
  return line.is(at - 1, 'and', ',') && (isSuperlative(line, at - 2) || ONE_FIGURE.test(line.key(at - 2)));
}

const ONE_FIGURE = /^(average|avg|mean|total|minimum|maximum|median|highest|lowest|smallest|largest|min|max|,)$/;

function isSuperlative(line: Line, at: number): boolean {
  return adjectiveOf(line.key(at), 'superlative') !== null;
}

function isAggregate(line: Line, at: number): boolean {
  return AGGREGATE_WORDS.some(({ phrases }) => line.phrase(at, phrases) !== null);
}
