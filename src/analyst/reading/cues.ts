import type { Filter } from '../../ports/analysis-plan.js';
import type { Conditions } from './conditions.js';
import type { Head } from './heads.js';
import type { WordClass } from './lexicon.js';
import type { Features, Question } from './question.js';
import { STEP_WORDS } from './times.js';
import { feature } from './weights.js';

/** What a reading does that words may call for. */
interface Done {
  readonly kind: string;
  readonly key: string;
  readonly groups: number;
  readonly hasBucket: boolean;
  readonly hasOrder: boolean;
  readonly isNegated: boolean;
  readonly aggregates: ReadonlySet<string>;
  readonly kinds: ReadonlySet<string>;
  readonly operators: ReadonlySet<string>;
  readonly set: Conditions;
}

/** Words that call for something, and whether a reading does it. */
const CALLS: readonly (readonly [WordClass, (done: Done) => boolean])[] = [
  ['each', ({ groups }) => groups > 0],
  ['distinct', ({ groups, aggregates, kind }) => aggregates.has('count_distinct') || kind === 'distinct' || groups > 0],
  ['order', ({ hasOrder }) => hasOrder],
  ['neg', ({ isNegated, operators }) => isNegated || operators.has('>=') || operators.has('<=')],
  [
    'or',
    ({ operators, set }) =>
      set.key.startsWith('or:') ||
      set.filters.some((filter) => filter.kind === 'in' && filter.values.length > 1) ||
      operators.has('>=') ||
      operators.has('<='),
  ],
  ['between', ({ kinds, kind }) => kinds.has('between') || kinds.has('time') || kind === 'contrast'],
  ['like', ({ kinds }) => kinds.has('contains')],
  ['gt', ({ operators }) => operators.has('>') || operators.has('>=')],
  ['lt', ({ operators }) => operators.has('<') || operators.has('<=')],
  ['null', ({ kinds, kind }) => kinds.has('null') || kind === 'missing'],
  ['avg', ({ aggregates, kinds }) => aggregates.has('avg') || kinds.has('against')],
  ['sum', ({ aggregates }) => aggregates.has('sum')],
  ['max', ({ aggregates, hasOrder }) => aggregates.has('max') || hasOrder],
  ['min', ({ aggregates, hasOrder }) => aggregates.has('min') || hasOrder],
  ['count', ({ aggregates }) => aggregates.has('count') || aggregates.has('count_distinct') || aggregates.has('sum')],
  ['median', ({ aggregates }) => aggregates.has('median')],
  ['stddev', ({ aggregates }) => aggregates.has('stddev')],
  ['variance', ({ aggregates }) => aggregates.has('variance')],
  ['percentile', ({ aggregates }) => aggregates.has('percentile')],
  ['range', ({ aggregates }) => aggregates.has('range')],
  [
    'correlation',
    ({ aggregates }) => aggregates.has('correlation') || aggregates.has('pearson') || aggregates.has('spearman'),
  ],
  [
    'regression',
    ({ aggregates }) => aggregates.has('regression') || aggregates.has('slope') || aggregates.has('r_squared'),
  ],
  ['test', ({ kind }) => kind === 'statistic'],
  ['outlier', ({ kinds }) => kinds.has('outlier')],
  ['share', ({ kind }) => kind === 'share' || kind.startsWith('portion')],
  ['change', ({ kind }) => kind === 'series' || kind === 'contrast'],
  ['growth', ({ kind }) => kind === 'series' || kind === 'contrast'],
  ['cumulative', ({ kind }) => kind === 'series'],
  ['moving', ({ kind }) => kind === 'series'],
  ['trend', ({ hasBucket }) => hasBucket],
  ['hi', ({ aggregates, hasOrder }) => hasOrder || aggregates.has('max')],
  ['lo', ({ aggregates, hasOrder }) => hasOrder || aggregates.has('min')],
  ['duration', ({ key }) => key.includes('"duration"')],
  ['times', ({ key }) => key.includes('"*"')],
  ['minus', ({ aggregates, key, kind }) => key.includes('"-"') || aggregates.has('range') || kind === 'contrast'],
  ['plus', ({ key }) => key.includes('"+"')],
];

/** Which of the words that call for something are in a message. */
export type Presence = ReadonlyMap<WordClass, boolean>;

export function presenceOf(question: Question): Presence {
  return new Map(CALLS.map(([words]) => [words, question.has(words)]));
}

/** What is left out changes the figure, so that who is sure has to do it. */
const WEIGHTY: ReadonlySet<WordClass> = new Set([
  ...(['neg', 'avg', 'median', 'stddev', 'variance', 'percentile', 'range', 'correlation', 'regression'] as const),
  ...(['test', 'outlier', 'share', 'growth', 'cumulative', 'moving', 'trend', 'minus', 'times'] as const),
]);

/** Calls for something weighty that a reading does not answer. */
export function missedCalls(question: Question, head: Head, set: Conditions, presence: Presence): number {
  const done = doneBy(head, set);
  const calls = CALLS.filter(([words, isDone]) => WEIGHTY.has(words) && presence.get(words) === true && !isDone(done));
  return calls.length + (openStep(question) !== null && !hasTime(head.key) ? 1 : 0);
}

function hasTime(key: string): boolean {
  return key.includes('"bucket"') || key.includes('"part"');
}

/** The place of a word for a step of time that is no part of a period: `per month`, not `last month`. */
function openStep({ linked: { tokens, times } }: Question): number | null {
  const at = tokens.findIndex(
    ({ word }, place) => STEP_WORDS.has(word) && !times.some(({ from, to }) => from <= place && place < to),
  );
  return at < 0 ? null : at;
}

/** Whether a step that is named is taken. */
export function stepFeatures(question: Question, { key }: Head): Features {
  const at = openStep(question);
  if (at === null) return [];
  const isTaken = hasTime(key);
  const { before } = question.around(at, at + 1);
  return [
    feature(`stepcue|${isTaken}`),
    feature(`stepcue|${question.wordAt(at)}|${isTaken}`),
    feature(`stepcue|b|${before}|${isTaken}`),
  ];
}

/** Words that call for what the reading does, or for what it does not. */
export function cueFeatures(head: Head, set: Conditions, presence: Presence): Features {
  const done = doneBy(head, set);
  const isEnd = presence.get('hi') === true || presence.get('lo') === true;
  const limit = head.facts.limit === null ? [] : [feature(`cue|limit|${isEnd}`)];
  const calls = CALLS.flatMap(([words, isDone]) => {
    if (presence.get(words) === true) return [feature(`cue|${words}|${isDone(done)}`)];
    return isDone(done) ? [feature(`nocue|${words}`)] : [];
  });
  return [...limit, ...calls];
}

function doneBy({ kind, key, facts }: Head, set: Conditions): Done {
  const operators = set.parts.map(({ filter }) => operatorOf(filter));
  return {
    kind,
    key,
    groups: facts.groups,
    hasBucket: facts.hasBucket,
    hasOrder: facts.order !== '',
    isNegated: set.parts.some(({ filter }) => isNegation(filter)),
    aggregates: facts.aggregates,
    kinds: new Set(set.filters.map((filter) => filter.kind)),
    operators: new Set(facts.having === null ? operators : [...operators, facts.having]),
    set,
  };
}

function operatorOf(filter: Filter): string {
  if (filter.kind === 'compare' || filter.kind === 'columns' || filter.kind === 'against') return filter.operator;
  if (filter.kind !== 'time') return '';
  if (filter.to === null) return '>';
  return filter.from === null ? '<' : '=';
}

function isNegation(filter: Filter): boolean {
  if ('negated' in filter && filter.negated) return true;
  return filter.kind === 'null' || ('operator' in filter && filter.operator === '!=');
}
