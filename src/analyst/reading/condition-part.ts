import type { DerivedColumn, Filter } from '../../ports/analysis-plan.js';
import { comparisonAround } from './comparison.js';
import type { ColumnMention, NumberMention, PeriodMention, Span, ValueMention } from './mentions.types.js';
import type { Features, Part, Question, Use } from './question.js';
import type { ColumnFacts } from './table.js';
import { feature } from './weights.js';

/** A condition that the message may mean. */
export interface ConditionPart extends Part {
  readonly filter: Filter;
  readonly derived?: DerivedColumn | undefined;
  /** Equal conditions have equal keys. */
  readonly key: string;
}

/** An operator and what it is used with; features of the column's kind come only with a column. */
interface Operation {
  readonly op: string;
  readonly what: string;
  readonly column?: ColumnFacts;
}

/** What the words around a value say for an operator. */
export function opFeatures(question: Question, { from, to }: Span, { op, what, column }: Operation): Features {
  const around = question.around(from, to);
  const cls = comparisonAround(question, from, to);
  const kind =
    column === undefined
      ? []
      : [
          feature(`opk|${op}|${cls}|${column.kind}`),
          feature(`opk|${op}|${around.before2}|${column.kind}`),
          feature(`opk|${op}|${question.wordAt(from - 2)}|${column.kind}`),
        ];
  return [
    ...kind,
    feature(`op|${op}|${what}`),
    feature(`opc|${op}|${cls}`),
    feature(`opc|${op}|${cls}|${what}`),
    feature(`op|${op}|b1|${around.before}`),
    feature(`op|${op}|b2|${around.before2}`),
    feature(`op|${op}|a1|${around.after}`),
    feature(`op|${op}|a2|${around.after2}`),
  ];
}

/** A column that a condition is about, and the mention of it, if there is one. */
interface Subject {
  readonly what: string;
  readonly column: ColumnFacts;
  readonly mention: ColumnMention | null;
}

/** How the mention of a condition's column stands to the mention of its value. */
export function relation(question: Question, value: Span, { what, column, mention }: Subject): Features {
  return mention === null
    ? unsaidRelation(question, value, what, column)
    : [...saidRelation(question, value, what, { column, mention }), ...question.role('whr', mention, column)];
}

function unsaidRelation(
  question: Question,
  { from, to }: Span,
  what: string,
  { kind, concept }: ColumnFacts,
): Features {
  const { before, after } = question.around(from, to);
  const common = [
    feature(`rel|unsaid|${what}`),
    feature(`rel|unsaid|${what}|${kind}`),
    feature(`rel|unsaid|${what}|${before}|${kind}`),
  ];
  if (concept === '') return common;
  return [...common, feature(`rel|unsaid|${what}|c|${concept}`), feature(`rel|unsaid|${what}|c|${concept}|${after}`)];
}

function saidRelation(
  question: Question,
  { from, to }: Span,
  what: string,
  { column, mention }: { readonly column: ColumnFacts; readonly mention: ColumnMention },
): Features {
  const isAfter = mention.from >= to;
  const [first, second] = isAfter ? [{ from, to }, mention] : [mention, { from, to }];
  const { signOf } = question.linked;
  const distance = Math.min(6, (signOf[second.from] ?? 0) - (signOf[first.to - 1] ?? 0));
  const others = Math.min(
    2,
    question.strong.filter((one) => one !== mention && one.from >= first.to && one.to <= second.from).length,
  );
  const side = isAfter ? 'after' : mention.to > from ? 'in' : 'before';
  const gap = isAfter ? `aft_${question.around(from, to).after}` : question.between(mention, { from, to });
  return [
    feature(`rel|${what}|${side}${distance}x${others}`),
    feature(`rel|${what}|${isAfter}|${column.kind}`),
    feature(`rel|${what}|near|${others}`),
    feature(`rel|${what}|gap|${gap}`),
  ];
}

/** The nearest mention of a column beside a span. */
export function nearest(question: Question, column: ColumnFacts, { from, to }: Span): ColumnMention | null {
  let best: { mention: ColumnMention; far: number } | null = null;
  for (const mention of question.linked.columns) {
    if (mention.isGuess) continue;
    const rank = mention.guesses.findIndex((guess) => guess.column === column);
    if (rank < 0 || (mention.to > from + 1 && mention.from < to)) continue;
    const far = Math.abs(mention.from >= to ? mention.from - to : from - mention.to) + 2 * rank;
    if (best === null || far < best.far) best = { mention, far };
  }
  return best?.mention ?? null;
}

/** The mentions of a column that a condition may go with: the nearest, if there is one, and none. */
export function nearestOrNone(question: Question, column: ColumnFacts, value: Span): readonly (ColumnMention | null)[] {
  const near = nearest(question, column, value);
  return near === null ? [null] : [near, null];
}

export function usesOf(
  mention: ValueMention | NumberMention | PeriodMention,
  column: ColumnMention | null,
): readonly Use[] {
  const own: Use = { mention, role: 'condition' };
  return column === null ? [own] : [own, { mention: column, role: 'condition' }];
}

export function condition(
  question: Question,
  filter: Filter,
  features: Features,
  uses: readonly Use[],
  derived?: DerivedColumn,
): ConditionPart {
  return { ...question.part(features, uses), filter, derived, key: JSON.stringify(filter) };
}

/** A word that speaks of a column without a word of its name. */
export function unnamedColumn(column: ColumnFacts, at: number): ColumnMention {
  const guesses = [{ column, share: 0.5, words: 0, far: 0, rating: 1 }];
  const flags = { isDegree: false, inValue: false, isNoun: false, isWeak: true, isGuess: true };
  return { kind: 'column', from: at, to: at + 1, guesses, best: 0.5, ...flags };
}
