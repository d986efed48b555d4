import type { Comparison, DerivedColumn } from '../../ports/analysis-plan.js';
import type { DurationUnit } from '../../ports/plan-expression.js';
import { condition, type ConditionPart, opFeatures, unnamedColumn } from './condition-part.js';
import { type Figure, type FigureList, listOf, withFirst } from './figure-list.js';
import type { ColumnMention, NumberMention } from './mentions.types.js';
import type { Features, Question } from './question.js';
import type { ColumnFacts } from './table.js';
import { shortName } from './two-column-figures.js';
import { converted, type Unit, unitGlued, unitNamed, unitOfColumn } from './units.js';
import { feature } from './weights.js';
import { groupedBy } from './words.js';

const DURATION_AGGREGATES = ['avg', 'max', 'min', 'median', 'sum'] as const;

/** From one time of a row to another. */
interface Stretch {
  readonly start: ColumnFacts;
  readonly end: ColumnFacts;
}

function stretchesOf({ facts }: Question): readonly Stretch[] {
  const times = facts.columns.filter(({ kind }) => kind === 'time');
  return times.flatMap((start) =>
    times
      .filter((end) => end !== start && String(end.profile.max) >= String(start.profile.min))
      .slice(0, 4)
      .map((end) => ({ start, end })),
  );
}

function mentionsOf({ usable }: Question, { start, end }: Stretch): readonly ColumnMention[] {
  return usable.filter(({ guesses }) => guesses.slice(0, 2).some(({ column }) => column === start || column === end));
}

function derivedOf({ start, end }: Stretch, unit: DurationUnit): DerivedColumn {
  return {
    name: shortName(`${unit} from ${start.name} to ${end.name}`),
    expression: { kind: 'duration', from: start.name, to: end.name, unit },
  };
}

/** How long it is from one time of a row to another. */
export function durations(question: Question): readonly Figure[] {
  if (!question.has('duration')) return [];
  const unit: DurationUnit =
    ['hours', 'minutes'].find((one): one is 'hours' | 'minutes' => question.words.has(one)) ?? 'days';
  return stretchesOf(question).flatMap((stretch) => durationOf(question, stretch, unit));
}

function durationOf(question: Question, stretch: Stretch, unit: DurationUnit): readonly Figure[] {
  const derived = derivedOf(stretch, unit);
  const said = mentionsOf(question, stretch);
  const aggregates = DURATION_AGGREGATES.filter((aggregate) => aggregate === 'avg' || question.has(aggregate));
  return aggregates.map((aggregate) => ({
    measure: { aggregate, column: derived.name },
    derived: [derived],
    features: [
      feature('duration'),
      feature(`duration|${aggregate}|${question.has(aggregate)}`),
      ...stretchFeatures('duration', stretch, said),
    ],
    uses: said.map((mention) => ({ mention, role: 'figure' })),
    at: 0,
  }));
}

function stretchFeatures(name: string, { start, end }: Stretch, said: readonly ColumnMention[]): Features {
  return [
    feature(`${name}|said|${said.length}`),
    feature(`${name}|order|${start.index < end.index}`),
    feature(`${name}|c|${start.concept}|${end.concept}`),
  ];
}

/** Average and median of how long it takes. */
export function durationLists(question: Question): readonly FigureList[] {
  const all = durations(question);
  const byPair = groupedBy(all, ({ derived }) => derived[0]?.name);
  return [...byPair.values()].flatMap((own) => {
    const said = own.filter(({ measure }) =>
      DURATION_AGGREGATES.some((one) => one === measure.aggregate && question.has(one)),
    );
    return said.length < 2 ? [] : [listOf(question, withFirst(said, 'durations'))];
  });
}

/** `hours per teacher` of a column of minutes: its figures in the unit that is asked for. */
export function figuresInUnits(question: Question): readonly Figure[] {
  const { tokens, numbers } = question.linked;
  return tokens.flatMap(({ word }, at) => {
    // The `s` of `what's` is no second.
    const unit = word.length < 2 || numbers.some(({ to }) => to === at) ? null : unitNamed(word);
    if (unit === null || !CONVERTED.has(unit.dimension)) return [];
    return question.facts.columns.flatMap((column) => {
      const own = column.isNumber ? unitOfColumn(column) : null;
      if (own === null || own.dimension !== unit.dimension || own.size === unit.size) return [];
      return inUnit(question, column, { word, at, factor: unit.size / own.size });
    });
  });
}

const CONVERTED: ReadonlySet<string> = new Set(['time', 'length', 'mass', 'volume', 'energy', 'power']);

interface Wanted {
  readonly word: string;
  readonly at: number;
  /** So many of the column's units make one. */
  readonly factor: number;
}

function inUnit(question: Question, column: ColumnFacts, { word, at, factor }: Wanted): readonly Figure[] {
  const derived: DerivedColumn = {
    name: shortName(`${column.name} in ${word}`),
    expression: {
      kind: 'arithmetic',
      operator: factor > 1 ? '/' : '*',
      left: { kind: 'column', column: column.name },
      right: { kind: 'number', value: Number((factor > 1 ? factor : 1 / factor).toPrecision(12)) },
    },
  };
  const named = question.usable.filter(({ guesses }) => guesses[0]?.column === column);
  const mentions = [unnamedColumn(column, at), ...named];
  return DURATION_AGGREGATES.map((aggregate) => ({
    measure: { aggregate, column: derived.name },
    derived: [derived],
    features: [
      feature(`inunit|${aggregate}`),
      feature(`inunit|${aggregate}|${question.has(aggregate)}`),
      feature(`inunit|named|${Math.min(2, named.length)}`),
      feature(`inunit|b|${question.around(at, at + 1).before}`),
      feature(`inunit|${aggregate}|c|${column.concept}`),
    ],
    uses: mentions.map((mention) => ({ mention, role: 'figure' })),
    at,
  }));
}

/** Units in which a stretch is told, the longest first, in seconds. */
const TOLD: readonly (readonly [DurationUnit, number])[] = [
  ['days', 86_400],
  ['hours', 3600],
  ['minutes', 60],
];

/** `took over 30 days`, `paid within two weeks`: how long it is from one time of a row to another, next to a number. */
export function durationConditions(
  question: Question,
  mention: NumberMention,
  operators: readonly Comparison[],
): readonly ConditionPart[] {
  const glued = unitGlued(question.wordAt(mention.from));
  const said = glued ?? unitNamed(question.wordAt(mention.to));
  const [unit, size] = TOLD.find(([, seconds]) => said?.dimension === 'time' && said.size >= seconds) ?? [];
  if (said === null || unit === undefined || size === undefined) return [];
  const own: Unit = { dimension: 'time', size };
  const value = converted(mention.value, said, own);
  return stretchesOf(question).flatMap((stretch) => {
    const derived = derivedOf(stretch, unit);
    const named = mentionsOf(question, stretch);
    return operators.map((operator) =>
      condition(
        question,
        { kind: 'compare', column: derived.name, operator, value },
        [
          ...opFeatures(question, mention, { op: `d${operator}`, what: 'duration' }),
          ...stretchFeatures('took', stretch, named),
          ...question.tag('took'),
        ],
        [glued === null ? { ...mention, to: mention.to + 1 } : mention, ...named].map((one) => ({
          mention: one,
          role: 'condition',
        })),
        derived,
      ),
    );
  });
}
