import type { Filter } from '../../../ports/analysis-plan.js';
import { columnsOfFilter } from '../../../ports/plan-filters.js';
import type { Draft } from '../../../analyst/reading/draft.js';
import type { Rank, Sentence } from './sentence.js';

/** The row that holds the extreme, with what was asked of it or else what it is called and what it was chosen for. */
export function rankedRows(sentence: Sentence, rank: Rank, by: string): Draft | null {
  if (sentence.items.some(({ kind }) => kind === 'bucket')) return null;
  const groups = sentence.groups.flatMap((group) => (group.kind === 'column' ? [group.column] : []));
  if (groups.length < sentence.groups.length) return null;
  const limit = rank.limit ?? 1;
  return {
    kind: 'rows',
    derived: sentence.derived,
    columns: isWhole(sentence, by, limit) ? [] : shownColumns(sentence, rank, { by, groups }),
    filters: [...sentence.filters, ...presenceOf(sentence, by)],
    order: [{ by, direction: rank.direction }],
    limit,
    skip: rank.skip,
    ...(groups.length > 0 ? { each: groups } : {}),
  };
}

/** `the last 10 rows` are wanted whole. */
function isWhole({ whole, facts, columns }: Sentence, by: string, limit: number): boolean {
  return whole || (by === facts.time?.name && limit > 1 && columns.length === 0);
}

/** A row without a value is neither the highest nor the lowest. */
function presenceOf(sentence: Sentence, by: string): readonly Filter[] {
  const nulls = sentence.columnNamed(by)?.profile.nulls ?? 0;
  return nulls > 0 ? [{ kind: 'null', column: by, negated: true }] : [];
}

interface Chosen {
  readonly by: string;
  readonly groups: readonly string[];
}

/** `the 5 highest prices with their shops`: what was named as the highest is asked for, too. */
function shownColumns(sentence: Sentence, { literal }: Rank, { by, groups }: Chosen): readonly string[] {
  const { columns } = sentence;
  if (columns.length === 0) return usualColumns(sentence, [...groups, by]);
  return literal && !columns.includes(by) ? [by, ...askedColumns(sentence)] : askedColumns(sentence);
}

/** What was asked for, after the time where the question is when it was. */
function askedColumns({ columns, opener, facts }: Sentence): readonly string[] {
  const moment = opener === 'when' ? facts.time : null;
  return moment === null || columns.includes(moment.name) ? columns : [moment.name, ...columns];
}

/** What the row is called, when it was, what it was chosen for and what it had to fit; helpers made for conditions are not told. */
function usualColumns({ facts, filters, derived }: Sentence, chosen: readonly string[]): readonly string[] {
  const kept = new Set(chosen);
  const helpers = new Set(derived.map(({ name }) => name).filter((name) => !kept.has(name)));
  const named = [facts.identity, facts.time, facts.meta].flatMap((column) => (column === null ? [] : [column.name]));
  const all = new Set([...named, ...chosen, ...filters.flatMap(columnsOfFilter)]);
  return [...all].filter((name) => !helpers.has(name));
}
