import type { AnalysisPlan, DerivedColumn, Filter, StatisticPlan } from '../../ports/analysis-plan.js';
import { columnsOfFilter } from '../../ports/plan-filters.js';
import type { Draft } from '../../analyst/reading/draft.js';
import { changeOf, changeOfReading, type Change } from './follow-up-change.js';
import type { Cues } from './follow-up-cues.js';
import { changedFigures } from './follow-up-figures.js';
import { changedRows } from './follow-up-rows.js';
import { draftFrom, planFrom } from './plan-builder.js';
import type { Reading } from './reading.js';
import { areApart } from './sentence/contradictions.js';
import type { TableFacts } from './table-facts.js';

const SHORT = 9;
/** Longer than this, a question that begins with “and” stands on its own. */
const VERY_SHORT = 5;

/** Whether a message speaks of the question before it; `complete` is what it asks by itself. */
export function isFollowUp({ words, goesOn, refersBack, ofThem }: Cues, complete: Draft | null): boolean {
  if (words.length > SHORT) return false;
  if (complete === null || ofThem) return true;
  const isWhole = standsAlone(complete) && words.length > VERY_SHORT;
  return goesOn ? !isWhole : refersBack && !standsAlone(complete);
}

/** A figure with a condition or a group, or rows that were chosen. */
function standsAlone(draft: Draft): boolean {
  if (draft.kind === 'rows') return draft.filters.length + draft.order.length > 0;
  return draft.measures.length > 0 && draft.filters.length + draft.dimensions.length > 0;
}

/** What a message that was understood makes of the plan before; without a plan it does not fit that one. */
export interface Continued {
  readonly plan: AnalysisPlan | null;
}

/** The plan before, changed by what was said now in so many words; `null` when a word of it is not understood. */
export function continuedBy(before: AnalysisPlan, cues: Cues, facts: TableFacts, now: Date): Continued | null {
  const change = changeOf(cues, facts, now);
  if (change === null) return null;
  if (before.kind === 'statistic') return { plan: changedStatistic(before, change) };
  const draft = draftFrom(before);
  const next = draft === null || isOfGroups(draft, cues) ? null : changed(draft, change, facts);
  return { plan: next === null ? null : planFrom(next, facts) };
}

/** `how many of them`, after groups: it can't be told whether they or their rows are meant. */
function isOfGroups(before: Draft, { ofThem }: Cues): boolean {
  return ofThem && before.kind === 'aggregate' && before.dimensions.length > 0;
}

/** The question before, changed by pieces that were put together without regard to their order. */
export function mergedWith(before: Draft, reading: Reading, { adds }: Cues, facts: TableFacts): Draft | null {
  const change = changeOfReading(reading, adds);
  return change === null ? reading.draft : changed(before, change, facts);
}

function changed(before: Draft, change: Change, facts: TableFacts): Draft | null {
  const kept = before.kind === 'rows' ? before.filters : widened(before.filters, change);
  const filters = mergedFilters(kept, change);
  if (areApart(filters)) return null;
  const next =
    before.kind === 'rows'
      ? changedRows({ ...before, filters }, change, facts)
      : changedFigures({ ...before, filters }, change, facts);
  return next === null ? null : withDerived(next, [...(before.derived ?? []), ...change.derived]);
}

/** Of a statistic only the rows can be changed. */
function changedStatistic(before: StatisticPlan, change: Change): StatisticPlan | null {
  const { groups, measures, columns, aggregates, order, limit, direction } = change;
  const isMore = [groups, measures, columns, aggregates, order].some((list) => list.length > 0);
  if (isMore || limit !== null || direction !== null) return null;
  const filters = mergedFilters(before.filters, change);
  const derived = unique([...(before.derived ?? []), ...change.derived]);
  return areApart(filters) ? null : { ...before, ...(derived.length > 0 ? { derived } : {}), filters };
}

/** Groups of a column of which only one value was wanted: all of them are wanted now. */
function widened(filters: readonly Filter[], { groups, columns }: Change): readonly Filter[] {
  const named = groups.flatMap((group) => (group.kind === 'column' ? [group.column] : []));
  const grouped = new Set([...named, ...columns]);
  return filters.filter(
    (one) => !(one.kind === 'in' && !one.negated && one.values.length === 1 && grouped.has(one.column)),
  );
}

/** What is said now about a column takes the place of what was said before; with `also` its values come to those before. */
function mergedFilters(before: readonly Filter[], { filters, adds }: Change): readonly Filter[] {
  const now = adds ? filters.map((filter) => withValuesOf(filter, before)) : filters;
  const renewed = new Set(now.flatMap(columnsOfFilter));
  return [...before.filter((filter) => !columnsOfFilter(filter).some((column) => renewed.has(column))), ...now];
}

function withValuesOf(filter: Filter, before: readonly Filter[]): Filter {
  if (filter.kind !== 'in') return filter;
  const values = before.flatMap((one) =>
    one.kind === 'in' && one.column === filter.column && one.negated === filter.negated ? one.values : [],
  );
  return { ...filter, values: [...new Set([...values, ...filter.values])] };
}

/** With the columns that are derived for it, and without those that nothing speaks of any more. */
function withDerived(draft: Draft, derived: readonly DerivedColumn[]): Draft {
  const said = JSON.stringify({ ...draft, derived: [] });
  const used = unique(derived).filter(({ name }, place, all) => {
    const later = JSON.stringify(all.slice(place + 1));
    return said.includes(JSON.stringify(name)) || later.includes(JSON.stringify(name));
  });
  return { ...draft, derived: used };
}

function unique(derived: readonly DerivedColumn[]): readonly DerivedColumn[] {
  return derived.filter((one, place) => derived.findIndex(({ name }) => name === one.name) === place);
}
