import type { StatisticMethod } from '../../ports/plan-statistics.js';
import type { MeasureDraft } from './draft.js';
import { numberPairs } from './two-column-figures.js';
import { aggregateDraft, type Heads } from './heads.js';
import type { ColumnMention } from './mentions.types.js';
import type { Features, Question, Use } from './question.js';
import type { ColumnFacts, TableFacts } from './table.js';
import { feature } from './weights.js';

/** A method with the columns it is about, and what speaks for them. */
interface Statistic {
  readonly method: StatisticMethod;
  readonly columns: readonly ColumnFacts[];
  readonly by: ColumnFacts | null;
  readonly uses: readonly Use[];
  readonly extra: Features;
}

/** Statistics of two columns of numbers, of one, or of one by groups. */
export function statisticHeads(question: Question, heads: Heads): void {
  if (question.has('correlation') || question.has('regression') || question.has('test'))
    addPairStatistics(question, heads);
  for (const mention of question.sure) {
    if (mention.isDegree) continue;
    for (const { column } of mention.guesses.slice(0, 2))
      if (column.isNumber) addColumnStatistics(question, heads, { column, mention });
  }
}

function addStatistic(question: Question, heads: Heads, { method, columns, by, uses, extra }: Statistic): void {
  heads.add('statistic', {
    parts: [question.part([feature(`method|${method}`), ...question.tag(`method:${method}`), ...extra], uses)],
    facts: { aggregates: new Set([method]) },
    key: `${method}|${columns.map(({ name }) => name).join()}|${by?.name ?? ''}`,
    build: (filters, derived) => ({
      kind: 'statistic',
      method,
      columns: columns.map(({ name }) => name),
      by: by?.name ?? null,
      filters,
      ...(derived.length > 0 ? { derived } : {}),
    }),
  });
}

function addPairStatistics(question: Question, heads: Heads): void {
  for (const [one, other] of numberPairs(question)) {
    const pair = {
      columns: [one.guess.column, other.guess.column],
      by: null,
      uses: [one.mention, other.mention].map((mention): Use => ({ mention, role: 'figure' })),
      extra: [
        ...question.role('pair1', one.mention, one.guess.column),
        ...question.role('pair2', other.mention, other.guess.column),
      ],
    };
    // A correlation is the same in both orders.
    const symmetric = one.mention.from < other.mention.from ? (['pearson', 'spearman'] as const) : [];
    for (const method of symmetric) addStatistic(question, heads, { method, ...pair });
    if (question.has('regression')) addStatistic(question, heads, { method: 'regression', ...pair });
  }
}

interface Tested {
  readonly column: ColumnFacts;
  readonly mention: ColumnMention;
}

function addColumnStatistics(question: Question, heads: Heads, { column, mention }: Tested): void {
  const uses: readonly Use[] = [{ mention, role: 'figure' }];
  const extra = question.role('stat', mention, column);
  const single = { columns: [column], by: null, uses, extra };
  if (question.has('normal'))
    for (const method of ['shapiro_wilk', 'normality'] as const) addStatistic(question, heads, { method, ...single });
  if (/summary|describe|statistics|stats|summarize|overview|profile/.test([...question.words].join(' ')))
    addStatistic(question, heads, { method: 'describe', ...single });
  if (!question.has('test') && !question.has('change')) return;
  addGroupTests(question, heads, { column, mention, uses, extra });
  addValueTests(question, heads, { column, uses, extra });
}

type Known = Pick<Statistic, 'uses' | 'extra'>;

/** Whether a number differs between the groups of another column. */
function addGroupTests(question: Question, heads: Heads, { column, mention, uses, extra }: Tested & Known): void {
  const pairs = question.usable
    .filter((other) => other !== mention)
    .flatMap((other) => other.guesses.slice(0, 2).map(({ column: by }) => ({ other, by })));
  for (const { other, by } of pairs) {
    if (by.isNumber && by.kind !== 'flag' && by.kind !== 'code') continue;
    const test = {
      columns: [column],
      by,
      uses: [...uses, { mention: other, role: 'group' as const }],
      extra: [...extra, ...question.role('statby', other, by)],
    };
    for (const method of testsOf(by)) addStatistic(question, heads, { method, ...test });
  }
}

function testsOf({ profile }: ColumnFacts): readonly StatisticMethod[] {
  if (profile.distinct === 2) return ['welch_t_test', 'mann_whitney'];
  return profile.distinct > 2 ? ['anova'] : [];
}

/** Whether a number differs between two values that are named. */
function addValueTests(
  question: Question,
  heads: Heads,
  { column, uses, extra }: Known & { readonly column: ColumnFacts },
): void {
  const valued = question.linked.values.flatMap(
    ({ guesses }) => question.facts.columns[guesses[0]?.column ?? -1] ?? [],
  );
  const [by, another] = valued;
  if (by === undefined || by !== another) return;
  const test = { columns: [column], by, uses, extra: [...extra, feature('statby|values')] };
  for (const method of ['welch_t_test', 'mann_whitney'] as const) addStatistic(question, heads, { method, ...test });
}

/** How many values are missing, by column. */
export function missingHeads(question: Question, heads: Heads): void {
  if (!question.has('null')) return;
  const { facts } = question;
  const add = (columns: readonly ColumnFacts[], uses: readonly Use[], extra: Features, key: string): void => {
    const measures = columns.map(({ name }): MeasureDraft => ({ aggregate: 'missing', column: name }));
    heads.add('missing', {
      parts: [question.part([feature(`missing|${Math.min(columns.length, 2)}`), ...extra], uses)],
      facts: { aggregates: new Set(['missing']) },
      key,
      build: (filters, derived) => aggregateDraft(measures, null, filters, derived),
    });
  };
  for (const mention of question.usable)
    for (const { column } of mention.guesses.slice(0, 2))
      add([column], [{ mention, role: 'count' }], question.role('missing', mention, column), column.name);
  if (OF_ALL_COLUMNS.test(question.linked.message)) add(emptiest(facts), [], question.tag('missingall'), 'all');
}

/** Words without which nobody asks what every column lacks. */
export const OF_ALL_COLUMNS = /\b(?:columns?|fields?|values?|cells?|data|table|file|dataset|gaps)\b/iu;

/** A plan has no more figures. */
const MOST_FIGURES = 20;

/** The columns that lack most values, in the order of the table: as many as a plan has figures. */
export function emptiest({ columns }: TableFacts): readonly ColumnFacts[] {
  return columns
    .toSorted((one, other) => other.profile.nulls - one.profile.nulls)
    .slice(0, MOST_FIGURES)
    .sort((one, other) => one.index - other.index);
}
