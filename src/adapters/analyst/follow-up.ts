import type { Filter } from '../../ports/analysis-plan.js';
import type { Draft, MeasureDraft, RankDraft } from './draft.js';
import { keyOf, type Piece } from './pieces.js';
import type { Reading } from './reading.js';
import type { TableFacts } from './table-facts.js';

const CUES = new Set('and only just now instead also but same by per without except top bottom or then'.split(' '));
const SHORT = 8;
/** Longer than this, a question that begins with “and” stands on its own. */
const VERY_SHORT = 5;

/** Whether a message speaks of the question before it. */
export function isFollowUp(tokens: readonly Piece[], { draft, bench }: Reading): boolean {
  const words = tokens.map(keyOf).filter((key) => key !== null);
  if (words.length > SHORT) return false;
  if (draft === null) return true;
  const isComplete = bench.measures.length > 0 && bench.filters.length + bench.dimensions.length > 0;
  return isCued(words) && !(isComplete && words.length > VERY_SHORT);
}

function isCued(words: readonly string[]): boolean {
  const [first = '', second] = words;
  const isAbout = (first === 'what' || first === 'how') && second === 'about';
  return isAbout || CUES.has(first) || words.includes('instead');
}

/** The question before, changed by what was said now; `null` when nothing was. */
export function merged(before: Draft, reading: Reading, tokens: readonly Piece[], facts: TableFacts): Draft | null {
  const { bench } = reading;
  if (!changesSomething(reading) || reading.draft?.kind === 'rows') return reading.draft;
  const filters = mergedFilters(before.filters, bench.filters);
  if (before.kind === 'rows') return mergedRows(before, reading, filters);
  return {
    kind: 'aggregate',
    measures: mergedMeasures(before.measures, reading, facts),
    dimensions: mergedDimensions(before.dimensions, reading, tokens),
    filters,
    having: bench.measures.length > 0 ? [] : before.having,
    rank: mergedRank(before.rank, reading),
  };
}

function changesSomething({ bench, limit }: Reading): boolean {
  const { filters, measures, dimensions, orphans } = bench;
  return limit !== null || filters.length + measures.length + dimensions.length + orphans.length > 0;
}

/** An order that only suited the groups before goes with them. */
function mergedRank(before: RankDraft | null, { bench, limit }: Reading): RankDraft | null {
  if (limit !== null) return { direction: before?.direction ?? 'desc', limit };
  return bench.dimensions.length === 0 || before?.limit != null ? before : null;
}

/** What is said now about a column takes the place of what was said before. */
function mergedFilters(before: readonly Filter[], now: readonly Filter[]): readonly Filter[] {
  const renewed = new Set(now.map(({ column }) => column));
  return [...before.filter(({ column }) => !renewed.has(column)), ...now];
}

function mergedRows(before: Draft & { kind: 'rows' }, { bench, limit }: Reading, filters: readonly Filter[]): Draft {
  if (bench.measures.length === 0 && bench.dimensions.length === 0)
    return { ...before, filters, limit: limit ?? before.limit };
  const measures: readonly MeasureDraft[] =
    bench.measures.length > 0 ? bench.measures : [{ aggregate: 'count', column: null }];
  return { kind: 'aggregate', measures, dimensions: bench.dimensions, filters, having: [], rank: null };
}

function mergedMeasures(
  before: readonly MeasureDraft[],
  { bench }: Reading,
  facts: TableFacts,
): readonly MeasureDraft[] {
  if (bench.orphans.length > 0) {
    const columns = before.map(({ column }) => column).filter((column) => column !== null);
    return bench.orphans.flatMap((aggregate) => columns.map((column) => ({ aggregate, column })));
  }
  if (bench.measures.length === 0) return before;
  const said = ['aggregate', 'count', 'superlative', 'amount'] as const;
  const aggregate = before.length === 1 && before[0]?.column != null ? before[0].aggregate : null;
  if (aggregate === null || said.some((kind) => bench.says(kind))) return bench.measures;
  return bench.measures.map((measure) => {
    const column = facts.columns.find(({ name }) => name === measure.column);
    const fits = column?.role === 'figure' && (aggregate !== 'sum' || column.additive);
    return fits ? { ...measure, aggregate } : measure;
  });
}

function mergedDimensions(
  before: (Draft & { kind: 'aggregate' })['dimensions'],
  { bench }: Reading,
  tokens: readonly Piece[],
): (Draft & { kind: 'aggregate' })['dimensions'] {
  const now = bench.dimensions;
  if (now.length === 0) return before;
  const adds = tokens.some((token) => ['also', 'split', 'further', 'additionally'].includes(keyOf(token) ?? ''));
  return adds ? [...before, ...now] : now;
}
