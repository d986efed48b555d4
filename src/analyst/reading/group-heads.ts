import type { Filter, Having } from '../../ports/analysis-plan.js';
import { comparisonAround, SIGN_OF } from './comparison.js';
import type { DimensionDraft, Direction, MeasureDraft } from './draft.js';
import type { GroupList } from './groups.js';
import { ROW_COUNT } from './figure-list.js';
import { directionFeatures, hasSuperlative, type LimitPart, nearEnd } from './orders.js';
import {
  aggregateDraft,
  type Grouped,
  groupedHead,
  type Heads,
  inTime,
  type Lists,
  singleFigures,
  withComputed,
} from './heads.js';
import type { NumberMention } from './mentions.types.js';
import type { Part, Question } from './question.js';
import { feature } from './weights.js';

/** Of the likeliest groups and figures alone all orders are tried. */
const RANKED_GROUPS = 8;
const RANKED_FIGURES = 18;

/** Groups alone, figures by group, their ranks, and one figure over the groups. */
export function groupHeads(question: Question, heads: Heads, { figures, groups, limits }: Lists): void {
  const isRanked = hasSuperlative(question);
  for (const [place, group] of groups.entries()) {
    addDistinct(question, heads, group);
    if (place < RANKED_GROUPS) addSets(question, heads, group);
    for (const [index, list] of figures.entries()) {
      const isSingle = list.measures.length === 1;
      const isLikely = place < RANKED_GROUPS && index < RANKED_FIGURES;
      heads.add('group', groupedHead({ group, list }, { ...withComputed(list), ...inTime(group) }));
      if (isRanked && list.computed !== undefined) addRanks(question, heads, { group, list, limits });
      if (isRanked && isSingle && isLikely) addRanks(question, heads, { group, list, limits });
      if (isSingle && group.dimensions.length === 1) addSummaries(question, heads, { group, list });
    }
  }
}

function addDistinct(question: Question, heads: Heads, group: GroupList): void {
  heads.add('distinct', {
    parts: [question.shared('distinct', () => question.tag('distinct')), group],
    facts: { groups: group.dimensions.length, isTimed: group.isTimed },
    key: group.key,
    build: (filters, derived) => aggregateDraft([], group, filters, derived),
  });
}

/** Groups that have rows of both kinds, or none of a kind. */
function addSets(question: Question, heads: Heads, group: GroupList): void {
  const [dimension] = group.dimensions;
  if (group.dimensions.length !== 1 || dimension?.kind !== 'column') return;
  const add = (kind: string, havingOf: (kinds: readonly Filter[]) => readonly Having[]): void => {
    heads.add(kind, {
      parts: [question.shared(kind, () => question.tag(kind)), group],
      facts: { groups: 1, having: '=' },
      key: group.key,
      build: (filters, derived) => {
        const [kinds, others] = splitKinds(filters, dimension.column);
        const having = havingOf(kinds);
        if (having.length === 0) return null;
        const measures = kinds.map((one) => ({ ...ROW_COUNT, filters: [one] }));
        return aggregateDraft(measures, group, others, derived, { having });
      },
    });
  };
  if (question.words.has('both') || question.words.has('also'))
    add('both', (kinds) =>
      kinds.length < 2 ? [] : kinds.map((_, measure) => ({ measure, operator: '>' as const, value: 0 })),
    );
  if (question.has('neg'))
    add('never', (kinds) =>
      kinds.length === 0 ? [] : kinds.map((_, measure) => ({ measure, operator: '=' as const, value: 0 })),
    );
}

/** Conditions on values, each value by itself, and the rest. */
function splitKinds(filters: readonly Filter[], group: string): readonly [readonly Filter[], readonly Filter[]] {
  const isKind = (filter: Filter): boolean => filter.kind === 'in' && !filter.negated && filter.column !== group;
  const kinds = filters.flatMap((filter): readonly Filter[] =>
    filter.kind === 'in' && isKind(filter) ? filter.values.map((value) => ({ ...filter, values: [value] })) : [],
  );
  return [kinds, filters.filter((filter) => !isKind(filter))];
}

function addRanks(
  question: Question,
  heads: Heads,
  { group, list, limits }: Grouped & { readonly limits: readonly LimitPart[] },
): void {
  for (const direction of ['desc', 'asc'] as const)
    for (const limit of limits) addRank(question, heads, { group, list, direction, limit });
}

function addRank(
  question: Question,
  heads: Heads,
  { group, list, direction, limit }: Grouped & { readonly direction: Direction; readonly limit: LimitPart },
): void {
  const near = nearEnd(question, { from: list.at, to: list.at + 1 });
  const count = list.measures[0]?.column === null ? 'count' : 'figure';
  const isWithin = group.dimensions.length === 2 && limit.limit !== null;
  const base = question.shared(`rank|${direction}|${near}|${count}`, () => [
    ...directionFeatures(question, direction, near),
    feature(`rank|${count}`),
    ...question.tag(`rank:${count}`),
  ]);
  // What was worked out of two figures comes after them.
  const figure = list.computed === undefined ? {} : { figure: list.measures.length };
  const rank = { direction, limit: limit.limit, ...figure, skip: limit.skip };
  const grouped = groupedHead({ group, list }, { rank, ...withComputed(list) });
  const given = {
    ...grouped,
    parts: [base, list, group, limit],
    facts: { ...grouped.facts, order: count, limit: limit.limit },
    key: `${grouped.key}|${direction}|${limit.limit}|${limit.skip ?? 0}`,
  };
  // Who has the most is somebody: rows that name nobody do not compete.
  const known = limit.limit === null ? [] : namedGroups(question, group);
  heads.add(limit.limit === null ? 'grouporder' : 'rank', {
    ...given,
    build: (filters, derived) => given.build([...filters, ...known], derived),
  });
  if (!isWithin || !question.has('each')) return;
  for (const place of [0, 1]) {
    heads.add('rankeach', {
      ...given,
      extra: [feature(`each|${place}`)],
      key: `${given.key}|each${place}`,
      build: groupedHead({ group, list }, { rank, each: [place] }).build,
    });
  }
}

function namedGroups({ facts }: Question, { dimensions }: GroupList): readonly Filter[] {
  return dimensions.flatMap(({ kind, column }): readonly Filter[] => {
    const nulls = facts.columns.find(({ name }) => name === column)?.profile.nulls ?? 0;
    return kind === 'column' && nulls > 0 ? [{ kind: 'null', column, negated: true }] : [];
  });
}

/** One figure over the groups: the average of the counts, or the highest of the sums. */
function addSummaries(question: Question, heads: Heads, { group, list }: Grouped): void {
  for (const aggregate of ['avg', 'max', 'min', 'median'] as const) {
    if (!question.has(aggregate)) continue;
    const grouped = groupedHead({ group, list }, { summary: { aggregate, measure: 0 } });
    heads.add('summary', {
      ...grouped,
      extra: [feature(`summary|${aggregate}`), feature(`summary|${list.measures[0]?.aggregate ?? ''}`)],
      facts: { groups: 0, aggregates: new Set([aggregate]) },
      key: `${grouped.key}|${aggregate}`,
    });
  }
}

export const OPERATORS = ['>', '>=', '<', '<=', '='] as const;

/** Groups whose figure is above or below a number. */
export function havingHeads(question: Question, heads: Heads, { figures, groups }: Omit<Lists, 'limits'>): void {
  const pairs = singleFigures(groups.slice(0, 6), figures);
  for (const mention of question.linked.numbers.slice(0, 3)) {
    const cls = comparisonAround(question, mention.from, mention.to);
    const operators = OPERATORS.filter((operator) => operator === SIGN_OF[cls] || operator === '=');
    for (const operator of operators) {
      const part = havingPart(question, mention, `${operator}|${cls}`);
      const havings = [...new Set([mention.value, mention.plain])].map((value) => ({ measure: 0, operator, value }));
      for (const given of havings.flatMap((having) => pairs.map((pair) => ({ ...pair, having }))))
        addHaving(question, heads, { ...given, part });
    }
  }
}

/** A number that the figures of groups are compared with. */
export function havingPart(question: Question, mention: NumberMention, comparison: string): Part {
  const around = question.around(mention.from, mention.to);
  return question.part(
    [
      feature(`having|${comparison}`),
      feature(`having|a1|${around.after}`),
      feature(`having|b3|${around.before3}`),
      feature(`having|taken|${mention.isTaken}`),
      feature(`having|year|${mention.isYear}`),
      ...question.tag('having'),
    ],
    [{ mention, role: 'having' }],
  );
}

function addHaving(
  question: Question,
  heads: Heads,
  { group, list, part, having }: Grouped & { readonly part: Part; readonly having: Having },
): void {
  const grouped = groupedHead({ group, list }, { having: [having] });
  const given = {
    ...grouped,
    parts: [list, group, part],
    extra: [feature(`having|scale|${scaleOf(question, list.measures[0], group.dimensions[0], having.value)}`)],
    facts: { ...grouped.facts, having: having.operator },
    key: `${grouped.key}|${having.operator}${having.value}`,
  };
  heads.add('having', given);
  if (!question.has('count')) return;
  const summary = { aggregate: 'count', measure: null } as const;
  heads.add('havingcount', { ...given, build: groupedHead({ group, list }, { having: [having], summary }).build });
}

/** How a limit compares with what a group has on average, in powers of ten. */
export function scaleOf(
  { facts }: Question,
  measure: MeasureDraft | undefined,
  dimension: DimensionDraft | undefined,
  value: number,
): string {
  const groups = Math.max(1, facts.columns.find(({ name }) => name === dimension?.column)?.profile.distinct ?? 1);
  const rows = facts.profile.rowCount / groups;
  const mean = facts.columns.find(({ name }) => name === measure?.column)?.profile.mean ?? 1;
  const usual = measure?.aggregate === 'sum' ? Math.abs(mean) * rows : measure?.column === null ? rows : Math.abs(mean);
  const power = Math.round(Math.log10((Math.abs(value) + 0.01) / (usual + 0.01)));
  return `${measure?.aggregate ?? ''}|${Math.max(-3, Math.min(3, power))}`;
}
