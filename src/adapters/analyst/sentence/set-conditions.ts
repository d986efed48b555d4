import type { Filter } from '../../../ports/analysis-plan.js';
import { columnsOfFilter } from '../../../ports/plan-filters.js';
import { conditionAt } from './conditions.js';
import { askedGroup } from './entities.js';
import { columnAt } from './column-mentions.js';
import { phraseSet, type Line } from './line.js';
import { namesakeAt, rowNounAt } from './nouns.js';
import type { Sentence } from './sentence.js';

const BEFORE_BOTH = new Set(
  'have has had having with are were is was been be that which who appear appeared used offer offers offered in for from'.split(
    ' ',
  ),
);
const ARTICLES = new Set(['a', 'an', 'the', 'any', 'some', 'at', 'least', 'one', 'in', 'for']);
const ALSO = phraseSet('and also|and in addition|and at the same time|and additionally|as well as');
const BUT_NOT = phraseSet(
  'but not|but no|but never|but none|and not|but have no|but has no|but do not|but did not|but without|but never had',
);

/** Rows of one kind, of which a group has some or none. */
interface Kind {
  readonly filters: readonly Filter[];
  readonly next: number;
}

/** `genres with both singers born before 1980 and singers born after 1990`: groups that have rows of either kind. */
export function bothKindsAt(sentence: Sentence, at: number): number | null {
  const both = bothAt(sentence, at);
  if (both === null || askedGroup(sentence) === null) return null;
  const found = kindsAt(sentence, both);
  if (found === null || found.kinds.length < 2) return null;
  for (const kind of found.kinds) mustHave(sentence, kind, true);
  return found.next;
}

interface Kinds {
  readonly kinds: readonly (readonly Filter[])[];
  readonly next: number;
}

/** Two kinds that are told apart, or the values of one condition. */
function kindsAt(sentence: Sentence, at: number): Kinds | null {
  const first = kindAt(sentence, at);
  if (first === null) return null;
  const apart = sentence.line.is(first.next, 'and') ? kindAt(sentence, first.next + 1) : null;
  if (apart === null) return { kinds: alternativesOf(first.filters), next: first.next };
  return { kinds: [first.filters, apart.filters], next: apart.next };
}

/** `in Fall 2021 and also in Spring 2022`, `in Fall but not in Spring`: of a group, where no row could be both. */
export function furtherKindAt(sentence: Sentence, at: number): number | null {
  const { line, filters } = sentence;
  const also = line.phrase(at, ALSO);
  const start = also ?? line.phrase(at, BUT_NOT);
  if (start === null || filters.length === 0 || askedGroup(sentence) === null) return null;
  const kind = kindAt(sentence, start);
  if (kind === null || !areOfOneColumn(filters, kind.filters)) return null;
  mustHave(sentence, filters.splice(0), true);
  mustHave(sentence, kind.filters, also !== null);
  return kind.next;
}

function areOfOneColumn(filters: readonly Filter[], others: readonly Filter[]): boolean {
  const known = new Set(filters.flatMap(columnsOfFilter));
  return others.flatMap(columnsOfFilter).some((column) => known.has(column));
}

/** `countries that do not have any stadium opened after 2000`, `offices with no tablets`: groups without such a row. */
export function noKindAt(sentence: Sentence, at: number): number | null {
  const { line } = sentence;
  const none = noneAt(line, at);
  if (none === null || askedGroup(sentence) === null) return null;
  const kind = kindAt(sentence, none);
  if (kind === null) return null;
  mustHave(sentence, kind.filters, false);
  return kind.next;
}

const NONE = phraseSet(
  'have no|has no|had no|with no|having no|do not have any|does not have any|did not have any|dont have any|doesnt have any|do not have a|does not have a|do not have|does not have|did not have|dont have|doesnt have|without any|without a|have not had any|has not had any|have never had a|have never had any|has never had a|has never had any|never had a|never had any|never had',
);

function noneAt(line: Line, at: number): number | null {
  return line.phrase(line.is(at, 'that', 'which', 'who') ? at + 1 : at, NONE);
}

/** `customers who never returned anything`, `artists that never made an explicit song`. */
export function neverKindAt(sentence: Sentence, at: number): number | null {
  const { line } = sentence;
  const start = line.skip(at, new Set(['that', 'which', 'who', 'have', 'has', 'had']));
  if (!line.is(start, 'never') || askedGroup(sentence) === null) return null;
  for (const place of [start + 1, start + 2]) {
    const kind = kindAt(sentence, line.skip(place, new Set(['been', 'had'])));
    if (kind === null) continue;
    mustHave(sentence, kind.filters, false);
    return line.skip(kind.next, new Set(['anything', 'any', 'something']));
  }
  return null;
}

/** `that have songs in both`, `designed both`: small words, a verb and the rows before it. */
function bothAt(sentence: Sentence, at: number): number | null {
  const { line } = sentence;
  const lead = line.skip(at, BEFORE_BOTH);
  const verb = isVerbBefore(sentence, lead) ? lead + 1 : lead;
  const place = line.skip(rowNounAt(sentence, verb) ?? verb, BEFORE_BOTH);
  return line.is(place, 'both') ? place + 1 : null;
}

function isVerbBefore(sentence: Sentence, at: number): boolean {
  const { line } = sentence;
  if (line.is(at, 'both')) return false;
  return (
    line.isWord(at) && rowNounAt(sentence, at) === null && columnAt(line, at) === null && /[a-z]{3,}/.test(line.key(at))
  );
}

/** Conditions one after the other, with or without a word for the rows before, between or after them. */
function kindAt(sentence: Sentence, at: number): Kind | null {
  const before = { filters: sentence.filters.splice(0), or: sentence.or, having: sentence.having.length };
  const derived = sentence.rows;
  const next = conditionsFrom(sentence, at);
  const filters = sentence.filters.splice(0);
  const isPlain = sentence.having.length === before.having;
  sentence.having.length = before.having;
  sentence.filters.push(...before.filters);
  sentence.or = before.or;
  sentence.rows = derived;
  return filters.length === 0 || !isPlain ? null : { filters, next };
}

function conditionsFrom(sentence: Sentence, at: number): number {
  const { line } = sentence;
  let next = pastNoun(sentence, line.skip(at, ARTICLES));
  for (;;) {
    if (next >= line.end || line.is(next, 'and', 'but', ',')) return next;
    const found = conditionAt(sentence, next);
    if (found === null) return next;
    next = pastNoun(sentence, found);
  }
}

function pastNoun(sentence: Sentence, at: number): number {
  return rowNounAt(sentence, at) ?? namesakeAt(sentence, at) ?? at;
}

/** `German and English`, each of which a group must have. */
function alternativesOf([only, another]: readonly Filter[]): readonly (readonly Filter[])[] {
  if (only === undefined || another !== undefined) return [];
  if (only.kind === 'any') return only.of;
  if (only.kind !== 'in' || only.negated) return [];
  return only.values.map((value) => [{ ...only, values: [value] }]);
}

function mustHave(sentence: Sentence, filters: readonly Filter[], has: boolean): void {
  const group = askedGroup(sentence);
  if (group !== null && sentence.columns.length + sentence.measures.length === 0) sentence.addColumn(group.name);
  sentence.having.push({
    measure: { aggregate: 'count', column: null, filters },
    operator: has ? '>' : '=',
    value: 0,
  });
  sentence.tail = true;
}
