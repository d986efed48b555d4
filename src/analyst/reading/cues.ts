import type { Filter } from '../../ports/analysis-plan.js';
import type { Conditions } from './conditions.js';
import type { Head } from './heads.js';
import type { WordClass } from './lexicon.js';
import type { Features, Question } from './question.js';
import { STEP_WORDS } from './times.js';
import { feature } from './weights.js';
import { keptIn } from './words.js';

/** What conditions do that words may call for. */
interface DoneBySet {
  readonly set: Conditions;
  readonly isNegated: boolean;
  readonly kinds: ReadonlySet<string>;
  readonly operators: ReadonlySet<string>;
}

/** What a reading does that words may call for. */
interface Done extends DoneBySet {
  readonly kind: string;
  readonly key: string;
  readonly groups: number;
  readonly isTimed: boolean;
  readonly hasOrder: boolean;
  readonly aggregates: ReadonlySet<string>;
}

type Call = readonly [WordClass, (done: Done) => boolean];

/** Words that call for something, and whether a reading does it. */
const CALLS: readonly Call[] = [
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
  ['trend', ({ isTimed }) => isTimed],
  ['hi', ({ aggregates, hasOrder }) => hasOrder || aggregates.has('max')],
  ['lo', ({ aggregates, hasOrder }) => hasOrder || aggregates.has('min')],
  ['duration', ({ key }) => key.includes('"duration"')],
  ['times', ({ key }) => key.includes('"*"')],
  ['minus', ({ aggregates, key, kind }) => key.includes('"-"') || aggregates.has('range') || kind === 'contrast'],
  ['plus', ({ key }) => key.includes('"+"')],
];

/** What is left out changes the figure, so that who is sure has to do it. */
const WEIGHTY: ReadonlySet<WordClass> = new Set([
  ...(['neg', 'avg', 'median', 'stddev', 'variance', 'percentile', 'range', 'correlation', 'regression'] as const),
  ...(['test', 'outlier', 'share', 'growth', 'cumulative', 'moving', 'trend', 'minus', 'times'] as const),
]);

/** The words of a message that call for something, looked up once for all of its readings. */
export class Cues {
  private readonly called: readonly (readonly [Call, taken: number, missed: number])[];
  private readonly uncalled: readonly (readonly [Call, taken: number])[];
  private readonly isEnd: boolean;
  private readonly bySet = new Map<Conditions, DoneBySet>();
  /** The place of a word for a step of time that is no part of a period: `per month`, not `last month`. */
  private readonly step: { readonly taken: Features; readonly missed: Features } | null;

  constructor(question: Question) {
    const isPresent = ([words]: Call): boolean => question.has(words);
    this.called = CALLS.filter(isPresent).map((call) => [
      call,
      feature(`cue|${call[0]}|true`),
      feature(`cue|${call[0]}|false`),
    ]);
    this.uncalled = CALLS.filter((call) => !isPresent(call)).map((call) => [call, feature(`nocue|${call[0]}`)]);
    this.isEnd = question.has('hi') || question.has('lo');
    const step = openStep(question);
    this.step =
      step === null ? null : { taken: stepFeatures(question, step, true), missed: stepFeatures(question, step, false) };
  }

  /** Words that call for what a reading does, or for what it does not. */
  features(head: Head, set: Conditions): Features {
    const done = this.doneBy(head, set);
    const places: number[] = head.facts.limit === null ? [] : [feature(`cue|limit|${this.isEnd}`)];
    for (const [[, isDone], taken, missed] of this.called) places.push(isDone(done) ? taken : missed);
    for (const [[, isDone], taken] of this.uncalled) if (isDone(done)) places.push(taken);
    const { step } = this;
    return step === null ? places : [...places, ...(hasTime(head.key) ? step.taken : step.missed)];
  }

  /** How many calls for something weighty a reading does not answer. */
  missed(head: Head, set: Conditions): number {
    const done = this.doneBy(head, set);
    const calls = this.called.filter(([[words, isDone]]) => WEIGHTY.has(words) && !isDone(done));
    return calls.length + (this.step !== null && !hasTime(head.key) ? 1 : 0);
  }

  private doneBy({ kind, key, facts }: Head, set: Conditions): Done {
    const bySet = keptIn(this.bySet, set, () => doneBySet(set));
    const { isNegated, kinds } = bySet;
    const { groups, isTimed, aggregates, having } = facts;
    const operators = having === null ? bySet.operators : new Set([...bySet.operators, having]);
    const hasOrder = facts.order !== '';
    // Without `...`, which takes as long as all the rest.
    return { set, isNegated, kinds, operators, kind, key, groups, isTimed, aggregates, hasOrder };
  }
}

function hasTime(key: string): boolean {
  return key.includes('"bucket"') || key.includes('"part"');
}

function openStep({ linked: { tokens, times } }: Question): number | null {
  const at = tokens.findIndex(
    ({ word }, place) => STEP_WORDS.has(word) && !times.some(({ from, to }) => from <= place && place < to),
  );
  return at < 0 ? null : at;
}

/** Whether a step that is named is taken. */
function stepFeatures(question: Question, at: number, isTaken: boolean): Features {
  const { before } = question.around(at, at + 1);
  return [
    feature(`stepcue|${isTaken}`),
    feature(`stepcue|${question.wordAt(at)}|${isTaken}`),
    feature(`stepcue|b|${before}|${isTaken}`),
  ];
}

function doneBySet(set: Conditions): DoneBySet {
  return {
    set,
    isNegated: set.parts.some(({ filter }) => isNegation(filter)),
    kinds: new Set(set.filters.map((filter) => filter.kind)),
    operators: new Set(set.parts.map(({ filter }) => operatorOf(filter))),
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
