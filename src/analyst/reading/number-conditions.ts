import type { Comparison, Filter } from '../../ports/analysis-plan.js';
import { comparisonAround, type OpClass, SIGN_OF } from './comparison.js';
import { condition, type ConditionPart, opFeatures, relation, usesOf } from './condition-part.js';
import { durationConditions } from './durations.js';
import type { ColumnMention, NumberMention } from './mentions.types.js';
import type { Features, Question } from './question.js';
import type { ColumnFacts } from './table.js';
import { converted, unitNamed, unitOfColumn } from './units.js';
import { feature } from './weights.js';

/** A column that a number may be compared with. */
interface Target {
  readonly column: ColumnFacts;
  readonly said: ColumnMention | null;
}

/** A number with a column, and the features that all its conditions have. */
interface Compared extends Target {
  readonly mention: NumberMention;
  readonly what: string;
  readonly shared: Features;
}

/** Conditions that a number, or it and the next one, may mean. */
export function numberConditions(
  question: Question,
  mention: NumberMention,
  next: NumberMention | undefined,
): readonly ConditionPart[] {
  const what = whatOf(mention);
  const high = next !== undefined && joins(question, mention) && next.value > mention.value ? next : null;
  // `between 5 and 6 million`
  const factor = high === null || mention.plain !== mention.value ? 1 : high.value / high.plain;
  const ofColumns = targetsOf(question, mention).flatMap(({ column, said }) => {
    const shared = [
      ...relation(question, mention, { what, column, mention: said }),
      feature(`taken|${mention.isTaken}`),
      ...rangeFeatures(column, mention.value, what),
    ];
    const compared = { column, said, mention, what, shared };
    if (!column.isNumber) return textIs(question, compared);
    return [...inUnits(question, compared), ...(high === null ? [] : [between(question, compared, high, factor)])];
  });
  return [...ofColumns, ...durationConditions(question, mention, operatorsFor(question, mention))];
}

function whatOf({ isYear, isWord, isPercent }: NumberMention): string {
  if (isYear) return 'year';
  if (isWord) return 'word';
  return isPercent ? 'percent' : 'number';
}

/** Whether a number and the next one may be the ends of a range. */
function joins(question: Question, { to }: NumberMention): boolean {
  return question.has('between') || /^(?:to|-|–|and|bis)$/.test(question.wordAt(to));
}

/** A number that is a value of a column of text. */
function textIs(question: Question, { column, said, mention, what, shared }: Compared): readonly ConditionPart[] {
  const known = column.profile.topValues.find(({ value }) => value === String(mention.value));
  if (known === undefined) return [];
  const negated = comparisonAround(question, mention.from, mention.to) === 'ne';
  return [
    condition(
      question,
      { kind: 'in', column: column.name, values: [known.value], negated },
      [...opFeatures(question, mention, { op: '=text', what }), ...shared],
      usesOf(mention, said),
    ),
  ];
}

/** `two hours` of a column of minutes are 120. */
function inUnits(question: Question, compared: Compared): readonly ConditionPart[] {
  const { mention, column, what } = compared;
  const [unit, own] = [unitNamed(question.wordAt(mention.to)), unitOfColumn(column)];
  if (unit === null) return scaled(question, compared);
  const fit = own === null ? 'none' : own.dimension === unit.dimension ? 'alike' : 'other';
  const shared = [...compared.shared, feature(`unit|${fit}`), feature(`unit|${fit}|${unit.dimension}`)];
  const plain = scaled(question, { ...compared, shared });
  if (own === null || fit !== 'alike' || own.size === unit.size) return plain;
  const value = converted(mention.value, unit, own);
  const features = [...shared, feature('unit|converted'), ...rangeFeatures(column, value, `converted${what}`)];
  const spanned = { ...mention, to: mention.to + 1 };
  return [
    ...plain,
    ...comparisons(question, { ...compared, mention: { ...mention, value }, shared: features }, spanned),
  ];
}

/** A column may count in millions or thousands itself. */
function scaled(question: Question, compared: Compared): readonly ConditionPart[] {
  const { mention, shared, column, what } = compared;
  if (mention.plain === mention.value) return comparisons(question, compared);
  const plain = { ...mention, value: mention.plain };
  const features = [...shared, feature('scaled'), ...rangeFeatures(column, mention.plain, `scaled${what}`)];
  return [
    ...comparisons(question, compared),
    ...comparisons(question, { ...compared, mention: plain, shared: features }, mention),
  ];
}

function comparisons(
  question: Question,
  { column, said, mention, what, shared }: Compared,
  explained = mention,
): readonly ConditionPart[] {
  return operatorsFor(question, mention).map((operator) => {
    const filter: Filter = { kind: 'compare', column: column.name, operator, value: mention.value };
    const features = [...opFeatures(question, mention, { op: operator, what, column }), ...shared];
    return condition(question, filter, features, usesOf(explained, said));
  });
}

function operatorsFor(question: Question, { from, to }: NumberMention): readonly Comparison[] {
  const cls = comparisonAround(question, from, to);
  return (['=', '>', '<', '>=', '<=', '!='] as const).filter((operator) => mayMean(operator, cls));
}

function between(
  question: Question,
  { column, said, mention, what, shared }: Compared,
  high: NumberMention,
  factor: number,
): ConditionPart {
  const [own, ...near] = usesOf(mention, said);
  return condition(
    question,
    { kind: 'between', column: column.name, low: mention.value * factor, high: high.value },
    [
      ...opFeatures(question, mention, { op: 'between', what }),
      ...shared,
      feature(`btw|${question.wordAt(mention.to)}`),
    ],
    [...(own === undefined ? [] : [own]), { mention: high, role: 'condition' }, ...near],
  );
}

/** Words for one operator leave only it, its neighbour and equality. */
function mayMean(operator: Comparison, cls: OpClass): boolean {
  return cls === 'none' || operator === '=' || operator === SIGN_OF[cls] || isNear(operator, cls);
}

function isNear(operator: Comparison, cls: OpClass): boolean {
  return (
    (operator === '>' && cls === 'ge') ||
    (operator === '<' && cls === 'le') ||
    (operator === '>=' && cls === 'gt') ||
    (operator === '<=' && cls === 'lt')
  );
}

/** A number outside of what the column has is seldom meant for it. */
export function rangeFeatures(
  { profile: { min, max }, isNumber, kind }: ColumnFacts,
  value: number,
  what: string,
): Features {
  if (!isNumber || typeof min !== 'number' || typeof max !== 'number') return [];
  const inside = value >= min && value <= max;
  return [feature(`range|${inside}|${what}`), feature(`range|${inside}|${what}|${kind}`)];
}

const MOST_TARGETS = 17;

/** Columns that are said first, then those that the number would fit. */
function targetsOf(question: Question, mention: NumberMention): readonly Target[] {
  const seen = new Set<ColumnFacts>();
  const said = question.linked.columns
    .filter(({ isGuess }) => !isGuess)
    .flatMap((one) =>
      one.guesses.slice(0, 3).flatMap(({ column }): Target[] => {
        if (seen.has(column) || !canHold(column, mention.value)) return [];
        seen.add(column);
        return [{ column, said: one }];
      }),
    );
  const unsaid = question.facts.columns
    .filter((column) => !seen.has(column) && isLikeOthers(column, mention))
    .map((column) => ({ column, said: null }));
  return [...said, ...unsaid.slice(0, Math.max(0, MOST_TARGETS - said.length))];
}

function canHold({ isNumber, profile }: ColumnFacts, number: number): boolean {
  return isNumber || profile.topValues.some(({ value }) => value === String(number));
}

/** Whether a number is like the others of a column that nobody named. */
function isLikeOthers({ kind, isNumber, profile: { min, max } }: ColumnFacts, mention: NumberMention): boolean {
  if (kind === 'year') return mention.isYear;
  if (!isNumber || kind === 'id' || kind === 'flag') return false;
  if (typeof min !== 'number' || typeof max !== 'number') return false;
  return [mention.value, mention.plain].some((value) => value >= min && value <= max);
}
