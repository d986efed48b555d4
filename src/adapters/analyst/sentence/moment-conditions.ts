import type { Filter } from '../../../ports/analysis-plan.js';
import type { ColumnFacts } from '../column-facts.js';
import type { Condition } from './comparisons.js';
import { phraseSet } from './line.js';
import { numberList } from './number-lists.js';
import { partAt } from './part-conditions.js';
import type { Sentence } from './sentence.js';
import { deniedMoment, momentColumn, momentFilter, stretchAt, type Stretch } from './time-conditions.js';

/** `on weekends`, `in summer`, `after 6 pm`. */
export function partOfTime(sentence: Sentence, at: number, denied: boolean): Condition | null {
  const found = partAt(sentence, at, denied);
  return found === null ? null : { filters: [found.filter], next: found.next };
}

/** `in 2019`, `since last May`, `in the year 2001`. */
export function moment(sentence: Sentence, at: number, denied: boolean): Condition | null {
  const stretch = stretchSaid(sentence, at);
  if (stretch === null) return null;
  const column = momentColumn(sentence, sentence.hinted);
  if (typeof column === 'string') return impossible(sentence, column, stretch.next);
  const filter = momentFilter(column, stretch);
  if (typeof filter === 'string') return impossible(sentence, filter, stretch.next);
  if (stretch.note !== null) sentence.note(stretch.note);
  return whenSaid(withMoreYears(sentence, column, { filter, next: stretch.next }), denied);
}

const IN_THE_YEAR = phraseSet('in the year|for the year|from the year|year');

function stretchSaid(sentence: Sentence, at: number): Stretch | null {
  const year = sentence.line.phrase(at, IN_THE_YEAR);
  return stretchAt(sentence, at) ?? (year === null ? null : stretchAt(sentence, year));
}

function impossible(sentence: Sentence, problem: string, next: number): Condition {
  sentence.problems.push(problem);
  return { filters: [], next };
}

interface Moment {
  readonly filter: Filter;
  readonly next: number;
}

function whenSaid({ filter, next }: Moment, denied: boolean): Condition | null {
  const kept = denied ? deniedMoment(filter) : filter;
  return kept === null ? null : { filters: [kept], next };
}

/** `in 1948 or 1949`: years that follow are alternatives. */
function withMoreYears(sentence: Sentence, column: ColumnFacts, first: Moment): Moment {
  const { line } = sentence;
  const { filter } = first;
  if (column.role !== 'figure' || filter.kind !== 'compare' || filter.operator !== '=') return first;
  const place = line.skip(first.next, new Set(['or', ',', 'and', 'in']));
  const list = place === first.next ? null : numberList(sentence, place);
  if (!list?.numbers.every(({ text }) => /^\d{4}$/.test(text))) return first;
  const values = [filter.value, ...list.numbers.map((number) => number.value)];
  return { filter: { kind: 'in', column: column.name, values, negated: false }, next: list.next };
}
