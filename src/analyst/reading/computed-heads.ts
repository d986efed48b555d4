import type { Computed, DerivedColumn, Filter } from '../../ports/analysis-plan.js';
import { columnsOfFilter } from '../../ports/plan-filters.js';
import type { AggregateDraft, ComputedDraft } from './draft.js';
import { type FigureList, isRowCount, withRowCount } from './figure-list.js';
import type { GroupList } from './groups.js';
import {
  aggregateDraft,
  type Grouped,
  groupedFacts,
  groupedHead,
  type Heads,
  inTime,
  type Lists,
  singleFigures,
} from './heads.js';
import type { WordClass } from './lexicon.js';
import type { NumberMention } from './mentions.types.js';
import { directionFeatures, hasSuperlative, type LimitPart, nearEnd } from './orders.js';
import type { Part, Question } from './question.js';
import { feature } from './weights.js';

/** Which of the conditions the part fits; `known`: all, among the rows that tell whether they do. */
const PORTIONS = ['last', 'first', 'all', 'known'] as const;
type Portion = (typeof PORTIONS)[number];

/** Shares of the whole by group, and the part of the rows that fits the conditions. */
export function shareHeads(question: Question, heads: Heads, { figures, groups, limits }: Lists): void {
  if (!question.has('share')) return;
  const sums = figures.filter(
    ({ measures: [measure, another] }) =>
      another === undefined && (measure?.aggregate === 'sum' || measure?.aggregate === 'count'),
  );
  const isRanked = hasSuperlative(question);
  for (const list of withRowCount(sums, 6)) {
    for (const group of groups.slice(0, 8)) {
      heads.add('share', {
        ...groupedHead({ group, list }, { computed: [{ kind: 'share', of: 0 }] }),
        parts: [question.shared('share', () => question.tag('share')), list, group],
      });
      for (const which of PORTIONS) addPortion(question, heads, { list, group, which });
      if (isRanked && isRowCount(list)) addPortionRanks(question, heads, { list, group, limits });
    }
    for (const which of PORTIONS) addPortion(question, heads, { list, group: null, which });
  }
}

interface Portioned {
  readonly list: FigureList;
  readonly group: GroupList | null;
  readonly which: Portion;
}

/** What fits one of the conditions as a percentage of what fits the others. */
function addPortion(question: Question, heads: Heads, { list, group, which }: Portioned): void {
  if (which === 'known' && !isRowCount(list)) return;
  heads.add(group === null ? 'portion' : 'portions', {
    parts: [
      question.shared(`portion|${which}`, () => [
        feature(`portion|${which}`),
        ...question.tag('portion'),
        ...(which === 'known' ? question.tag('portion:known') : []),
      ]),
      list,
      ...(group === null ? [] : [group]),
    ],
    facts: group === null ? { aggregates: list.aggregates } : groupedFacts({ group, list }),
    key: `${group?.key ?? ''}|${list.key}|${which}`,
    build: (filters, derived) =>
      portionDraft({ list, group, which }, filters, derived, group === null ? {} : inTime(group)),
  });
}

function portionDraft(
  { list, group, which }: Portioned,
  filters: readonly Filter[],
  derived: readonly DerivedColumn[],
  rest: Partial<AggregateDraft>,
): AggregateDraft | null {
  const [measure] = list.measures;
  if (measure === undefined || filters.length === 0) return null;
  if ((which === 'first' || which === 'last') && filters.length === 1) return null;
  const part = which === 'first' ? filters.slice(0, 1) : which === 'last' ? filters.slice(-1) : filters;
  const known = which === 'known' ? knownIn(part) : [];
  const base = [...filters.filter((filter) => !part.includes(filter)), ...known];
  const computed: ComputedDraft = { kind: 'percent', left: 0, right: 1 };
  return aggregateDraft([{ ...measure, filters: part }, measure], group, base, [...list.derived, ...derived], {
    computed: [computed],
    ...rest,
  });
}

function knownIn(filters: readonly Filter[]): readonly Filter[] {
  const columns = new Set(filters.flatMap(columnsOfFilter));
  return [...columns].map((column) => ({ kind: 'null', column, negated: true }));
}

/** `which product has the highest return rate`: the groups by the part of their rows that fits. */
function addPortionRanks(
  question: Question,
  heads: Heads,
  {
    list,
    group,
    limits,
  }: { readonly list: FigureList; readonly group: GroupList; readonly limits: readonly LimitPart[] },
): void {
  for (const direction of ['desc', 'asc'] as const)
    for (const limit of limits) {
      const base = question.shared(`portionrank|${direction}`, () => [
        ...directionFeatures(question, direction, nearEnd(question, { from: list.at, to: list.at + 1 })),
        feature('portionrank'),
        ...question.tag('portionrank'),
      ]);
      const rank = { direction, limit: limit.limit, figure: 2, skip: limit.skip };
      heads.add('portionrank', {
        parts: [base, list, group, limit],
        facts: { ...groupedFacts({ group, list }), order: 'figure', limit: limit.limit },
        key: `${group.key}|${list.key}|${direction}|${limit.limit}|${limit.skip ?? 0}`,
        build: (filters, derived) => portionDraft({ list, group, which: 'all' }, filters, derived, { rank }),
      });
    }
}

type SeriesKind = Computed['kind'] & ('growth' | 'change' | 'cumulative' | 'moving_average');

const SERIES: readonly [WordClass, SeriesKind][] = [
  ['growth', 'growth'],
  ['change', 'change'],
  ['change', 'growth'],
  ['cumulative', 'cumulative'],
  ['moving', 'moving_average'],
];

/** A figure over time, set against the times before. */
export function seriesHeads(question: Question, heads: Heads, { figures, groups }: Omit<Lists, 'limits'>): void {
  const timed = groups
    .filter(({ dimensions }) => dimensions.length === 1 && dimensions[0]?.kind === 'bucket')
    .slice(0, 4);
  const pairs = singleFigures(timed, figures);
  for (const [words, kind] of SERIES) {
    if (!question.has(words)) continue;
    const window =
      kind === 'moving_average' ? question.linked.numbers.find(({ value }) => value > 1 && value < 400) : undefined;
    for (const { group, list } of pairs) addSeries(question, heads, { group, list, kind, window });
  }
}

function addSeries(
  question: Question,
  heads: Heads,
  { group, list, kind, window }: Grouped & { readonly kind: SeriesKind; readonly window: NumberMention | undefined },
): void {
  const computed: ComputedDraft = { kind, of: 0, ...(window === undefined ? {} : { window: window.value }) };
  const series = question.shared(`series|${kind}`, () => [
    feature(`series|${kind}`),
    ...question.tag(`series:${kind}`),
  ]);
  const limit: Part = question.part([], window === undefined ? [] : [{ mention: window, role: 'limit' }]);
  heads.add('series', {
    ...groupedHead({ group, list }, { computed: [computed], ...inTime(group) }),
    parts: [series, list, group, limit],
    key: `${group.key}|${list.key}|${kind}`,
  });
}
