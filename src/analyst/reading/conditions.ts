import type { DerivedColumn, Filter } from '../../ports/analysis-plan.js';
import { columnsOfFilter } from '../../ports/plan-filters.js';
import { againstOthers, columnComparisons, limitComparisons, mentionConditions } from './column-conditions.js';
import type { ConditionPart } from './condition-part.js';
import type { Span } from './mentions.types.js';
import { numberConditions } from './number-conditions.js';
import type { Features, Part, Question } from './question.js';
import { dueConditions, lateConditions, stateConditions } from './state-conditions.js';
import { hourConditions, timeConditions, weekdayConditions } from './time-conditions.js';
import { valueConditions } from './value-conditions.js';
import { feature } from './weights.js';
import { different, groupedBy } from './words.js';

/** Conditions that hold together. */
export interface Conditions extends Part {
  readonly parts: readonly ConditionPart[];
  readonly filters: readonly Filter[];
  readonly derived: readonly DerivedColumn[];
  readonly key: string;
}

const MOST_TOGETHER = 4;
const SETS = 60;

/** Conditions that are chosen so far. */
interface Chosen {
  readonly parts: readonly ConditionPart[];
  readonly score: number;
}

/** The likeliest sets of conditions, best first; the empty one is always among them. */
export function conditionSets(question: Question, most: number): readonly Conditions[] {
  const anchors = anchorsOf(question).sort((a, b) => a.at - b.at);
  const none: readonly Chosen[] = [{ parts: [], score: 0 }];
  const sets = anchors.reduce((chosen, { parts }) => likeliest(withOneOf(chosen, parts)), none);
  const built = sets.flatMap(({ parts }) => together(question, parts)).sort((a, b) => b.score - a.score);
  const best = built.slice(0, most);
  const empty = built.find(({ parts }) => parts.length === 0);
  return empty === undefined || best.includes(empty) ? best : [...best, empty];
}

/** The sets as they are, and each with one more part. */
function withOneOf(sets: readonly Chosen[], parts: readonly ConditionPart[]): readonly Chosen[] {
  const longer = sets
    .filter((set) => set.parts.length < MOST_TOGETHER)
    .flatMap((set) =>
      parts
        .filter((part) => !clashes(set.parts, part))
        .map((part) => ({ parts: [...set.parts, part], score: set.score + part.score })),
    );
  return [...sets, ...longer];
}

/** The best sets, and the best few of every length. */
function likeliest(sets: readonly Chosen[]): readonly Chosen[] {
  const worth = ({ parts, score }: Chosen): number => score + 1.5 * parts.length;
  const sorted = [...sets].sort((a, b) => worth(b) - worth(a));
  const kept = new Set(sorted.slice(0, SETS));
  for (let count = 0; count <= MOST_TOGETHER; count++)
    for (const set of sorted.filter(({ parts }) => parts.length === count).slice(0, 6)) kept.add(set);
  return [...kept];
}

function clashes(parts: readonly ConditionPart[], part: ConditionPart): boolean {
  return parts.some(
    (one) =>
      one.key === part.key ||
      saysTwice(one, part) ||
      (one.filter.kind === 'against' && part.filter.kind === 'against') ||
      one.uses.some(
        ({ mention }) => mention.kind !== 'column' && part.uses.some((use) => overlap(use.mention, mention)),
      ),
  );
}

/** A column that is said to be empty, filled, true or none by its name alone has no other condition. */
function saysTwice(one: ConditionPart, other: ConditionPart): boolean {
  const isBare = [one, other].some(({ uses }) => uses.every(({ mention }) => mention.kind === 'column'));
  if (!isBare) return false;
  const columns = columnsOfFilter(one.filter);
  return columnsOfFilter(other.filter).some((column) => columns.includes(column));
}

function overlap(a: Span, b: Span): boolean {
  return a.from < b.to && b.from < a.to;
}

/** Several values of one column are alternatives; other conditions hold all, or one of them. */
function together(question: Question, parts: readonly ConditionPart[]): readonly Conditions[] {
  const filters = merged(parts);
  const count = Math.min(
    MOST_TOGETHER,
    question.linked.values.length + question.linked.numbers.filter(({ isTaken }) => !isTaken).length,
  );
  const features = [
    feature(`conditions|${parts.length}`),
    feature(`conditions|${parts.length}|${count}`),
    ...parts.flatMap((one) => one.features),
  ];
  const isMerged = filters.length < parts.length;
  const has = question.has('or');
  if (isMerged) features.push(feature('merged'), feature(`merged|${has}`), feature(`merged|${filters.length}`));
  const make = (all: readonly Filter[], extra: Features, key: string): Conditions => ({
    ...question.part(
      [...features, ...extra],
      parts.flatMap(({ uses }) => uses),
    ),
    parts,
    filters: all,
    derived: different(
      parts.flatMap((one) => one.derived ?? []),
      ({ name }) => name,
    ),
    key: `${key}${parts
      .map((one) => one.key)
      .sort()
      .join('&')}`,
  });
  if (filters.length < 2) return [make(filters, [], '')];
  const alike = filters.every(
    (filter) =>
      'column' in filter &&
      'column' in (filters[0] ?? {}) &&
      filter.column === (filters[0] as { column: string }).column,
  );
  const all = make(filters, [feature('all'), feature(`all|${has}`), feature(`all|${has}|${alike}`)], '');
  const any = filters.flatMap((filter) => (filter.kind === 'any' ? [] : [[filter]]));
  if (isMerged || any.length < filters.length || !has) return [all];
  const two = filters.length < 3 ? [] : besideOr(question, parts);
  const others = filters.filter((filter) => !two.some((one) => one === filter));
  return [
    all,
    make([{ kind: 'any', of: any }], [feature('any'), feature(`any|${has}`), feature(`any|${has}|${alike}`)], 'or:'),
    ...(two.length < 2 || others.length !== filters.length - 2
      ? []
      : [make([...others, { kind: 'any', of: two.map((filter) => [filter]) }], [feature('anytwo')], 'or:two:')]),
  ];
}

type SingleFilter = Exclude<Filter, { kind: 'any' }>;

/** `in May, on platform 3 or more than 20 minutes late`: the conditions directly before and after the word. */
function besideOr(question: Question, parts: readonly ConditionPart[]): readonly SingleFilter[] {
  const or = question.linked.tokens.findIndex((_, at) => question.isAt(at, 'or'));
  const placed = parts
    .map(({ filter, uses }) => ({ filter, from: Math.min(...uses.map(({ mention }) => mention.from)) }))
    .sort((a, b) => a.from - b.from);
  const next = placed.findIndex(({ from }) => from > or);
  const two = next < 1 ? [] : placed.slice(next - 1, next + 1);
  return two.flatMap(({ filter }) => (filter.kind === 'any' ? [] : [filter]));
}

function merged(parts: readonly ConditionPart[]): readonly Filter[] {
  const filters: Filter[] = [];
  for (const { filter } of parts) {
    const place = filters.findIndex(
      (one) =>
        one.kind === 'in' && filter.kind === 'in' && one.column === filter.column && one.negated === filter.negated,
    );
    const known = filters[place];
    if (known?.kind === 'in' && filter.kind === 'in')
      filters[place] = { ...known, values: [...known.values, ...filter.values] };
    else filters.push(filter);
  }
  return withApartTimes(filters);
}

/** No moment of a column lies in periods that lie apart: one of them is meant. */
function withApartTimes(filters: readonly Filter[]): readonly Filter[] {
  const apart = [...groupedBy(filters.filter(isClosed), ({ column }) => column).values()].filter(lieApart);
  const taken = new Set<Filter>(apart.flat());
  const either = apart.map((periods): Filter => ({ kind: 'any', of: periods.map((period) => [period]) }));
  return [...filters.filter((filter) => !taken.has(filter)), ...either];
}

type Period = Extract<Filter, { kind: 'time' }> & { readonly from: string; readonly to: string };

function isClosed(filter: Filter): filter is Period {
  return filter.kind === 'time' && filter.from !== null && filter.to !== null;
}

function lieApart(periods: readonly Period[]): boolean {
  const sorted = periods.toSorted((a, b) => a.from.localeCompare(b.from));
  return sorted.length > 1 && sorted.every(({ from }, at) => at === 0 || (sorted[at - 1]?.to ?? '') <= from);
}

interface Anchor {
  readonly at: number;
  readonly parts: readonly ConditionPart[];
}

function anchorsOf(question: Question): Anchor[] {
  const { values, numbers, times } = question.linked;
  const anchors = [
    ...values.map((mention) => anchorOf(mention.from, valueConditions(question, mention), 14)),
    ...numbers.map((mention, index) =>
      anchorOf(mention.from, numberConditions(question, mention, numbers[index + 1]), 14),
    ),
    ...times.map((mention) => anchorOf(mention.from, timeConditions(question, mention), 10)),
    anchorOf(0, weekdayConditions(question), 4),
    ...hourConditions(question).map((parts) => anchorOf(parts[0]?.uses[0]?.mention.from ?? 0, parts, parts.length)),
    ...question.sure.map((mention) => anchorOf(mention.from, mentionConditions(question, mention), 8)),
    anchorOf(0, columnComparisons(question), 4),
    anchorOf(0, limitComparisons(question), 4),
    anchorOf(0, againstOthers(question), 8),
    anchorOf(0, stateConditions(question), 5),
    anchorOf(0, dueConditions(question), 4),
    anchorOf(0, lateConditions(question), 4),
  ];
  return anchors.filter(({ parts }) => parts.length > 0);
}

function anchorOf(at: number, parts: readonly ConditionPart[], most: number): Anchor {
  return { at, parts: [...parts].sort((a, b) => b.score - a.score).slice(0, most) };
}
