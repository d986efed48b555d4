import type { Filter } from '../../../ports/analysis-plan.js';
import type { ColumnFacts } from '../column-facts.js';
import { columnConditionAt } from './column-conditions.js';
import { onlyColumnAt } from './column-mentions.js';
import type { Condition } from './comparisons.js';
import { theOnly } from './only.js';
import type { Sentence } from './sentence.js';

const AFTER = ['both', 'neither', 'either', 'whose', 'where', 'which', 'with', 'when', 'if', 'having', 'while'];
type OfColumn = Extract<Filter, { kind: 'null' | 'compare' | 'between' }>;

/** `both pH and sugar were not measured`, `with height and weight above 100`: what is said of the second holds for the first, too. */
export function jointly(sentence: Sentence, at: number, denied: boolean): Condition | null {
  const { line } = sentence;
  const first = onlyColumnAt(line, at);
  if (first === null || !line.is(first.next, 'and', 'or', 'nor') || !isCondition(sentence, at)) return null;
  const place = line.skip(first.next + 1, new Set(['the', 'their', 'its', 'a']));
  const second = ofSecond(sentence, place, denied || line.is(at - 1, 'neither'));
  if (second === null || !areAlike(second, first.column)) return null;
  const other = { ...second.filter, column: first.column.name };
  const isEither = line.is(first.next, 'or') && !denied;
  return { filters: bothOrEither(other, second.filter, isEither), next: second.next };
}

function bothOrEither(one: OfColumn, other: OfColumn, isEither: boolean): readonly Filter[] {
  return isEither ? [{ kind: 'any', of: [[one], [other]] }] : [one, other];
}

interface Second {
  readonly filter: OfColumn;
  readonly column: ColumnFacts;
  readonly next: number;
}

/** What is said of the second column, where it is one plain condition. */
function ofSecond(sentence: Sentence, at: number, denied: boolean): Second | null {
  const named = onlyColumnAt(sentence.line, at);
  const said = named === null ? null : columnConditionAt(sentence, at, denied);
  if (named === null || said === null) return null;
  const filter = onlyFilterOf(said, named.column);
  return filter === null ? null : { filter, column: named.column, next: said.next };
}

function onlyFilterOf({ filters }: Condition, { name }: ColumnFacts): OfColumn | null {
  const filter = theOnly(filters);
  return filter !== null && isOfColumn(filter) && filter.column === name ? filter : null;
}

function areAlike({ filter, column }: Second, first: ColumnFacts): boolean {
  return filter.kind === 'null' || first.role === column.role;
}

function isCondition({ line, tail }: Sentence, at: number): boolean {
  return tail || line.is(at - 1, ...AFTER);
}

function isOfColumn(filter: Filter): filter is OfColumn {
  return filter.kind === 'null' || filter.kind === 'compare' || filter.kind === 'between';
}
