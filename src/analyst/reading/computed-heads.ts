import type { Computed } from '../../ports/analysis-plan.js';
import type { ComputedDraft } from './draft.js';
import type { FigureList } from './figure-list.js';
import type { GroupList } from './groups.js';
import { aggregateDraft, type Grouped, groupedFacts, type Heads, inTime, type Lists, singleFigures } from './heads.js';
import type { WordClass } from './lexicon.js';
import type { NumberMention } from './mentions.types.js';
import type { Part, Question } from './question.js';
import { feature } from './weights.js';

/** Which of the conditions the part fits. */
const PORTIONS = ['last', 'first', 'all'] as const;
type Portion = (typeof PORTIONS)[number];

/** Shares of the whole by group, and the part of the rows that fits the conditions. */
export function shareHeads(question: Question, heads: Heads, { figures, groups }: Omit<Lists, 'limits'>): void {
  if (!question.has('share')) return;
  const sums = figures
    .filter(
      ({ measures: [measure, another] }) =>
        another === undefined && (measure?.aggregate === 'sum' || measure?.aggregate === 'count'),
    )
    .slice(0, 6);
  for (const list of sums) {
    const computed: ComputedDraft = { kind: 'share', of: 0 };
    for (const group of groups.slice(0, 8)) {
      heads.add('share', {
        parts: [question.shared('share', () => question.tag('share')), list, group],
        facts: groupedFacts(group, list),
        key: `${group.key}|${list.key}`,
        build: (filters, derived) =>
          aggregateDraft(list.measures, group, filters, [...list.derived, ...derived], { computed: [computed] }),
      });
      for (const which of PORTIONS) addPortion(question, heads, { list, group, which });
    }
    for (const which of PORTIONS) addPortion(question, heads, { list, group: null, which });
  }
}

/** What fits one of the conditions as a percentage of what fits the others. */
function addPortion(
  question: Question,
  heads: Heads,
  { list, group, which }: { readonly list: FigureList; readonly group: GroupList | null; readonly which: Portion },
): void {
  const [measure] = list.measures;
  if (measure === undefined) return;
  heads.add(group === null ? 'portion' : 'portions', {
    parts: [
      question.shared(`portion|${which}`, () => [feature(`portion|${which}`), ...question.tag('portion')]),
      list,
      ...(group === null ? [] : [group]),
    ],
    facts: group === null ? { aggregates: list.aggregates } : groupedFacts(group, list),
    key: `${group?.key ?? ''}|${list.key}|${which}`,
    build: (filters, derived) => {
      if (filters.length === 0 || (which !== 'all' && filters.length === 1)) return null;
      const part = which === 'all' ? filters : which === 'first' ? filters.slice(0, 1) : filters.slice(-1);
      const base = filters.filter((filter) => !part.includes(filter));
      const measures = [{ ...measure, filters: part }, measure];
      const computed: ComputedDraft = { kind: 'percent', left: 0, right: 1 };
      return aggregateDraft(measures, group, base, [...list.derived, ...derived], {
        computed: [computed],
        ...(group === null ? {} : inTime(group)),
      });
    },
  });
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
  const timed = groups.filter(({ hasBucket, dimensions }) => hasBucket && dimensions.length === 1).slice(0, 4);
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
    parts: [series, list, group, limit],
    facts: { groups: 1, hasBucket: true, aggregates: list.aggregates },
    key: `${group.key}|${list.key}|${kind}`,
    build: (filters, derived) =>
      aggregateDraft(list.measures, group, filters, [...list.derived, ...derived], {
        computed: [computed],
        ...inTime(group),
      }),
  });
}
