import type { Aggregate, DerivedColumn, Filter } from '../../ports/analysis-plan.js';
import type { Direction } from './column-facts.js';
import type { DimensionDraft, MeasureDraft } from '../../analyst/reading/draft.js';
import type { Cues } from './follow-up-cues.js';
import type { Reading } from './reading.js';
import { aggregatesAt } from './sentence/aggregates.js';
import { Line } from './sentence/line.js';
import { readParts } from './sentence/read-sentence.js';
import type { OrderKey, Sentence } from './sentence/sentence.js';
import type { TableFacts } from './table-facts.js';

/** What a message changes in the question before it. */
export interface Change {
  readonly filters: readonly Filter[];
  readonly derived: readonly DerivedColumn[];
  readonly groups: readonly DimensionDraft[];
  readonly measures: readonly MeasureDraft[];
  /** Columns that were named and nothing else. */
  readonly columns: readonly string[];
  /** Figures of what was asked before: `and the median?`. */
  readonly aggregates: readonly Aggregate[];
  readonly order: readonly OrderKey[];
  /** `top 3`, `the lowest`. */
  readonly limit: number | null;
  readonly direction: Direction | null;
  /** It comes to what was there; else it takes its place. */
  readonly adds: boolean;
}

const NOTHING: Omit<Change, 'adds'> = {
  filters: [],
  derived: [],
  groups: [],
  measures: [],
  columns: [],
  aggregates: [],
  order: [],
  limit: null,
  direction: null,
};

/** What a message changes, read as a part of a sentence; `null` when it has a word that is not understood, or changes nothing. */
export function changeOf({ rest, adds }: Cues, facts: TableFacts, now: Date): Change | null {
  const line = new Line(rest, facts, now);
  const extreme = extremeOf(line);
  if (extreme !== null) return { ...NOTHING, adds, direction: extreme };
  const aggregates = bareAggregates(line);
  if (aggregates !== null) return { ...NOTHING, adds, aggregates };
  const sentence = readParts(rest, facts, now);
  return sentence === null ? null : changeFrom(sentence, adds);
}

const ARTICLES = new Set(['the', 'its', 'their', 'a', 'an', 'for', 'show', 'give', 'me', 'use', 'with', 'take']);
const HIGH = new Set(['highest', 'largest', 'biggest', 'best', 'most']);
const LOW = new Set(['lowest', 'smallest', 'least', 'worst', 'fewest']);

/** `the lowest`, `the highest one`. */
function extremeOf(line: Line): Direction | null {
  const at = line.skip(0, ARTICLES);
  const end = line.is(at + 1, 'one', 'ones') ? at + 2 : at + 1;
  if (end !== line.end) return null;
  if (HIGH.has(line.key(at))) return 'desc';
  return LOW.has(line.key(at)) ? 'asc' : null;
}

/** `the median`: figures without what they are of. */
function bareAggregates(line: Line): readonly Aggregate[] | null {
  const found = aggregatesAt(line, line.skip(0, ARTICLES));
  if (found === null || line.skip(found.next, new Set(['value', 'values', 'figure'])) !== line.end) return null;
  return found.aggregates;
}

function changeFrom(sentence: Sentence, adds: boolean): Change | null {
  if (isBeyondChange(sentence)) return null;
  const { filters, derived, measures, columns, order, rank } = sentence;
  const buckets = sentence.items.flatMap((item) => (item.kind === 'bucket' ? [item.dimension] : []));
  const change: Change = {
    ...NOTHING,
    filters,
    derived,
    groups: [...sentence.groups, ...buckets],
    measures,
    columns,
    order,
    limit: sentence.limit ?? rank?.limit ?? null,
    direction: rank?.direction ?? null,
    adds,
  };
  return changesSomething(change) ? change : null;
}

/** What makes a question of its own, or can't be told apart from one. */
function isBeyondChange(sentence: Sentence): boolean {
  const { or, part, periods, summary, strangers, computed, having, rank } = sentence;
  const isMore = part !== null || periods !== null || summary !== null || (rank !== null && rank.by.kind !== 'open');
  return or || isMore || strangers.length + computed.length + having.length > 0;
}

function changesSomething(change: Change): boolean {
  const { filters, groups, measures, columns, aggregates, order, limit, direction } = change;
  const parts = [filters, groups, measures, columns, aggregates, order];
  return limit !== null || direction !== null || parts.some((list) => list.length > 0);
}

/** The same of pieces that were put together without regard to their order. */
export function changeOfReading({ bench, draft, limit }: Reading, adds: boolean): Change | null {
  if (draft?.kind === 'rows') return null;
  const said = ['aggregate', 'count', 'superlative', 'amount'] as const;
  const isSaid = said.some((kind) => bench.says(kind));
  const named = bench.measures.flatMap(({ column }) => (column === null ? [] : [column]));
  const isBare = !isSaid && named.length === bench.measures.length;
  const change: Change = {
    ...NOTHING,
    filters: bench.filters,
    groups: bench.dimensions,
    measures: isBare ? [] : bench.measures,
    columns: isBare ? named : [],
    aggregates: bench.orphans,
    limit,
    adds,
  };
  return bench.having.length === 0 && changesSomething(change) ? change : null;
}
